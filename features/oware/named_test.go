package oware

import (
	"math"
	"testing"

	"kroo/internal/testkit"
)

// The same functions as antisymmetric sets of the thesis, with the weights as printed in their
// sources.
func TestNamedModelsAreThePublishedFunctions(t *testing.T) {
	for _, c := range []struct {
		name, set string
		points    []float64 // nil: those of the thesis
	}{
		{"captures", "captures", []float64{1000.0 / 24}},
		{"thesis4", "thesis4", nil},
		{"thesis12", "thesis", nil},
		{"quick4", "thesis4", []float64{42.9346, -24.3760, -51.6367, 33.2531}},
	} {
		exact, _ := Published(c.set)
		if c.points != nil {
			set := testkit.Must(Sets.ByName(c.set))(t)
			exact = bound(t, "abapa", set.Info, set.Names(), c.points)
		}
		m, ok := Named(c.name)
		if !ok || m.Check() != nil || m.CheckRules("abapa") != nil || m.CheckRules("awari") == nil || m.Provenance.Source == "" {
			t.Fatalf("%s: %v", c.name, ok)
		}
		for _, p := range randomPositions(t, 1000) {
			if a, b := m.Exact(p), exact.Exact(p); math.Abs(a-b) > 1e-4 {
				t.Fatalf("%s %v: %v points: want %v", c.name, p, a, b)
			}
			if a, b := m.Exact(p), m.Exact(p.Swap()); math.Abs(a+b) > 1e-9 {
				t.Fatalf("%s %v: %v points, with the other side to move %v", c.name, p, a, b)
			}
		}
	}
	if _, ok := Named("champion"); ok || len(publishedModels) != 4 {
		t.Errorf("%d published functions, a champion among them: %t", len(publishedModels), ok)
	}
}
