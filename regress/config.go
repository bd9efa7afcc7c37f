package regress

import (
	"fmt"

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
	Tolerance float64 `name:"tolerance" default:"0.004" range:"0..1" group:"Fits of features" help:"loss of R that --select accepts"` // see defaultTolerance
	Ridge     float64 `name:"ridge" flag:"-" range:"0..1e12" help:"penalty on large weights, relative to the data"`                   // see model.Ridge
	// All features of Subsets must be among those of the rows.
	Subsets []string `name:"subsets" flag:"-" help:"feature sets to fit without selection, for comparison"`
}

// Check returns an error if a setting is out of range.
func (c Config) Check() error { return spec.Check(&c) }

// PatternConfig configures a fit of pattern weights. Zero values mean the defaults, except for Set.
type PatternConfig struct {
	Set   string  `name:"set" group:"Fits of patterns" help:"families of pattern features, joined by +, see train help sets (default in oware store+houses+pairs+triples)"`
	Loss  string  `name:"loss" default:"squares" choices:"squares chances" group:"Fits of patterns" help:"squares or chances"`
	Scale float64 `name:"scale" default:"400" range:"1e-6..1e6" group:"Fits of patterns" help:"scale of winning chances, in hundredths of the game's unit: centi-seeds in oware"` // a score s has the winning chance tanh(s/Scale)
	// Ridge is the penalty of a weight: the number of rows with label 0 that it is equivalent to.
	Ridge     float64            `name:"ridge" flag:"-" range:"0..1e9" help:"penalty of a weight: the number of rows with label 0 that it is worth"`
	Ridges    map[string]float64 `name:"ridges" flag:"-" help:"penalties of single families"`
	Choose    bool               `name:"choose" flag:"-" help:"choose the ridge by cross-validation, instead of ridge and ridges"`
	Folds     int                `name:"folds" default:"5" range:"2..20" group:"Fits of patterns" help:"folds of --ridge cv"`
	Tolerance float64            `name:"tolerance" flag:"-" range:"1e-12..0.1" help:"relative gradient that ends the solver (default 0.001)"`
}

// patternSet is a set of pattern features, independent of the type of positions.
type patternSet interface {
	String() string
	Families() []features.Family
}

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
	spec.Default(&c)
	o := solverOptions{loss: c.Loss, families: set.Families(), tolerance: c.Tolerance}
	if o.loss == chances {
		o.scale = c.Scale / (100 * float64(g.UnitsPerWin) / games.MaxPoints) // converts hundredths of the unit to points
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
	return o, spec.Check(&c)
}
