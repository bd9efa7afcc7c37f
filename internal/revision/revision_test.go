package revision

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"

	"kroo/internal/testkit"
)

func TestStampedReturnsCommitAndChanges(t *testing.T) {
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, ""},
		{[]debug.BuildSetting{{Key: "vcs.modified", Value: "true"}}, ""},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "1a2b"}, {Key: "vcs.modified", Value: "false"}}, "1a2b"},
		{[]debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, {Key: "vcs.revision", Value: "1a2b"}}, "1a2b+changes"},
	} {
		testkit.Equal(t, stampedRevision(c.settings), c.want, "%v", c.settings)
	}
}

// A program's name depends on its build ID, wherever it is in the beginning, and without one on its
// content.
func TestNameOfDistinguishesPrograms(t *testing.T) {
	own := testkit.Must(nameOf(testkit.Must(os.Executable())(t)))(t)
	if Get() != own || !regexp.MustCompile(`^build [0-9a-f]{16}$`).MatchString(own) {
		t.Errorf("this program is %q, and its build ID makes it %q", Get(), own)
	}
	program := testkit.Read(t, testkit.Must(os.Executable())(t))
	at := bytes.Index(program, []byte(buildMarks[0]))
	if runtime.GOOS != "linux" {
		at = bytes.Index(program, []byte(buildMarks[1]))
	}
	if at < 0 || at > 32<<10 {
		t.Fatalf("the build ID is at %d", at)
	}
	for offset, same := range map[int]bool{at + 20: false, at + 1000: true, len(program) - 10: true} {
		other := bytes.Clone(program)
		other[offset] ^= 1
		if got := testkit.Must(nameOf(testkit.File(t, "other", other)))(t); (got == own) != same {
			t.Errorf("with byte %d changed (the build ID is at %d) it is %q, without %q", offset, at, got, own)
		}
	}
	abc := testkit.Must(nameOf(testkit.File(t, "program", "abc")))(t)
	testkit.Equal(t, abc, "build ba7816bf8f01cfea", "a program without a build ID") // FIPS 180-2, appendix B.1
}

// A program that cannot be read gives an error, not another name.
func TestUnreadableProgramIsAnError(t *testing.T) {
	if got, err := nameOf(filepath.Join(t.TempDir(), "none")); got != "" || err == nil {
		t.Errorf("%q, %v: want an error", got, err)
	}
}
