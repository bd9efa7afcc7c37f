package thesis

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// published are the weights of the full fit.
func published() *features.Weights {
	w, _ := Published("thesis")
	return w
}

func TestOnlyTheSetsOfTheThesisHavePublishedWeights(t *testing.T) {
	w, ok := Published("thesis4")
	if !ok || w.Rules != "abapa" || w.Features[3] != ">12" || w.Points[3] != 40.51 {
		t.Errorf("weights %+v", w)
	}
	if _, ok := Published("wide"); ok {
		t.Error("the set wide is not of the thesis")
	}
}

// exact is the fitted function.
func exact(t testing.TB, w *features.Weights, p oware.Position) float64 {
	s := testkit.Must(Sets.Check(w))(t)
	return s.Exact(w, p)
}

// weightings are the published weights, random ones of every set and the
// largest allowed.
func weightings(t testing.TB) []*features.Weights {
	rng := rand.New(rand.NewPCG(3, 4))
	all := []*features.Weights{published()}
	for _, s := range Sets.All {
		random, largest := make([]float64, s.Len()), make([]float64, s.Len())
		for i := range random {
			random[i] = 100 * rng.NormFloat64()
			largest[i] = math.Copysign(features.MaxWeight, rng.Float64()-0.5)
		}
		for _, points := range [][]float64{random, largest} {
			w := testkit.Must(features.New("oware", "awari", s.Info, s.Names(), points))(t)
			all = append(all, w)
		}
	}
	s := Sets.All[0]
	some := testkit.Must(features.New("oware", "abapa", s.Info, []string{">12", "captures"}, []float64{40.51, 36.58}))(t)
	return append(all, some)
}

func TestEvaluateIsTheFittedFunctionWithinRounding(t *testing.T) {
	if maxRounding > 0.53 {
		t.Fatalf("MaxRounding %v: want at most 0.53", maxRounding)
	}
	ps := randomPositions(t, 20000)
	for _, w := range weightings(t) {
		e := testkit.Must(NewEvaluator(w))(t)
		for _, p := range ps {
			exact := exact(t, w, p) * 24 / 10
			if got := e.Evaluate(p); !(math.Abs(float64(got)-exact) <= maxRounding) {
				t.Fatalf("%s %v: %d centi-seeds, exactly %v", w.Set, p, got, exact)
			}
		}
	}
}

func TestEvaluateIsAntisymmetric(t *testing.T) {
	ps := randomPositions(t, 20000)
	for _, w := range weightings(t) {
		e := testkit.Must(NewEvaluator(w))(t)
		for _, p := range ps {
			if a, b := e.Evaluate(p), e.Evaluate(p.Swap()); a != -b {
				t.Fatalf("%s %v: %d, with the other player to move %d", w.Set, p, a, b)
			}
		}
	}
}

func TestCapturesOfOneSeedWeightAreTheSeedDifference(t *testing.T) {
	s, _ := ByName("captures")
	w := testkit.Must(features.New("oware", "abapa", s.Info, s.Names(), []float64{1000.0 / 24}))(t)
	e := testkit.Must(NewEvaluator(w))(t)
	for _, p := range randomPositions(t, 1000) {
		if got, want := e.Evaluate(p), 100*(p.Store()-p.OpponentStore()); got != want {
			t.Fatalf("%v: %d: want %d", p, got, want)
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e := testkit.Must(NewEvaluator(published()))(t)
	p, sum := oware.Start(oware.Abapa), 0
	testkit.Equal(t, testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) }), 0, "testing.AllocsPerRun")
	testkit.Equal(t, sum, 0, "the start is worth")
}

func TestNewEvaluatorRefusesWhatLoadingRefuses(t *testing.T) {
	w := published()
	w.Points[3] = math.NaN()
	if _, err := NewEvaluator(w); err == nil {
		t.Error("accepts a weight that is not a number")
	}
	if _, err := NewEvaluator(new(features.Weights)); err == nil {
		t.Error("accepts empty weights")
	}
}

func BenchmarkEvaluate(b *testing.B) {
	e := testkit.Must(NewEvaluator(published()))(b)
	ps := randomPositions(b, 1024-16)
	var sum int
	for i := 0; b.Loop(); i++ {
		sum += e.Evaluate(ps[i&1023])
	}
	sink = sum
}

func BenchmarkExact(b *testing.B) {
	w := published()
	ps := randomPositions(b, 1024-16)
	var sum float64
	for i := 0; b.Loop(); i++ {
		sum += exact(b, w, ps[i&1023])
	}
	sink = int(sum)
}

var sink int

func FuzzWeights(f *testing.F) {
	for _, w := range weightings(f)[:3] {
		path := filepath.Join(f.TempDir(), "w.json")
		testkit.NoError(f, w.Save(path))
		data := testkit.Read(f, path)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := Sets.Parse(data, "w.json")
		if err != nil {
			return
		}
		e := testkit.Must(NewEvaluator(w))(t)
		p := position(t, [12]int{0, 13, 2, 3, 1, 0, 9, 1, 0, 0, 4, 8}, [2]int{4, 3})
		if diff := math.Abs(float64(e.Evaluate(p)) - exact(t, w, p)*24/10); !(diff <= maxRounding) {
			t.Errorf("the evaluator is %v centi-seeds off", diff)
		}
	})
}
