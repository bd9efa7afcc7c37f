package tune

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// quadratic plays games whose odds follow from how far the values are from the best.
type quadratic struct {
	best, width []float64
	random      *rand.Rand
}

func (q quadratic) strength(x []float64) (s float64) {
	for i := range x {
		d := (x[i] - q.best[i]) / q.width[i]
		s -= d * d
	}
	return s
}

// pair is games won less games lost by a, of two.
func (q quadratic) pair(a, b []float64) (result int) {
	odds := 1 / (1 + math.Exp(q.strength(b)-q.strength(a)))
	for range 2 {
		switch r := q.random.Float64(); {
		case r < odds-0.1:
			result++
		case r > odds+0.1:
			result--
		}
	}
	return result
}

var hill = []parameter{
	{Option: "whole", Whole: true, Start: 100, Min: 0, Max: 1000, Step: 20, Learning: 0.02},
	{Option: "fraction", Start: 0.9, Min: 0, Max: 1, Step: 0.05, Learning: 0.02},
	{Option: "coarse", Whole: true, Start: 9, Min: 1, Max: 12, Step: 0.8, Learning: 0.02},
	{Option: "at its end", Whole: true, Start: 30, Min: 0, Max: 60, Step: 4, Learning: 0.02},
}

func newHill(seed uint64) quadratic {
	return quadratic{best: []float64{300, 0.3, 4, 80}, width: []float64{80, 0.2, 3, 20}, random: rand.New(rand.NewPCG(seed, 1))}
}

// Values without effect on games end as far from their start as chance predicts, normally
// distributed: two thirds within one standard deviation.
func TestChanceIsHowFarUnfeltValuesWander(t *testing.T) {
	t.Parallel()
	wide := []parameter{{Option: "unfelt", Start: 0, Min: -1e6, Max: 1e6, Step: 20, Learning: 0.02}}
	random := rand.New(rand.NewPCG(7, 7))
	const tunings = 400
	square, within := 0.0, 0
	for seed := range uint64(tunings) {
		s := newSPSA(wide, 200, 8, seed)
		for range 200 {
			s.apply(random.IntN(5) - 2)
		}
		z := s.values()[0] / s.chance(0)
		square += z * z
		if math.Abs(z) < 1 {
			within++
		}
	}
	if rms := math.Sqrt(square / tunings); math.Abs(rms-1) > 0.12 || within < 240 || within > 306 {
		t.Errorf("root mean square %.2f of what chance says, %d of %d within: want 1 and some 273", rms, within, tunings)
	}
}

func TestSPSAClimbsANoisyHill(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		for _, ahead := range []int{1, 16} {
			q := newHill(seed)
			const iterations = 20_000
			s := newSPSA(hill, iterations, ahead, seed)
			for i := range iterations {
				s.apply(q.pair(s.sides(i)))
			}
			want := []float64{300, 0.3, 4, 60} // the last cannot reach its best
			for j, p := range hill {
				if off := math.Abs(s.values()[j] - want[j]); off > 2*p.Step {
					t.Errorf("seed %d, %d ahead: %s %.3g: want %g", seed, ahead, p.Option, s.values()[j], want[j])
				}
			}
		}
	}
}

// The last iteration has the steps that the user sets, and the gains decrease by Spall's formula.
func TestGainsAreThoseOfFishtest(t *testing.T) {
	t.Parallel()
	s := newSPSA(hill, 1000, 1, 1)
	p := hill[0]
	c, a := s.gains(p, 999)
	if c != 20 || math.Abs(a-0.02*20*20) > 1e-9 {
		t.Errorf("the last gains are %g and %g", c, a)
	}
	c, a = s.gains(p, 0)
	if want := 20 * math.Pow(1000, 0.101); math.Abs(c-want) > 1e-9 {
		t.Errorf("the first step is %g: want %g", c, want)
	}
	if want := 8 * math.Pow(1100./101, 0.602); math.Abs(a-want) > 1e-9 {
		t.Errorf("the first gain is %g: want %g", a, want)
	}
}

func TestSidesStayInRangeAndWhole(t *testing.T) {
	t.Parallel()
	s := newSPSA([]parameter{
		{Whole: true, Start: 1, Min: 0, Max: 3, Step: 5, Learning: 1},
		{Start: 0.5, Min: 0.25, Max: 0.75, Step: 0.1, Learning: 1},
		{Whole: true, Start: 50, Min: 0, Max: 100, Step: 0.25, Learning: 1e-9},
	}, 1000, 1, 7)
	var sum float64
	for i := range 1000 {
		plus, minus := s.sides(i)
		for j, p := range s.parameters {
			for _, x := range []float64{plus[j], minus[j]} {
				if x < p.Min || x > p.Max || p.Whole && x != math.Trunc(x) {
					t.Fatalf("iteration %d plays %g of %+v", i, x, p)
				}
			}
		}
		sum += math.Abs(plus[2] - minus[2])
		s.apply(i%5 - 2)
	}
	// The step falls from 0.25·1000^0.101 to 0.25: its mean is 0.278.
	if mean := sum / 1000; math.Abs(mean-2*0.278) > 0.05 {
		t.Errorf("whole sides are %.3f apart: want twice the step", mean)
	}
}

// The values that an iteration plays with do not depend on how many more are applied.
func TestIterationsAheadUseOnlyEarlierResults(t *testing.T) {
	t.Parallel()
	const ahead, iterations = 4, 100
	early, late := newSPSA(hill, iterations, ahead, 3), newSPSA(hill, iterations, ahead, 3)
	result := func(i int) int { return i*7%5 - 2 }
	for i := range iterations {
		if i >= ahead { // as late as may be
			late.apply(result(i - ahead))
		}
		a, _ := late.sides(i)
		b, _ := early.sides(i)
		if !slices.Equal(a, b) {
			t.Fatalf("iteration %d: %v applied late, %v at once", i, a, b)
		}
		early.apply(result(i))
	}
}
