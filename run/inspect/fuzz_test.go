package inspect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/book"
	"kroo/endgame"
	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/testkit"
	"kroo/regress/profile"
	"kroo/run"
)

// Any file with any name is described, or refused with a one-line error.
func FuzzFile(f *testing.F) {
	dir := f.TempDir()
	table, err := endgame.Build(f.Context(), endgame.Config{Rules: oware.Awari, Bounds: endgame.Exact, Seeds: 2}, nil)
	testkit.NoError(f, err)
	bookPath, tablePath := filepath.Join(dir, "book.bin"), filepath.Join(dir, "table")
	testkit.NoError(f, book.Write(bookPath, book.Header{}, []book.Entry{{Key: oware.Start(oware.Abapa).BookKey()}}))
	testkit.NoError(f, table.Write(tablePath))
	for _, path := range []string{bookPath, tablePath} {
		data, err := os.ReadFile(path)
		testkit.NoError(f, err)
		f.Add(data, "file.bin")
	}
	f.Add([]byte("[South \"a\"]\n\n1. E b 2. D f+2 *\n"), "games.ogn")
	f.Add([]byte(`{"format": "`+run.ManifestFormat+`", "version": 1}`), "manifest.json")
	f.Add([]byte(features.PackedMagic+" 1\n"), "weights")
	f.Add([]byte(journal.Magic+" 1\n"), "out.journal")
	f.Add([]byte("PAR1"), "rows.parquet")
	f.Add([]byte(features.PackedMagic+" 1\n"), `"`)
	f.Add([]byte(`{"format": "kroo-weights"}`), `a\b`)
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if name = filepath.Base(name); strings.ContainsAny(name, "\x00/\n") || len(name) > 100 || name == "." || name == ".." {
			name = "file"
		}
		path := filepath.Join(t.TempDir(), name)
		testkit.NoError(t, os.WriteFile(path, data, 0o644))
		s, err := File(t.Context(), path, allGames, profile.Options{})
		if err != nil {
			if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, path) {
				t.Errorf("%q: error %q: want one line that names the file", data, text)
			}
			return
		}
		if _, err := json.Marshal(s.Value); err != nil || s.Text(path) == "" {
			t.Errorf("%q: %v, text %q", data, err, s.Text(path))
		}
	})
}
