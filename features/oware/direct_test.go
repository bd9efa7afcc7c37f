package oware

import (
	"math"
	"testing"

	"kroo/features"
	"kroo/games/oware"
)

// A set without tables is evaluated by its model, rounded to centi-seeds.
func TestDirectIsTheModelRounded(t *testing.T) {
	m := randomModel(t, "store+phase+houses+pairs+triples+threats+mobility+tempo+gains+trades", 7)
	if m.Compiles() {
		t.Error("tables hold gains")
	}
	d := features.NewDirect(oware.Descriptor(), m)
	for _, p := range randomPositions(t, 2000) {
		if got, want := d.Evaluate(p), m.Exact(p)*centi; math.Abs(float64(got)-want) > 0.5+1e-6 {
			t.Fatalf("%v: %d: want %v", p, got, want)
		}
	}
}
