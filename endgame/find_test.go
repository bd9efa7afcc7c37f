package endgame

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
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
	if _, err := Find(awari, oware.Abapa); err == nil || !strings.Contains(err.Error(), "a table for awari: expected abapa") {
		t.Errorf("other rules: %v", err)
	}
	if _, err := Find(dir, oware.Simple); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("not in the folder: %v", err)
	}
}
