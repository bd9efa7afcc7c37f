package sparse

import (
	"cmp"
	"fmt"
	"math"

	"kroo/internal/parallel"
)

// Options of a fit. The zero value is least squares without a ridge.
type Options struct {
	Loss Loss
	// Scale of winning chances in points, see [Loss]. Squares has none.
	Scale float64
	// Ridge λ of columns in no group: ½λw² is added to the loss, as if λ more
	// rows had said that the weight is 0. Zero or more.
	Ridge float64
	// Groups are families of columns with ridges of their own; of two that
	// hold a column the later counts.
	Groups []Group
	// Rounds is how often the curvature is computed again (outer steps); 0 is
	// 30. Rounds end when the tolerance is reached, far earlier as a rule.
	Rounds int
	// Steps is the largest number of conjugate-gradient steps a round; 0 is
	// 100. Each is a pass over the rows.
	Steps int
	// Tolerance ends the fit: the length of the gradient, each column divided
	// by the root of its curvature, relative to that of the labels. 0 is 1e-3:
	// on 60 000 made-up boards with 130 000 weights the loss is then within
	// 5e-6 of its minimum after 181 steps, and 1e-4 takes twice as many.
	Tolerance float64
	// Start is the weights to start from, one a column; nil is all zero. A
	// merged column's is not used.
	Start []float64
	// Prior pulls weights to others than 0; nil does not. Start defaults to it.
	Prior *Prior
	// Resume continues where a fit of the same rows with the same options was
	// stopped, to the same bits as if it had not been. Start is not used then.
	Resume *State
	// Checkpoint, if not nil, is called after every step. Its argument makes a State,
	// from which a later fit can continue if the program is killed.
	Checkpoint func(state func() *State)
	// Trials, if not nil, are those that a ChooseRidge which was stopped has made: it
	// does not make them again. TrialMade, if not nil, is called after each trial; its
	// argument makes the Trials so far.
	Trials    *Trials
	TrialMade func(state func() *Trials)
	// Clamp limits predictions to ±Clamp points in the statistics; 0 does not.
	Clamp float64
	// Progress is called with the steps done and an estimate of all. May be nil.
	Progress parallel.Progress
}

// Group is a family of columns with one ridge.
type Group struct {
	Name     string
	From, To int // columns From ≤ j < To
	Ridge    float64
}

// defaultTolerance is what a Tolerance of 0 represents.
const defaultTolerance = 1e-3

const (
	defaultRounds = 30
	defaultSteps  = 100
	maxGroups     = 255
)

// withDefaults checks the options and fills in what was left out.
func (o Options) withDefaults(columns int) (Options, error) {
	bad := func(format string, a ...any) (Options, error) {
		return o, fmt.Errorf("cannot fit: "+format, a...)
	}
	if o.Loss < 0 || int(o.Loss) >= len(lossNames) {
		return bad("%v: expected one of %q", o.Loss, lossNames)
	}
	if o.Loss != Squares && !(o.Scale > 0 && o.Scale <= largest) {
		return bad("scale is %g points: expected more than 0, some hundred", o.Scale)
	}
	if !(o.Tolerance >= 0 && o.Tolerance < 1) || o.Rounds < 0 || o.Steps < 0 || !(o.Clamp >= 0) {
		return bad("tolerance %g, %d rounds of %d steps, clamp %g: expected zero or more, tolerance below 1", o.Tolerance, o.Rounds, o.Steps, o.Clamp)
	}
	if !goodRidge(o.Ridge) {
		return bad("ridge is %g: expected 0 to %g", o.Ridge, largest)
	}
	if len(o.Groups) > maxGroups {
		return bad("%d groups: expected at most %d", len(o.Groups), maxGroups)
	}
	for _, g := range o.Groups {
		if g.From < 0 || g.To > columns || g.From > g.To || !goodRidge(g.Ridge) {
			return bad("group %q of columns %d to %d has ridge %g: expected columns 0 to %d and a ridge of 0 to %g", g.Name, g.From, g.To, g.Ridge, columns, largest)
		}
	}
	if o.Start != nil && len(o.Start) != columns {
		return bad("%d weights to start from for %d columns: expected as many", len(o.Start), columns)
	}
	for j, w := range o.Start {
		if !(math.Abs(w) <= largest) {
			return bad("weight %d to start from is %g: expected -%g to %g", j, w, largest, largest)
		}
	}
	if err := o.Prior.check(columns); err != nil {
		return o, err
	}
	o.Rounds, o.Steps, o.Tolerance = cmp.Or(o.Rounds, defaultRounds), cmp.Or(o.Steps, defaultSteps), cmp.Or(o.Tolerance, defaultTolerance)
	return o, nil
}

func goodRidge(r float64) bool { return r >= 0 && r <= largest }

// hash of everything that the bits of a fit depend on, but for the number of
// rounds, which may grow.
func (o Options) hash(h uint64) uint64 {
	for _, v := range []float64{o.Scale, o.Ridge, o.Tolerance, o.Clamp} {
		h = mix(h, math.Float64bits(v))
	}
	h = mix(mix(h, uint64(o.Loss)), uint64(o.Steps))
	for _, g := range o.Groups {
		h = mix(mix(mix(h, uint64(g.From)), uint64(g.To)), math.Float64bits(g.Ridge))
	}
	for _, w := range o.Start {
		h = mix(h, math.Float64bits(w))
	}
	return o.Prior.hash(h)
}
