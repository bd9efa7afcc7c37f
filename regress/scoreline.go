package regress

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"kroo/internal/agreement"
)

// fitLine fits final differences of finished games to scores by least squares.
// It is false if the positions, or their games, are too few for a line.
func fitLine(list []scoredPosition, in func(scoredPosition) bool) (ScoreLine, bool) {
	var l ScoreLine
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
	scores := agreement.NewClusters(2)
	for i, game := range games {
		rest := y[i] - l.Level - l.Slope*x[i]
		scores.Add(uint64(game), rest, rest*x[i])
	}
	errs := clusteredErrors(scores, mat.NewSymDense(2, []float64{n, sum, sum, squares}))
	l.LevelErr, l.SlopeErr = errs[0], errs[1]
	return l, true
}

// clusteredErrors are those of estimates whose loss has these second derivatives, NaN if they
// are singular.
func clusteredErrors(gradients *agreement.Clusters, hessian *mat.SymDense) []float64 {
	var inverse mat.Dense
	if err := inverse.Inverse(hessian); err != nil {
		return slices.Repeat([]float64{math.NaN()}, hessian.SymmetricDim())
	}
	return gradients.Errors(&inverse)
}
