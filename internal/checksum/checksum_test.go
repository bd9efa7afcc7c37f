package checksum

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

// Uses the example of FIPS 180-2, appendix B.1.
func TestFileReturnsTheSHA256(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	testkit.NoError(t, os.WriteFile(path, []byte("abc"), 0o600))
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got, err := File(path); err != nil || got != want {
		t.Errorf("%s, %v: want %s", got, err, want)
	}
	if _, err := File(path + "-missing"); err == nil {
		t.Error("no error for a missing file")
	}
}

// A file is hashed again after any change, and only then.
func TestChangedFilesAreHashedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string, at time.Time) {
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		testkit.NoError(t, os.Chtimes(path, at, at))
	}
	old := time.Now().Add(-time.Hour)
	write("one", old)
	first := testkit.Must(File(path))(t)
	reads := 0
	vfs.Fail(func(call, _ string) error {
		if call == "read" {
			reads++
		}
		return nil
	})
	defer vfs.Fail(func(string, string) error { return nil })
	if again, err := File(path); err != nil || again != first || reads != 0 {
		t.Errorf("%s after %d reads, error %v: expected %s after none", again, reads, err, first)
	}
	for _, at := range []time.Time{old.Add(time.Second), time.Now(), time.Now()} {
		write("two", at)
		reads = 0
		if again, err := File(path); err != nil || again == first || reads == 0 {
			t.Errorf("a change at %v: %s after %d reads, error %v", at, again, reads, err)
		}
	}
}
