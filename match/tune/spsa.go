package tune

import (
	"math"
	"math/rand/v2"
	"slices"
)

// parameter is a number to tune.
type parameter struct {
	Option       string  `json:"option"`
	Whole        bool    `json:"whole"` // the program accepts only whole numbers
	Start        float64 `json:"start"`
	Min          float64 `json:"min"`
	Max          float64 `json:"max"`
	Perturbation float64 `json:"c_end"` // in the last iterations
	// Learning is the rate of the last iterations: each extra win moves the value by r_end·c_end.
	Learning float64 `json:"r_end"`
}

// The exponents of Spall 1998, and the stability constant that he recommends, as a share of the
// iterations.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1
)

// spsa tunes by simultaneous perturbation (Spall, "Implementation of the simultaneous perturbation
// algorithm for stochastic optimization", 1998): each iteration perturbs all parameters at once, up or
// down, plays the opposite variants against each other, and moves the values towards the winner. Perturbations
// and learning rates are scaled as in fishtest and OpenBench: the user gives those of the last iteration.
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

// chance returns the standard deviation of a random walk with the moves so far: the drift of a
// parameter that has no effect on games.
func (s *spsa) chance(parameter int) float64 { return math.Sqrt(s.variance[parameter]) }

// values returns the values after the iterations so far. Do not change them.
func (s *spsa) values() []float64 { return s.recent[len(s.recent)-1] }

// perturbation returns how far from its value a parameter is played in iteration i, from 0: Spall's c.
func (s *spsa) perturbation(p parameter, i int) float64 {
	return p.Perturbation * math.Pow(float64(s.iterations)/float64(i+1), gamma)
}

// rate returns the factor by which a parameter moves along the gradient after iteration i: Spall's a.
func (s *spsa) rate(p parameter, i int) float64 {
	last := float64(s.iterations)
	stable := stability * last
	return p.Learning * p.Perturbation * p.Perturbation * math.Pow((stable+last)/(stable+float64(i+1)), alpha)
}

// signs draws the sign of each parameter's perturbation in iteration i, +1 or -1, and a number from 0 to 1 for
// rounding whole numbers.
func (s *spsa) signs(i int) (sign, fraction []float64) {
	random := rand.New(rand.NewPCG(s.seed, uint64(i)))
	for range s.parameters {
		sign = append(sign, float64(2*random.IntN(2)-1))
		fraction = append(fraction, random.Float64())
	}
	return sign, fraction
}

// sides returns the values that play each other in iteration i, of which the s.ahead before it may not be applied yet.
// Whole numbers are rounded up with a probability equal to the fraction, on both sides by the same draw, so that
// perturbations of less than one also count.
func (s *spsa) sides(i int) (plus, minus []float64) {
	// The last of recent are the values after s.applied iterations. This one starts from those after fewer, so that
	// the result does not depend on how many are applied when it starts.
	needed := max(0, i+1-s.ahead)
	from := s.recent[len(s.recent)-1-(s.applied-needed)]
	sign, fraction := s.signs(i)
	for j, p := range s.parameters {
		c := s.perturbation(p, i)
		side := func(x float64) float64 {
			x = min(max(x, p.Min), p.Max)
			if p.Whole {
				x = math.Floor(x + fraction[j])
			}
			return min(x, p.Max)
		}
		plus = append(plus, side(from[j]+c*sign[j]))
		minus = append(minus, side(from[j]-c*sign[j]))
	}
	return plus, minus
}

// apply applies the result of the next iteration: games won minus games lost by plus.
func (s *spsa) apply(result int) {
	sign, _ := s.signs(s.applied)
	next := slices.Clone(s.values())
	for j, p := range s.parameters {
		move := s.rate(p, s.applied) / s.perturbation(p, s.applied) * float64(result)
		next[j] = min(max(next[j]+move*sign[j], p.Min), p.Max)
		s.variance[j] += move * move
	}
	s.applied++
	s.recent = append(s.recent, next)
	if len(s.recent) > s.ahead {
		s.recent = slices.Delete(s.recent, 0, len(s.recent)-s.ahead)
	}
}
