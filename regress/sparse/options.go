package sparse

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/internal/parallel"
)

// Options of a fit. The zero value is least squares without a ridge. The caller checks their
// ranges.
type Options struct {
	Loss Loss
	// Scale of winning chances in points, see [Loss]. Squares ignores it.
	Scale float64
	// Ridge λ of columns outside all groups: ½λw² is added to the loss, as if λ more rows had label
	// 0 and a one in that column only. Zero or more.
	Ridge float64
	// Groups are families of columns with their own ridges. If two contain a column, the later one
	// counts.
	Groups []Group
	// Rounds limits the outer steps, each of which computes the curvature again; 0 means 30. Most
	// fits reach the tolerance far earlier.
	Rounds int
	// Steps limits the conjugate-gradient steps per round; 0 means 100. Each is a pass over the
	// rows.
	Steps int
	// Tolerance ends the fit: the norm of the gradient, each column divided by the root of its
	// curvature, relative to that of the labels. 0 means 1e-3: on 60 000 synthetic boards with 130
	// 000 weights the loss is then within 5e-6 of its minimum after 181 steps; 1e-4 takes twice as
	// many.
	Tolerance float64
	// Prior is where penalties pull the weights to and where the fit starts; nil means 0.
	Prior *Prior
	// Resume continues a stopped fit of the same rows with the same options. The result has the
	// same bits as an uninterrupted fit.
	Resume *State
	// Checkpoint, if not nil, is called after every step. Its argument returns a State from which a
	// later fit can resume if the program is killed.
	Checkpoint func(state func() *State)
	// Trials, if not nil, are the trials of a stopped ChooseRidge, which are not repeated.
	// TrialMade, if not nil, is called after each trial; its argument returns the Trials so far.
	Trials    *Trials
	TrialMade func(state func() *Trials)
	// Clamp limits predictions to ±Clamp points in the statistics; 0 means no limit.
	Clamp float64
	// Progress is called with the steps done and an estimate of the total. May be nil.
	Progress parallel.Progress
}

// Group is a family of columns with one ridge.
type Group struct {
	Name     string
	From, To int // columns From ≤ j < To
	Ridge    float64
}

// withDefaults replaces zeros by defaults.
func (o Options) withDefaults() Options {
	o.Rounds, o.Steps, o.Tolerance = cmp.Or(o.Rounds, 30), cmp.Or(o.Steps, 100), cmp.Or(o.Tolerance, 1e-3)
	return o
}

// hash covers everything that the bits of a fit depend on, except the number of rounds, which may
// grow.
func (o Options) hash(h uint64) uint64 {
	for _, v := range []float64{o.Scale, o.Ridge, o.Tolerance, o.Clamp} {
		h = mix(h, math.Float64bits(v))
	}
	h = mix(mix(h, uint64(o.Loss)), uint64(o.Steps))
	for _, g := range o.Groups {
		h = mix(mix(mix(h, uint64(g.From)), uint64(g.To)), math.Float64bits(g.Ridge))
	}
	return o.Prior.hash(h)
}

// Loss measures the difference between a prediction u and a label y, both in points. t(x) =
// tanh(x/Scale) is the winning chance of x points, from -1 to 1; (1+t)/2 is the logistic function
// of 2x/Scale. All losses are in points squared and agree with ½(u-y)² near zero, so that a ridge
// has the same meaning in each.
type Loss int

const (
	// Squares is ½(u-y)²: least squares, as in the thesis.
	Squares Loss = iota
	// Chances is ½ Scale² (t(u)-t(y))²: squared error in winning chances. It is not convex: a fit
	// that starts far from the truth may end in a poor local minimum. Starting from zero weights
	// works.
	Chances
	// CrossEntropy is Scale² times the Kullback-Leibler divergence of
	// (1+t(u))/2 from (1+t(y))/2. It is convex.
	CrossEntropy
)

var lossNames = []string{"squares", "chances", "cross-entropy"}

// String returns the name that [ParseLoss] accepts.
func (l Loss) String() string {
	if l < 0 || int(l) >= len(lossNames) {
		return fmt.Sprintf("Loss(%d)", int(l))
	}
	return lossNames[l]
}

// ParseLoss parses squares, chances or cross-entropy.
func ParseLoss(name string) (Loss, error) {
	if i := slices.Index(lossNames, name); i >= 0 {
		return Loss(i), nil
	}
	return 0, fmt.Errorf("unknown loss %q: expected one of %q", name, lossNames)
}

// at returns the loss of a prediction, its derivative, and a positive curvature: the second
// derivative or, for Chances, the Gauss-Newton approximation, which omits the curvature of t
// itself.
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

// entropy returns the cross-entropy, in nats, of the chance (1+q)/2 and the logistic function of
// 2x: ln(2 cosh x) - q x.
func entropy(q, x float64) float64 {
	a := math.Abs(x)
	return a + math.Log1p(math.Exp(-2*a)) - q*x
}

// target returns the label that the loss compares with, in points.
func (l Loss) target(y, scale float64) float64 {
	if l == Squares {
		return y
	}
	return scale * math.Tanh(y/scale)
}
