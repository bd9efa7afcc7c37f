package tune

import (
	"math"
	"math/rand/v2"
	"slices"
)

// parameter is a number to tune.
type parameter struct {
	Option   string  `json:"option"`
	Whole    bool    `json:"whole"` // the program accepts only whole numbers
	Start    float64 `json:"start"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Step     float64 `json:"c_end"` // perturbation in the last iterations
	Learning float64 `json:"r_end"` // learning rate in the last iterations: each extra win moves the value by r_end·c_end
}

// The exponents of Spall 1998, and the stability constant that he recommends, as a share of the
// iterations.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1
)

// spsa tunes by simultaneous perturbation (Spall, "Implementation of the simultaneous perturbation
// algorithm for stochastic optimization", 1998): each iteration moves all parameters at once by a
// step up or down, plays both variants against each other, and moves towards the winner. The steps
// are scaled as in fishtest and OpenBench: the user gives those of the last iteration.
//
// Iteration i starts from the values after iteration i-ahead, so that ahead iterations can be played
// at a time, and the values depend only on their results.
type spsa struct {
	parameters []parameter
	iterations int
	ahead      int
	seed       uint64
	applied    int         // number of iterations applied
	variance   []float64   // of the values if the parameters had no effect
	recent     [][]float64 // values after the last iterations, at most ahead, oldest first
}

func newSPSA(parameters []parameter, iterations, ahead int, seed uint64) *spsa {
	start := make([]float64, len(parameters))
	for i, p := range parameters {
		start[i] = p.Start
	}
	return &spsa{
		parameters: parameters,
		iterations: iterations,
		ahead:      ahead,
		seed:       seed,
		variance:   make([]float64, len(parameters)),
		recent:     [][]float64{start},
	}
}

// chance returns the standard deviation of a random walk with the steps so far: the drift of a
// parameter that has no effect on games.
func (s *spsa) chance(parameter int) float64 { return math.Sqrt(s.variance[parameter]) }

// values returns the values after the iterations so far. Do not change them.
func (s *spsa) values() []float64 { return s.recent[len(s.recent)-1] }

// gains returns the step c of a parameter at iteration i, from 0, and the factor a by which it moves
// along the gradient.
func (s *spsa) gains(p parameter, i int) (c, a float64) {
	last := float64(s.iterations)
	stable := stability * last
	c = p.Step * math.Pow(last/float64(i+1), gamma)
	a = p.Learning * p.Step * p.Step * math.Pow((stable+last)/(stable+float64(i+1)), alpha)
	return c, a
}

// directions draws the step of each parameter in iteration i, +1 or -1, and a number from 0 to 1 for
// rounding whole numbers.
func (s *spsa) directions(i int) (delta, fraction []float64) {
	random := rand.New(rand.NewPCG(s.seed, uint64(i)))
	for range s.parameters {
		delta = append(delta, float64(2*random.IntN(2)-1))
		fraction = append(fraction, random.Float64())
	}
	return delta, fraction
}

// sides returns the values that play each other in iteration i, which must be at most ahead of those
// applied. Whole numbers are rounded up with a probability equal to the fraction, on both sides by
// the same draw, so that steps of less than one also count.
func (s *spsa) sides(i int) (plus, minus []float64) {
	from := s.recent[max(0, len(s.recent)-1-(s.applied-max(0, i+1-s.ahead)))]
	delta, fraction := s.directions(i)
	for j, p := range s.parameters {
		c, _ := s.gains(p, i)
		side := func(x float64) float64 {
			x = min(max(x, p.Min), p.Max)
			if p.Whole {
				x = math.Floor(x + fraction[j])
			}
			return min(x, p.Max)
		}
		plus, minus = append(plus, side(from[j]+c*delta[j])), append(minus, side(from[j]-c*delta[j]))
	}
	return plus, minus
}

// apply applies the result of the next iteration: games won minus games lost by plus.
func (s *spsa) apply(result int) {
	delta, _ := s.directions(s.applied)
	next := slices.Clone(s.values())
	for j, p := range s.parameters {
		c, a := s.gains(p, s.applied)
		step := a / c * float64(result)
		next[j] = min(max(next[j]+step*delta[j], p.Min), p.Max)
		s.variance[j] += step * step
	}
	s.applied++
	s.recent = append(s.recent, next)
	if len(s.recent) > s.ahead {
		s.recent = slices.Delete(s.recent, 0, len(s.recent)-s.ahead)
	}
}
