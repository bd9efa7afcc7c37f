package regress

import (
	"cmp"
	"fmt"

	"kroo/features"
	"kroo/games"
	"kroo/internal/spec"
	"kroo/regress/sparse"
)

// PatternConfig says how the weights of pattern features are fitted. The zero
// value of every setting but Set means its default.
type PatternConfig struct {
	// Set is the feature set, such as store+houses+pairs+triples.
	Set string `name:"set" help:"families of pattern features, joined by +: see train help sets"`
	// Loss is squares, chances or cross-entropy (sparse.Loss); "" is squares.
	Loss string `name:"loss" choices:"squares chances cross-entropy" help:"squares, chances (squared errors of winning chances) or cross-entropy (default squares)"`
	// Scale of winning chances in centi-seeds: a score s is the chance
	// tanh(s/Scale); 0 is DefaultScale.
	Scale float64 `name:"scale" range:"1e-6..1e6" help:"of winning chances, in centi-seeds (default 400): a score s is the chance tanh(s/scale)"`
	// Ridge is the penalty of a weight, in rows that say it is 0; Ridges are
	// those of single families.
	Ridge  float64            `name:"ridge" range:"0..1e9" help:"penalty of a weight, in rows that say it is 0"`
	Ridges map[string]float64 `name:"ridges" help:"penalties of single families, such as {quads = 10.0}"`
	// Choose chooses the ridge of every family among Candidates by
	// cross-validation over Folds parts; 0 is five. Ridge and Ridges are not
	// used then.
	Choose     bool      `name:"choose" help:"choose the penalty of every family by cross-validation"`
	Folds      int       `name:"folds" range:"2..20" help:"parts of the rows for cross-validation (default 5)"`
	Candidates []float64 `name:"candidates" help:"penalties to choose among (default 0.3, 1, 3, 10, 30, 100)"`
	// Diagnose measures the fit on rows held out, over Folds parts (0 is five),
	// and estimates its degrees of freedom; that costs some fits more.
	Diagnose bool `name:"diagnose" help:"measure on rows held out, and estimate degrees of freedom"`
	// MinCount is how often a column must be seen to get a weight; 0 is once.
	MinCount int64 `name:"min_count" range:"1..1e9" help:"rows that a column is seen in to get a weight (default 1)"`
	// Merge gives columns that are seen in fewer rows the weight of a coarser
	// one, which counts their rows too (oware.Set.Coarser); without one they have
	// none. 0 merges nothing; else MinCount must be 0 or 1.
	Merge int64 `name:"merge" range:"1..1e9" help:"rows that a column is seen in to get a weight of its own; rarer ones share that of a coarser one (default none)"`
	// Rounds and Steps bound the solver, Tolerance ends it (sparse.Options).
	Rounds    int     `name:"rounds" range:"1..1e6" help:"most outer steps of the solver (default 30)"`
	Steps     int     `name:"steps" range:"1..1e6" help:"most conjugate-gradient steps a round (default 100)"`
	Tolerance float64 `name:"tolerance" range:"1e-12..0.1" help:"relative residual at which the solver ends"`
	// CacheMB bounds the memory for rows made ready, in MiB; 0 is 2048, or half of what
	// is free.
	CacheMB int64 `name:"cache_mb" range:"1..1048576" help:"memory for rows made ready, in MiB (default 2048, or half of what is free)"`
}

// patternSet is a set of pattern features without the type of its positions.
type patternSet interface {
	String() string
	Families() []features.Family
}

// coarser is a set whose rare columns can share the weight of another one.
type coarser interface{ Coarser() []int32 }

// DefaultScale is the scale of winning chances, in hundredths of the game's unit:
// centi-seeds in oware.
const DefaultScale = 400

const defaultFolds = 5

func (c PatternConfig) folds() int { return cmp.Or(c.Folds, defaultFolds) }

// defaultCandidates are the ridges among which cross-validation chooses.
var defaultCandidates = []float64{0.3, 1, 3, 10, 30, 100}

// maxPoints is the largest label; predictions are clamped to it in statistics.
const maxPoints = 1000

// CheckPatterns refuses settings of a fit of a game's pattern sets that are out of range.
func CheckPatterns[P games.Position[P]](of features.Patterns[P], rules string, c PatternConfig) error {
	set, err := of.Parse(rules, c.Set)
	if err != nil {
		return err
	}
	_, err = c.options(of.Game.Info, set)
	return err
}

func (c PatternConfig) checkRanges(set patternSet, o sparse.Options) error {
	if err := spec.Check(&c); err != nil {
		return err
	}
	if c.Merge > 0 && c.MinCount > 1 {
		return fmt.Errorf("merge is %d and min_count %d: expected one of them, since a rare column is merged or left out", c.Merge, c.MinCount)
	}
	if _, ok := set.(coarser); c.Merge > 0 && !ok {
		return fmt.Errorf("merge is %d: expected 0, since no column of %s is coarser than another", c.Merge, set)
	}
	for _, g := range o.Groups {
		if !(g.Ridge >= 0 && g.Ridge <= 1e9) {
			return fmt.Errorf("ridge of %s is %g: expected 0 to 1e9", g.Name, g.Ridge)
		}
	}
	for _, r := range c.Candidates {
		if !(r >= 0 && r <= 1e9) {
			return fmt.Errorf("candidate ridge %g: expected 0 to 1e9", r)
		}
	}
	return nil
}

// options are the solver's for a set of a game. It refuses settings that are out of
// range.
func (c PatternConfig) options(g games.Info, set patternSet) (sparse.Options, error) {
	o := sparse.Options{
		Ridge: c.Ridge, Rounds: c.Rounds, Steps: c.Steps, Tolerance: c.Tolerance, Clamp: maxPoints,
	}
	if c.Loss != "" {
		var err error
		if o.Loss, err = sparse.ParseLoss(c.Loss); err != nil {
			return o, err
		}
	}
	if o.Loss != sparse.Squares {
		o.Scale = c.scale() / (100 * float64(g.UnitsPerWin) / games.MaxPoints) // hundredths of the unit are worth points
	}
	asked := len(c.Ridges)
	for _, f := range set.Families() {
		ridge, ok := c.Ridges[f.Name]
		if ok {
			asked--
		} else {
			ridge = c.Ridge
		}
		o.Groups = append(o.Groups, sparse.Group{Name: f.Name, From: f.From, To: f.To, Ridge: ridge})
	}
	if asked > 0 {
		return o, fmt.Errorf("ridges name a family that set %s does not have: expected families of it", set)
	}
	return o, c.checkRanges(set, o)
}

func (c PatternConfig) scale() float64 { return cmp.Or(c.Scale, DefaultScale) }

func (c PatternConfig) layout(set patternSet, workers int) sparse.Layout {
	l := sparse.Layout{MinCount: c.MinCount, CacheBytes: c.CacheMB << 20, Workers: workers}
	if s, ok := set.(coarser); ok && c.Merge > 0 {
		l.MinCount, l.Parent = c.Merge, s.Coarser()
	}
	return l
}

func (c PatternConfig) candidates() []float64 {
	if len(c.Candidates) == 0 {
		return defaultCandidates
	}
	return c.Candidates
}
