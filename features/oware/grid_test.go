package oware

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// On the grid the entries of pattern tables are exact: what is left is the rounding of
// stores, houses and the value.
func TestEntriesOfWeightsOnTheGridAreExact(t *testing.T) {
	m := randomModel(t, "storephase+houses+pairs/2+triples+quads/2+sixes", 3)
	before := append([]float32(nil), m.Weights...)
	m.Set.ToGrid(m.Weights)
	for i, w := range m.Weights {
		if d := math.Abs(float64(w - before[i])); d > gridUnit*0.501 {
			t.Fatalf("column %d (%s): %v became %v", i, m.Set.ColumnName(i), before[i], w)
		}
	}
	e := compiled(t, m)
	if e.places() != maxPlaces {
		t.Fatalf("%d binary places: want %d, as the weights are small", e.places(), maxPlaces)
	}
	const most = 0.5 + 13*0.5/(1<<smallPlaces) + 1e-3 // float32 of points
	for _, p := range randomPositions(t, 2000) {
		if d := math.Abs(float64(e.Evaluate(p)) - m.Exact(p)*centi); d > most {
			t.Fatalf("%v: %v centi-seeds off: want at most %v", p, d, most)
		}
	}
}

// Weights of few houses compress: most differences of the tables are zero.
func TestCompiledFilesOfWeightsOnTheGridAreSmall(t *testing.T) {
	size := func(m *Model) int {
		path := filepath.Join(t.TempDir(), "m.weights")
		if err := compiled(t, m).Save(path); err != nil {
			t.Fatal(err)
		}
		f, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return int(f.Size())
	}
	m := randomModel(t, "houses+pairs+triples", 3)
	off := size(m)
	m.Set.ToGrid(m.Weights)
	if on := size(m); on*4 > off {
		t.Errorf("%d bytes on the grid, %d off it: want at most a quarter", on, off)
	}
}
