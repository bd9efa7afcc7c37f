package mapfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenMapsTheWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("seeds"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, "seeds")
	if err != nil || string(f.Data) != "seeds" {
		t.Fatal(f, err)
	}
	for range 2 {
		if err := f.Close(); err != nil || f.Data != nil {
			t.Error(err)
		}
	}
	if err := (*File)(nil).Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		empty:                      "is empty: expected seeds",
		dir:                        "is not a regular file",
		os.DevNull:                 "is not a regular file",
		filepath.Join(dir, "none"): "no such file",
	} {
		if _, err := Open(path, "seeds"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
