package sampler

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/oware"
)

func labelsOf(t *testing.T, path string) []datasets.LabelRow[oware.Position] {
	t.Helper()
	_, rows, err := datasets.Read[datasets.LabelRow[oware.Position]](oware.Descriptor(), path)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Rows of a condition get the labels of a new search, the others keep theirs, and so it is
// after a stop.
func TestLabelAgain(t *testing.T) {
	in := samplePositions(t, 150)
	dir := t.TempDir()
	label := func(in, out string, c LabelConfig[oware.Position]) {
		t.Helper()
		if _, err := Label(t.Context(), engine.Oware(), in, out, c, nil); err != nil {
			t.Fatal(err)
		}
	}
	first, deep, mixed := filepath.Join(dir, "first.parquet"), filepath.Join(dir, "deep.parquet"), filepath.Join(dir, "mixed.parquet")
	label(in, first, smallSearch)
	c := smallSearch
	c.Search.Nodes = 2000
	label(in, deep, c)
	old := labelsOf(t, first)
	depths := make([]int, len(old))
	for i, r := range old {
		depths[i] = int(r.Depth)
	}
	slices.Sort(depths)
	least := depths[len(depths)/2]
	c.Where, c.Again = fmt.Sprintf("depth<%d", least), true
	label(first, mixed, c)
	new, got := labelsOf(t, deep), labelsOf(t, mixed)
	again := 0
	for i := range got {
		want := old[i]
		if int(old[i].Depth) < least {
			want = new[i]
			again++
		}
		if !reflect.DeepEqual(got[i], want) {
			t.Errorf("row %d: %+v, want %+v", i, got[i], want)
		}
	}
	if again == 0 || again == len(got) || len(got) != len(old) {
		t.Errorf("%d of %d rows again", again, len(got))
	}
	m, err := datasets.ReadManifest(mixed)
	if err != nil || !strings.Contains(m.Meta.Note, "rows where \""+c.Where+"\" labelled again, the others by") {
		t.Errorf("note %q, error %v", m.Meta.Note, err)
	}
	// Of all rows, only those of the condition are in the output.
	c.Again, c.Where = false, "phase>30"
	part := filepath.Join(dir, "part.parquet")
	label(in, part, c)
	for _, r := range labelsOf(t, part) {
		if r.Position.SeedsInPlay() <= 30 {
			t.Errorf("%v is labelled", r.Position)
		}
	}
	c.Again, c.AllMoves = true, true
	if _, err := Label(t.Context(), engine.Oware(), first, filepath.Join(dir, "x.parquet"), c, nil); err == nil || !strings.Contains(err.Error(), "expected the same") {
		t.Errorf("error %v", err)
	}
}
