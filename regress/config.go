package regress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kroo/features"
	"kroo/games"
	"kroo/internal/spec"
)

// Headings of the flags that apply to only one kind of fit.
const (
	OfPatterns = "Fits of patterns" // of datasets of labels
	OfFeatures = "Fits of features"
)

// Config configures a fit of weights of antisymmetric sets.
type Config struct {
	Select    string  `name:"select" default:"none" choices:"none backward least-weight" group:"Fits of features" help:"none, backward (drops the least |t|) or least-weight"`
	Second    string  `name:"beside" flag:"-" choices:"none backward least-weight" help:"another selection, shown next to the first"`
	Tolerance float64 `name:"tolerance" default:"0.004" range:"0..1" group:"Fits of features" help:"loss of R that --select accepts"` // see defaultTolerance
	Ridge     float64 `name:"ridge" flag:"-" range:"0..1e12" help:"penalty on large weights, relative to the data"`                   // see model.Ridge
	// All features of Subsets must be among those of the rows.
	Subsets []string `name:"subsets" flag:"-" help:"feature sets to fit without selection, for comparison"`
	Proven  []string `name:"proven" flag:"-" help:"other labels for proven results, to fit the subsets to as well: centre or wins-at-centre"`
}

// Check returns an error if a setting is out of range.
func (c Config) Check() error {
	for _, name := range c.Proven {
		if !slices.Contains(readings(), name) {
			return fmt.Errorf("unknown reading of proven results %q: expected %s", name, strings.Join(readings(), ", "))
		}
	}
	return spec.Check(&c)
}

// PatternConfig configures a fit of pattern weights. Zero values mean the defaults, except for Set.
type PatternConfig struct {
	Set   string  `name:"set" group:"Fits of patterns" help:"families of pattern features, joined by +, see train help sets (default in oware store+houses+pairs+triples)"`
	Loss  string  `name:"loss" default:"squares" choices:"squares chances cross-entropy" group:"Fits of patterns" help:"squares, chances or cross-entropy"`
	Scale float64 `name:"scale" default:"400" range:"1e-6..1e6" group:"Fits of patterns" help:"scale of winning chances, in hundredths of the game's unit: centi-seeds in oware"` // a score s has the winning chance tanh(s/Scale)
	// Ridge is the penalty of a weight: the number of rows with label 0 that it is equivalent to.
	Ridge  float64            `name:"ridge" flag:"-" range:"0..1e9" help:"penalty of a weight: the number of rows with label 0 that it is worth"`
	Ridges map[string]float64 `name:"ridges" flag:"-" help:"penalties of single families"`
	// Choose ignores Ridge and Ridges.
	Choose     bool      `name:"choose" flag:"-" help:"choose the ridge of every family among candidates by cross-validation"`
	Folds      int       `name:"folds" default:"5" range:"2..20" group:"Fits of patterns" help:"folds of --ridge cv"`
	Candidates []float64 `name:"candidates" flag:"-" help:"ridges to choose among (default 0.3, 1, 3, 10, 30 and 100)"`
	Rounds     int       `name:"rounds" range:"1..1000000" group:"Fits of patterns" help:"maximum outer steps of the solver (default 30)"`
	Steps      int       `name:"steps" range:"1..1000000" group:"Fits of patterns" help:"maximum conjugate-gradient steps per round (default 100)"`
	Tolerance  float64   `name:"tolerance" flag:"-" range:"1e-12..0.1" help:"relative gradient that ends the solver (default 0.001)"`
	CacheMB    int64     `name:"cache_mb" flag:"-" range:"1..1048576" help:"memory for packed rows, in MiB (default 2048, or half of the free memory)"`
}

// patternSet is a set of pattern features, independent of the type of positions.
type patternSet interface {
	String() string
	Families() []features.Family
}

// defaultScale is the scale of winning chances, in hundredths of the game's unit: centi-seeds in
// oware.
const defaultScale = 400

func (c PatternConfig) folds() int { return cmp.Or(c.Folds, 5) }

// defaultCandidates are the ridges that cross-validation tries.
var defaultCandidates = []float64{0.3, 1, 3, 10, 30, 100}

// maxPoints is the largest label. Statistics clamp predictions to it.
const maxPoints = 1000

// CheckPatterns returns an error if a setting is out of range for a fit of the game's pattern sets.
func CheckPatterns[P games.Position[P]](of features.Patterns[P], rules string, c PatternConfig) error {
	set, err := of.Parse(rules, c.Set)
	if err != nil {
		return err
	}
	_, err = c.options(of.Game.Info, set)
	return err
}

// options returns the solver's options for a set of a game, or an error if a setting is out of
// range.
func (c PatternConfig) options(g games.Info, set patternSet) (solverOptions, error) {
	o := solverOptions{families: set.Families(), rounds: c.Rounds, steps: c.Steps, tolerance: c.Tolerance}
	var err error
	if o.loss, err = parseLoss(c.Loss); err != nil {
		return o, err
	}
	if o.loss != squares {
		o.scale = c.scale() / (100 * float64(g.UnitsPerWin) / games.MaxPoints) // converts hundredths of the unit to points
	}
	named := 0
	for _, f := range o.families {
		ridge, ok := c.Ridges[f.Name]
		if ok {
			named++
		} else {
			ridge = c.Ridge
		}
		if !(ridge >= 0 && ridge <= 1e9) {
			return o, fmt.Errorf("ridge of %s is %g: expected 0 to 1e9", f.Name, ridge)
		}
		o.ridges = append(o.ridges, ridge)
	}
	if named < len(c.Ridges) {
		return o, fmt.Errorf("ridges name a family that set %s does not have: expected families of it", set)
	}
	for _, r := range c.Candidates {
		if !(r >= 0 && r <= 1e9) {
			return o, fmt.Errorf("candidate ridge %g: expected 0 to 1e9", r)
		}
	}
	c.Scale, c.Folds = c.scale(), c.folds()
	return o, spec.Check(&c)
}

func (c PatternConfig) scale() float64 { return cmp.Or(c.Scale, defaultScale) }

func (c PatternConfig) candidates() []float64 {
	if len(c.Candidates) == 0 {
		return defaultCandidates
	}
	return c.Candidates
}
