package endgame

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestFindTakesAFileAFolderOrNothing(t *testing.T) {
	dir := t.TempDir()
	awari := filepath.Join(dir, FileName(oware.Awari))
	testkit.NoError(t, build(t, oware.Awari, Exact, 2).Write(awari))
	for path, seeds := range map[string]int{awari: 2, dir: 2, "": defaultSeeds} {
		tab, err := Find(path, oware.Awari)
		if err != nil || tab.Seeds() != seeds || tab.Rules() != oware.Awari {
			t.Fatalf("%q: %v", path, err)
		}
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := Find(awari, oware.Abapa)
	testkit.Refused(t, err, "a table for awari: expected abapa")
	if _, err := Find(dir, oware.Simple); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("not in the folder: %v", err)
	}
}
