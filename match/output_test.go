package match

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestSplitWritesAGameAFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "games")
	r := mustPlay(t, Config{Pairs: 2, OpeningPlies: 2}, newRandom("a", 1), newRandom("b", 2))
	all := testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(ogn(t, r)), "all"))(t)
	testkit.NoError(t, Split(oware.Descriptor(), all, dir))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 4 || len(all) != 4 {
		t.Fatalf("%d files of %d games: %v", len(files), len(all), err)
	}
	for i, f := range files {
		text := testkit.Read(t, filepath.Join(dir, f.Name()))
		one, err := oware.Descriptor().ParseRecords(strings.NewReader(string(text)), f.Name())
		if err != nil || len(one) != 1 || len(one[0].Moves) != len(all[i].Moves) || one[0].Tag("South") != all[i].Tag("South") {
			t.Errorf("%s: %v, %d games", f.Name(), err, len(one))
		}
		if !strings.HasPrefix(string(text), `[Variant "Oware Abapa"]`) {
			t.Errorf("%s begins\n%.40s", f.Name(), text)
		}
	}
	testkit.Equal(t, files[0].Name(), "game-0001.ogn", "the first")
	if err := Split(oware.Descriptor(), all, dir); err != nil {
		t.Errorf("the same games once more: %v", err)
	}
	fewer := filepath.Join(t.TempDir(), "games")
	for _, n := range []int{1, len(all), len(all)} {
		if err := Split(oware.Descriptor(), all[:n], fewer); err != nil {
			t.Errorf("%d games after fewer: %v", n, err)
		}
		if list, err := os.ReadDir(fewer); err != nil || len(list) != n {
			t.Errorf("%d files, %v: want %d", len(list), err, n)
		}
	}
	testkit.Refused(t, Split(oware.Descriptor(), all[:1], fewer), "is not one of these games")
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, files[0].Name()), []byte("mine"), 0o600))
	testkit.Refused(t, Split(oware.Descriptor(), all, dir), "is not one of these games")
}
