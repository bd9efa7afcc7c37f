package checksum

import (
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

// The example of FIPS 180-2, appendix B.1.
func TestTheSumOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	testkit.NoError(t, os.WriteFile(path, []byte("abc"), 0o600))
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got, err := File(path); err != nil || got != want {
		t.Errorf("%s, %v: want %s", got, err, want)
	}
	if _, err := File(path + "-missing"); err == nil {
		t.Error("the sum of no file")
	}
}
