package study

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"kroo/internal/agreement"
)

// fitLine fits final differences of finished games to scores by least squares.
// It is false if the positions, or their games, are too few for a line.
func fitLine(list []scoredPosition, in func(scoredPosition) bool) (ScaleLine, bool) {
	var l ScaleLine
	var x, y []float64
	var games []int
	for _, s := range list {
		if s.finished && in(s) {
			x, y, games = append(x, s.score), append(y, s.final), append(games, s.game)
		}
	}
	l.Positions, l.Games = len(x), len(slices.Compact(slices.Sorted(slices.Values(games))))
	n, sum, squares := float64(len(x)), floats.Sum(x), floats.Dot(x, x)
	if l.Games < 3 || squares-sum*sum/n <= 1e-9*squares {
		return l, false
	}
	l.Level, l.Slope = stat.LinearRegression(x, y, nil, false)
	l.R = agreement.Correlation(x, y)
	scores := newClusters(2)
	for i, game := range games {
		rest := y[i] - l.Level - l.Slope*x[i]
		scores.add(game, rest, rest*x[i])
	}
	errs := scores.errors(mat.NewSymDense(2, []float64{n, sum, sum, squares}))
	l.LevelErr, l.SlopeErr = errs[0], errs[1]
	return l, true
}

// clusters sums the gradients of rows over each game.
type clusters struct {
	size int
	sums map[int][]float64 // by game
}

func newClusters(size int) *clusters { return &clusters{size, map[int][]float64{}} }

func (c *clusters) add(game int, gradient ...float64) {
	sum := c.sums[game]
	if sum == nil {
		sum = make([]float64, c.size)
		c.sums[game] = sum
	}
	for i, g := range gradient {
		sum[i] += g
	}
}

// errors are standard errors that allow for any dependence within a game: the
// roots of the diagonal of H⁻¹·(Σ gg')·H⁻¹ over games, times G/(G−1) for G games
// (Liang and Zeger 1986). hessian is that of the loss; NaN if it is singular.
func (c *clusters) errors(hessian *mat.SymDense) []float64 {
	middle := mat.NewSymDense(c.size, nil)
	for _, game := range slices.Sorted(maps.Keys(c.sums)) { // in order: sums of floats depend on it
		middle.SymRankOne(middle, 1, mat.NewVecDense(c.size, c.sums[game]))
	}
	errs := make([]float64, c.size)
	var inverse, half, all mat.Dense
	if err := inverse.Inverse(hessian); err != nil {
		for i := range errs {
			errs[i] = math.NaN()
		}
		return errs
	}
	half.Mul(&inverse, middle)
	all.Mul(&half, &inverse)
	n := float64(len(c.sums))
	for i := range errs {
		errs[i] = math.Sqrt(all.At(i, i) * n / (n - 1))
	}
	return errs
}
