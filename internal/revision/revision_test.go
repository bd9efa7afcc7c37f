package revision

import (
	"debug/elf"
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
		testkit.Equal(t, stamped(c.settings), c.want, "%v", c.settings)
	}
}

func TestHashedDistinguishesPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	testkit.NoError(t, os.WriteFile(path, []byte("abc"), 0o644))
	got, err := hashed(path)
	if want := "build ba7816bf8f01cfea"; err != nil || got != want { // FIPS 180-2, appendix B.1
		t.Errorf("%q, error %v: want %q", got, err, want)
	}
	if _, err := hashed(path + "-none"); err == nil {
		t.Error("a missing program has a hash")
	}
}

// Files without a build ID, ELF or not, have no name of this kind.
func TestLinkedIsEmptyWithoutABuildID(t *testing.T) {
	for _, text := range []string{"", "abc", "a file that is long enough for the header of a program, and is none"} {
		path := filepath.Join(t.TempDir(), "program")
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		if got, err := linked(path); got != "" || err != nil {
			t.Errorf("%q: %q, %v: want nothing", text, got, err)
		}
	}
}

// A program that cannot be read gives an error, not another name.
func TestUnreadableProgramIsAnError(t *testing.T) {
	if got, err := nameOf(filepath.Join(t.TempDir(), "none")); got != "" || err == nil {
		t.Errorf("%q, %v: want an error", got, err)
	}
}

// A program's name depends on its build ID, not on its file name.
func TestLinkedDistinguishesPrograms(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("programs are not ELF files here: they are hashed")
		return
	}
	path := testkit.Must(os.Executable())(t)
	own, err := linked(path)
	if err != nil || !regexp.MustCompile(`^build [0-9a-f]{16}$`).MatchString(own) || Get() != own {
		t.Fatalf("this program is %q, and its build ID makes it %q", Get(), own)
	}
	f := testkit.Must(elf.Open(path))(t)
	defer f.Close()
	note := f.Section(".note.go.buildid")
	program := testkit.Read(t, path)
	for change, same := range map[byte]bool{0: true, 1: false} {
		other := filepath.Join(t.TempDir(), "other")
		program[note.Offset+note.Size-2] ^= change // in the build ID
		testkit.NoError(t, os.WriteFile(other, program, 0o644))
		program[note.Offset+note.Size-2] ^= change
		if got, err := linked(other); err != nil || (got == own) != same || got == "" {
			t.Errorf("with %d changed in the build ID it is %q, without %q", change, got, own)
		}
	}
}

// A test binary has no commit.
func TestGetReturnsAHashInTests(t *testing.T) {
	if got := Get(); !regexp.MustCompile(`^build [0-9a-f]{16}$`).MatchString(got) || got != Get() {
		t.Errorf("%q", got)
	}
}
