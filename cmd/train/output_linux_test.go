package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// A name that is not UTF-8 is refused: with U+FFFD for its bytes it would name another file.
func TestNamesThatAreNotUTF8AreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const bad = "g\xe9.ogn"
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "g\ufffd.ogn"), []byte("1. A f *\n"), 0o666))
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, bad), []byte("1. E f 2. B b *\n"), 0o666))
	for _, args := range [][]string{
		{"sample", "--method", "file", "--from", bad, "-o", "o.csv"},
		{"sample", "-o", "o\xe9.csv"},
		{"inspect", bad},
		{"ogn", "split", bad, "games"},
		{"match", "--a", "weights=w\xe9.json", "-o", "o.ogn"},
		{"match", "tournament", "captures", "w\xe9.json", "-o", "o.ogn"},
		{"run", "--config", "c\xe9.toml"},
	} {
		_, errs, code := train(t, dir, args...)
		if code != exitUsage || !strings.Contains(errs, `\xe9`) || !strings.Contains(errs, "not UTF-8: rename the file") {
			t.Errorf("%q: exit %d, %q", args, code, errs)
		}
	}
	list := testkit.Must(os.ReadDir(dir))(t)
	testkit.Equal(t, len(list), 2, "files")
}
