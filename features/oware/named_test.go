package oware

import (
	"math"
	"testing"

	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// The same functions by the antisymmetric sets of the thesis, with the weights
// as their sources print them.
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
		set, err := thesis.ByName(c.set)
		testkit.NoError(t, err)
		want, _ := thesis.Published(c.set)
		if c.points != nil {
			want, err = features.New("oware", "abapa", set.Info, set.Names(), c.points)
		}
		if err != nil || want == nil {
			t.Fatalf("%s: weights %v, error %v", c.name, want, err)
		}
		m, ok := Named(c.name)
		if !ok || m.check() != nil || m.CheckRules(oware.Abapa) != nil || m.CheckRules(oware.Awari) == nil || m.Provenance.Source == "" {
			t.Fatalf("%s: %v", c.name, ok)
		}
		for _, p := range randomPositions(t, 1000) {
			if a, b := m.Exact(p), set.Exact(want, p); math.Abs(a-b) > 1e-4 {
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
