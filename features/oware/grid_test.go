package oware

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// On the grid, entries of pattern tables in a file are exact: only stores and houses are rounded.
func TestEntriesOfWeightsOnTheGridAreExact(t *testing.T) {
	m := randomModel(t, "storephase+houses+pairs/2+triples+quads/2+sixes", 3)
	before := append([]float64(nil), m.Weights...)
	m.Set.(*Set).ToGrid(m.Weights)
	for i, w := range m.Weights {
		if d := math.Abs(float64(w - before[i])); d > gridUnit*0.501 {
			t.Fatalf("column %d (%s): %v became %v", i, m.Set.ColumnName(i), before[i], w)
		}
	}
	c := compilationOf(t, m)
	if places := smallPlaces - c.shift; places != maxPlaces {
		t.Fatalf("%d binary places: want %d, as the weights are small", places, maxPlaces)
	}
	const most = 13*0.5/(1<<smallPlaces) + 1e-3 // float32 of points
	for _, p := range randomPositions(t, 2000) {
		if d := math.Abs(c.fineValue(p) - m.Exact(p)*centi); d > most {
			t.Fatalf("%v: %v centi-seeds off: want at most %v", p, d, most)
		}
	}
}

// fineValue is the value by the file's tables, not rounded.
func (c compilation) fineValue(p oware.Position) float64 {
	stage := c.stageAt(p)
	sum := int(c.stores[p.Store()<<6|p.OpponentStore()].value)
	for h, n := range seedsOf(p) {
		sum += int(c.house(stage, h, int(n)))
	}
	b := bucketsOf(p)
	for pair, six := range sixes() {
		sum += int(c.fine[stage][pair][six.column(&b)]) << c.shift
	}
	return float64(sum) / (1 << smallPlaces)
}

// Weights of few houses compress: most differences of the tables are zero.
func TestCompiledFilesOfWeightsOnTheGridAreSmall(t *testing.T) {
	size := func(m *Model) int {
		path := filepath.Join(t.TempDir(), "m.weights")
		testkit.NoError(t, save(compilationOf(t, m), path))
		f := testkit.Must(os.Stat(path))(t)
		return int(f.Size())
	}
	m := randomModel(t, "houses+pairs+triples", 3)
	off := size(m)
	m.Set.(*Set).ToGrid(m.Weights)
	if on := size(m); on*4 > off {
		t.Errorf("%d bytes on the grid, %d off it: want at most a quarter", on, off)
	}
}
