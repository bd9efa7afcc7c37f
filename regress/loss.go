package regress

import (
	"fmt"
	"math"
	"slices"
)

// lossFunction measures the difference between a prediction u and a label y, both in points. t(x) =
// tanh(x/scale) is the winning chance of x points, from -1 to 1; (1+t)/2 is the logistic function
// of 2x/scale. All losses are in points squared and agree with ½(u-y)² near zero, so that a ridge
// has the same meaning in each.
type lossFunction int

const (
	// squares is ½(u-y)²: least squares, as in the thesis.
	squares lossFunction = iota
	// chances is ½ scale² (t(u)-t(y))²: squared error in winning chances. It is not convex: a fit
	// that starts far from the truth may end in a poor local minimum. Starting from zero weights
	// works.
	chances
	// crossEntropy is scale² times the Kullback-Leibler divergence of (1+t(u))/2 from (1+t(y))/2.
	// It is convex.
	crossEntropy
)

var lossNames = []string{"squares", "chances", "cross-entropy"}

func (l lossFunction) String() string { return lossNames[l] }

// parseLoss parses the name of a loss; "" is squares.
func parseLoss(name string) (lossFunction, error) {
	if i := slices.Index(lossNames, name); i >= 0 || name == "" {
		return lossFunction(max(i, 0)), nil
	}
	return 0, fmt.Errorf("unknown loss %q: expected one of %q", name, lossNames)
}

// at returns the loss of a prediction, its derivative, and a positive curvature: the second
// derivative or, for chances, the Gauss-Newton approximation, which omits the curvature of t
// itself.
func (l lossFunction) at(u, y, scale float64) (loss, slope, curvature float64) {
	if l == squares {
		return (u - y) * (u - y) / 2, u - y, 1
	}
	t, q := math.Tanh(u/scale), math.Tanh(y/scale)
	steep := 1 - t*t
	if l == chances {
		return scale * scale * (t - q) * (t - q) / 2, scale * (t - q) * steep, steep * steep
	}
	return scale * scale * (entropy(q, u/scale) - entropy(q, y/scale)), scale * (t - q), steep
}

// entropy returns the cross-entropy, in nats, of the chance (1+q)/2 and the logistic function of
// 2x: ln(2 cosh x) - q x.
func entropy(q, x float64) float64 {
	a := math.Abs(x)
	return a + math.Log1p(math.Exp(-2*a)) - q*x
}

// target returns the label that the loss compares with, in points.
func (l lossFunction) target(y, scale float64) float64 {
	if l == squares {
		return y
	}
	return scale * math.Tanh(y/scale)
}
