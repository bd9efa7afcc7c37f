package sparse

import (
	"fmt"
	"math"
	"slices"
)

// Loss is how the difference between a prediction u and a label y, both in
// points, is counted. t(x) = tanh(x/Scale) is the winning chance of x points,
// from -1 to 1; (1+t)/2 is the logistic function of 2x/Scale. All losses are
// in points squared and agree with ½(u-y)² near zero, so that a ridge means
// the same in each.
type Loss int

const (
	// Squares is ½(u-y)²: least squares, as the thesis has it.
	Squares Loss = iota
	// Chances is ½ Scale² (t(u)-t(y))²: squared error in winning chances. It
	// is not convex: a fit that starts far from the truth may end in another
	// minimum than the best. Starting from zero weights is fine.
	Chances
	// CrossEntropy is Scale² times the Kullback-Leibler divergence of
	// (1+t(u))/2 from (1+t(y))/2. It is convex.
	CrossEntropy
)

var lossNames = []string{"squares", "chances", "cross-entropy"}

// Losses are the names of the losses.
func Losses() []string { return lossNames }

// String is the name that [ParseLoss] reads.
func (l Loss) String() string {
	if l < 0 || int(l) >= len(lossNames) {
		return fmt.Sprintf("Loss(%d)", int(l))
	}
	return lossNames[l]
}

// ParseLoss reads squares, chances or cross-entropy.
func ParseLoss(name string) (Loss, error) {
	if i := slices.Index(lossNames, name); i >= 0 {
		return Loss(i), nil
	}
	return 0, fmt.Errorf("unknown loss %q: expected one of %q", name, lossNames)
}

// at gives the loss of a prediction, its derivative, and a positive curvature:
// the second derivative, but for Chances that of Gauss and Newton, who leave
// out the curvature of t itself.
func (l Loss) at(u, y, scale float64) (loss, slope, curvature float64) {
	if l == Squares {
		return (u - y) * (u - y) / 2, u - y, 1
	}
	t, q := math.Tanh(u/scale), math.Tanh(y/scale)
	steep := 1 - t*t
	if l == Chances {
		return scale * scale * (t - q) * (t - q) / 2, scale * (t - q) * steep, steep * steep
	}
	return scale * scale * (entropy(q, u/scale) - entropy(q, y/scale)), scale * (t - q), steep
}

// entropy is the cross-entropy, in nats, of the chance (1+q)/2 and the
// logistic function of 2x: ln(2 cosh x) - q x.
func entropy(q, x float64) float64 {
	a := math.Abs(x)
	return a + math.Log1p(math.Exp(-2*a)) - q*x
}

// target is the label as the loss sees it, in points.
func (l Loss) target(y, scale float64) float64 {
	if l == Squares {
		return y
	}
	return scale * math.Tanh(y/scale)
}
