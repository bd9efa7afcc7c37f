package console

import (
	"bytes"
	"io"
	"testing"

	"kroo/internal/testkit"
)

// A warning clears the progress bar; control characters of its text are replaced.
func TestAWarningClearsTheBar(t *testing.T) {
	for terminal, want := range map[bool]string{true: "\r\x1b[Klate\uFFFD\n", false: "late\uFFFD\n"} {
		var screen bytes.Buffer
		printAboveBar(NewWriter(&screen), "late\a", terminal)
		testkit.Equal(t, screen.String(), want, "terminal %t", terminal)
	}
}

// Control characters are replaced, except those of a drawing, which do not come from files.
func TestOnlyADrawingHasControlCharacters(t *testing.T) {
	var screen bytes.Buffer
	out := NewWriter(&screen)
	io.WriteString(out, "\x1b[1m\tbold\n") // a buffer takes all
	io.WriteString(Drawing(out), "\x1b[1mbold")
	testkit.Equal(t, screen.String(), "\uFFFD[1m\tbold\n\x1b[1mbold", "written")
}
