package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFitsRefusesFoldersNotInMemory(t *testing.T) {
	for _, no := range []string{"/proc", filepath.Join(t.TempDir(), "none")} {
		if fits(no) {
			t.Errorf("%s was accepted", no)
		}
	}
	if dir := os.TempDir(); dir == folder && !fits(dir) {
		t.Errorf("temporary folders are in %s, which is not in memory", dir)
	}
}
