package endgame

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

func TestFindOpensFilesFoldersAndTheDefault(t *testing.T) {
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

// TestDefaultTableEqualsABuild compares small levels, all levels with KROO_LONG=1.
func TestDefaultTableEqualsABuild(t *testing.T) {
	tab := testkit.Must(Default(oware.Abapa))(t)
	if tab.Seeds() != defaultSeeds || tab.Resolved() != defaultSeeds || tab.Bounds() != Sharp || len(abapa) > 1<<20 {
		t.Errorf("%d seeds, %s, %d bytes", tab.Seeds(), tab.Bounds(), len(abapa))
	}
	seeds := 6 // more take longer to resolve
	if testenv.Long() {
		seeds = defaultSeeds
	}
	built := testkit.Must(Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: seeds, Resolve: seeds}, nil))(t)
	for n := range seeds + 1 {
		for i := range Positions(n) {
			low, high := tab.at(n, i)
			newLow, newHigh := built.at(n, i)
			if low != newLow || high != newHigh || low != high {
				t.Fatalf("%s: %d to %d, built %d to %d", PositionAt(oware.Abapa, n, i), low, high, newLow, newHigh)
			}
		}
	}
	testkit.NoError(t, tab.Close())
	if again, err := Default(oware.Abapa); err != nil || again.data == nil {
		t.Errorf("after closing one: %v", err)
	}
}

func TestSimpleToEndSharesTheTableOfSimple(t *testing.T) {
	var tables [2]*Table
	for i, r := range []oware.Rules{oware.Simple, oware.SimpleToEnd} {
		own, err := Build(t.Context(), Config{Rules: r, Bounds: Exact, Seeds: 6}, nil)
		testkit.NoError(t, err)
		tables[i] = testkit.Must(Default(r))(t)
		if tables[i].Rules() != r || !bytes.Equal(tables[i].data[:len(own.data)], own.data) {
			t.Errorf("%s: the default table, for %s, differs from a build", r, tables[i].Rules())
		}
		p, err := oware.ParseBoard(r, "0-1-0-0-2-0-1-0-0-0-1-0-21-22-S")
		testkit.NoError(t, err)
		if _, _, ok := tables[i].Probe(p); !ok {
			t.Errorf("%s: the default table does not have %s", r, p)
		}
	}
	if &tables[0].data[0] != &tables[1].data[0] {
		t.Error("the table is built twice")
	}
}
