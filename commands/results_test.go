package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// Names and tags of files may contain control characters, which a terminal would obey.
func TestControlCharactersOfFilesAreNotPrinted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const evil = "\x1b]0;owned\a\x1b[2J\u009b2J\r\x7f"
	ogn := "[South \"" + strings.ReplaceAll(evil, "\r", "") + "\"] F f *\n"
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "evil.ogn"), []byte(ogn), 0o644))
	header := "Another program\nWeights: " + evil + "\n\x00\n"
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "evil.bin"), []byte(header), 0o644))
	for _, line := range []string{"inspect evil.ogn", "inspect evil.ogn --json", "inspect evil.bin", "match --openings evil.bin --pairs 1", "inspect " + evil} {
		out, errs, _ := train(t, dir, strings.Split(line, " ")...)
		if text := out + errs; text == "" || strings.ContainsAny(text, "\x1b\a\r\x7f\u009b") {
			t.Errorf("train %q prints %q", line, text)
		}
	}
}
