package features

import (
	"math"
	"math/rand/v2"
	"testing"

	"kroo/games/oware"
)

// published are the weights of Sala Soler 2014, full fit.
func published(t testing.TB) *Weights {
	t.Helper()
	s, err := ByName("thesis")
	if err != nil {
		t.Fatal(err)
	}
	w, err := New("abapa", s, s.Names(),
		[]float64{36.65, -19.09, -18.08, -47.37, -3.33, 6.80, -20.55, -4.76, 12.13, 17.66, 20.70, 18.92})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// weightings are the published weights, random ones of every set and the
// largest allowed.
func weightings(t testing.TB) []*Weights {
	rng := rand.New(rand.NewPCG(3, 4))
	all := []*Weights{published(t)}
	for _, s := range sets {
		random, largest := make([]float64, s.Len()), make([]float64, s.Len())
		for i := range random {
			random[i] = 100 * rng.NormFloat64()
			largest[i] = math.Copysign(MaxWeight, rng.Float64()-0.5)
		}
		for _, points := range [][]float64{random, largest} {
			w, err := New("awari", s, s.Names(), points)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, w)
		}
	}
	s := sets[0]
	some, err := New("abapa", s, []string{">12", "captures"}, []float64{40.51, 36.58})
	if err != nil {
		t.Fatal(err)
	}
	return append(all, some)
}

func TestEvaluateIsTheFittedFunctionWithinRounding(t *testing.T) {
	if MaxRounding > 0.53 {
		t.Fatalf("MaxRounding %v: want at most 0.53", MaxRounding)
	}
	ps := randomPositions(t, 20000)
	for _, w := range weightings(t) {
		e, err := NewEvaluator(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			exact := w.Exact(p) * 24 / 10
			if got := e.Evaluate(p); !(math.Abs(float64(got)-exact) <= MaxRounding) {
				t.Fatalf("%s %v: %d centi-seeds, exactly %v", w.Set, p, got, exact)
			}
		}
	}
}

func TestEvaluateIsAntisymmetric(t *testing.T) {
	ps := randomPositions(t, 20000)
	for _, w := range weightings(t) {
		e, err := NewEvaluator(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			if a, b := e.Evaluate(p), e.Evaluate(p.Swap()); a != -b {
				t.Fatalf("%s %v: %d, with the other player to move %d", w.Set, p, a, b)
			}
		}
	}
}

func TestCapturesOfOneSeedWeightAreTheSeedDifference(t *testing.T) {
	s, _ := ByName("captures")
	w, err := New("abapa", s, s.Names(), []float64{1000.0 / 24})
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEvaluator(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range randomPositions(t, 1000) {
		if got, want := e.Evaluate(p), 100*(p.Store()-p.OpponentStore()); got != want {
			t.Fatalf("%v: %d: want %d", p, got, want)
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e, err := NewEvaluator(published(t))
	if err != nil {
		t.Fatal(err)
	}
	p, sum := oware.Start(oware.Abapa), 0
	if n := testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if sum != 0 {
		t.Errorf("the start is worth %d: want 0", sum)
	}
}

func TestNewEvaluatorRefusesWhatLoadingRefuses(t *testing.T) {
	w := published(t)
	w.Points[3] = math.NaN()
	if _, err := NewEvaluator(w); err == nil {
		t.Error("accepts a weight that is not a number")
	}
	if _, err := NewEvaluator(new(Weights)); err == nil {
		t.Error("accepts empty weights")
	}
}

func BenchmarkEvaluate(b *testing.B) {
	e, err := NewEvaluator(published(b))
	if err != nil {
		b.Fatal(err)
	}
	ps := randomPositions(b, 1024-16)
	var sum int
	for i := 0; b.Loop(); i++ {
		sum += e.Evaluate(ps[i&1023])
	}
	sink = sum
}

func BenchmarkExact(b *testing.B) {
	w := published(b)
	ps := randomPositions(b, 1024-16)
	var sum float64
	for i := 0; b.Loop(); i++ {
		sum += w.Exact(ps[i&1023])
	}
	sink = int(sum)
}

var sink int
