package study

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// fitLine fits final differences of finished games to scores by least squares.
// It is false if the positions, or their games, are too few for a line.
func fitLine(list []scoredPosition, in func(scoredPosition) bool) (ScaleLine, bool) {
	var l ScaleLine
	var n, x, y, xx, xy, yy float64
	each := func(do func(s scoredPosition)) {
		for _, s := range list {
			if s.finished && in(s) {
				do(s)
			}
		}
	}
	seen := map[int]bool{}
	each(func(s scoredPosition) {
		n, x, y = n+1, x+s.score, y+s.final
		xx, xy, yy = xx+s.score*s.score, xy+s.score*s.final, yy+s.final*s.final
		seen[s.game] = true
	})
	vx, vy := xx-x*x/n, yy-y*y/n
	if len(seen) < 3 || vx <= 1e-9*xx {
		return l, false
	}
	l.Positions, l.Games = int(n), len(seen)
	l.Slope = (xy - x*y/n) / vx
	l.Level = (y - l.Slope*x) / n
	if vy > 0 {
		l.R = (xy - x*y/n) / math.Sqrt(vx*vy)
	}
	scores := newClusters(2)
	each(func(s scoredPosition) {
		rest := s.final - l.Level - l.Slope*s.score
		scores.add(s.game, rest, rest*s.score)
	})
	errs := scores.errors(mat.NewSymDense(2, []float64{n, x, x, xx}))
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
