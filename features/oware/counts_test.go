package oware

import (
	"math"
	"math/rand/v2"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// fullFit is the weights of the full fit.
func fullFit() *Model { return publishedModels[2].counts() }

func TestOnlyTheSetsOfTheThesisHavePublishedWeights(t *testing.T) {
	m, ok := Published("thesis4")
	if w := m.Named; !ok || w.Rules != "abapa" || w.Features[3] != ">12" || w.Points[3] != 40.51 {
		t.Errorf("weights %+v", m.Named)
	}
	if _, ok := Published("wide"); ok {
		t.Error("the set wide is not of the thesis")
	}
}

// bound is a model of some features of a set.
func bound(t testing.TB, rules string, s features.Info, names []string, points []float64) *Model {
	t.Helper()
	w := testkit.Must(features.New("oware", rules, s, names, points))(t)
	return testkit.Must(Sets.Model(w))(t)
}

// weightings are the published weights, random ones of every set and the
// largest allowed.
func weightings(t testing.TB) []*Model {
	rng := rand.New(rand.NewPCG(3, 4))
	all := []*Model{fullFit()}
	for _, s := range Sets.All {
		random, largest := make([]float64, s.Len()), make([]float64, s.Len())
		for i := range random {
			random[i] = 100 * rng.NormFloat64()
			largest[i] = math.Copysign(features.MaxWeight, rng.Float64()-0.5)
		}
		for _, points := range [][]float64{random, largest} {
			w := bound(t, "awari", s.Info, s.Names(), points)
			all = append(all, w)
		}
	}
	s := Sets.All[0]
	some := bound(t, "abapa", s.Info, []string{">12", "captures"}, []float64{40.51, 36.58})
	return append(all, some)
}

func TestCountsIsTheFittedFunctionWithinRoundingAndAntisymmetric(t *testing.T) {
	if maxRounding > 0.53 {
		t.Fatalf("maxRounding %v: want at most 0.53", maxRounding)
	}
	ps := randomPositions(t, 10000)
	for _, w := range weightings(t) {
		e := NewCounts(w)
		for _, p := range ps {
			exact, got := w.Exact(p)*24/10, e.Evaluate(p)
			if !(math.Abs(float64(got)-exact) <= maxRounding) {
				t.Fatalf("%s %v: %d centi-seeds, exactly %v", w.Set, p, got, exact)
			}
			if other := e.Evaluate(p.Swap()); got != -other {
				t.Fatalf("%s %v: %d, with the other player to move %d", w.Set, p, got, other)
			}
		}
	}
}

func TestCountsAllocatesNothing(t *testing.T) {
	e := NewCounts(fullFit())
	p, sum := oware.Start(oware.Abapa), 0
	testkit.Equal(t, testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) }), 0, "testing.AllocsPerRun")
	testkit.Equal(t, sum, 0, "the start is worth")
}
