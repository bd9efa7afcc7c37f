package regress

import (
	"context"
	"fmt"

	"kroo/features"
	discs "kroo/features/othello"
	"kroo/features/oware"
	"kroo/features/weightsfile"
	"kroo/games"
	"kroo/games/othello"
	rules "kroo/games/oware"
)

// patternSet is a set of pattern features without the type of its positions.
type patternSet interface {
	String() string
	Hash() string
	Len() int
	Families() []features.Family
}

// patternGame is a game with pattern features, without the type of its positions.
type patternGame interface {
	info() games.Info
	// families are those of a set by default, as a spec.
	families() string
	// hundredths is what a point is worth in hundredths of the game's unit.
	hundredths() float64
	// set reads the spec of a set for rules.
	set(rules, spec string) (patternSet, error)
	fit(ctx context.Context, req PatternRequest, progress func(done, total int64)) (PatternSummary, error)
}

// patternGames are the games with pattern features. The first is the one of settings
// that name none.
var patternGames = []patternGame{owarePatterns, othelloPatterns}

// patternGameOf finds a game by name; "" is oware.
func patternGameOf(name string) (patternGame, error) {
	for _, g := range patternGames {
		if name == g.info().Name || name == "" {
			return g, nil
		}
	}
	return nil, fmt.Errorf("%s has no pattern features (%s): make a table with train features, and fit that", name, games.OrList(PatternGames()))
}

// PatternGames are the names of the games with pattern features.
func PatternGames() (names []string) {
	for _, g := range patternGames {
		names = append(names, g.info().Name)
	}
	return names
}

// DefaultFamilies are the families of pattern features that a fit to labels of a game
// takes by default, "" for a game without.
func DefaultFamilies(game string) string {
	g, err := patternGameOf(game)
	if err != nil {
		return ""
	}
	return g.families()
}

// patterned is a game with pattern features: how its sets are read, and its weights
// kept.
type patterned[P games.Position[P]] struct {
	game      *games.Game[P]
	byDefault string  // the families
	worth     float64 // of a point, in hundredths of the unit
	// parse reads the spec of a set for rules.
	parse func(rules, spec string) (features.Columns[P], error)
	// load reads the weights of a model, or of what can be made one of the set, by the
	// path of a file, or of oware by a name (oware.Names).
	load func(path, rules string, set features.Columns[P]) (keptWeights, error)
	// save writes the files of a fit and notes them in the summary.
	save func(s *PatternSummary, out, rules string, set features.Columns[P], weights []float32, from weightsfile.Provenance) error
}

func (g patterned[P]) info() games.Info                           { return g.game.Info }
func (g patterned[P]) families() string                           { return g.byDefault }
func (g patterned[P]) hundredths() float64                        { return g.worth }
func (g patterned[P]) set(rules, spec string) (patternSet, error) { return g.parse(rules, spec) }

// keptWeights are the weights of a model.
type keptWeights struct {
	set     patternSet
	rules   string
	weights []float32
	hash    string
}

var owarePatterns = patterned[rules.Position]{
	game: rules.Descriptor(), byDefault: "store+houses+pairs+triples", worth: rules.CentiSeedsPerPoint,
	parse: func(_, spec string) (features.Columns[rules.Position], error) {
		return oware.Parse(spec)
	},
	load: func(path, under string, set features.Columns[rules.Position]) (keptWeights, error) {
		m, err := loadOware(path, under, set.(*oware.Set))
		if err != nil {
			return keptWeights{}, err
		}
		return keptWeights{m.Set, m.Rules, m.Weights, m.Hash()}, nil
	},
	save: saveOware,
}

// loadOware finds a model by name or in a file, or makes one of compiled weights.
func loadOware(path, under string, set *oware.Set) (*oware.Model, error) {
	w, err := oware.Find(path, under)
	switch {
	case err != nil:
		return nil, err
	case w.Compiled != nil:
		return oware.Decompile(w.Compiled, set)
	case path == oware.DefaultName:
		return nil, fmt.Errorf("the program has no weights of its own for %s: name a file", under)
	case w.Thesis != nil:
		return nil, fmt.Errorf("%s: weights of the antisymmetric set %s: expected pattern weights", path, w.Thesis.Set)
	}
	return w.Model, nil
}

// saveOware writes the model, the weights of its patterns on the grid, and, if tables can
// hold the set, the compiled weights.
func saveOware(s *PatternSummary, out, under string, set features.Columns[rules.Position], weights []float32, from weightsfile.Provenance) error {
	r, err := rules.ParseRules(under)
	if err != nil {
		return err
	}
	families := set.(*oware.Set)
	families.ToGrid(weights)
	m, err := oware.New(r, families, weights, from)
	if err != nil {
		return err
	}
	s.Model, s.Hash = ModelPath(out), m.Hash()
	if err := m.Save(s.Model); err != nil {
		return err
	}
	e, err := oware.Compile(m)
	if err != nil {
		s.WhyNot = err.Error() // tables of an earlier fit stay what they are
		return nil
	}
	s.Compiled, s.Play, s.Rounding = out, e.Hash(), e.Rounding()
	return e.Save(out)
}

var othelloPatterns = patterned[othello.Position]{
	game: othello.Descriptor(), byDefault: "rows/4+diagonals/4+corners/4+mobility/4", worth: 100 / othello.Descriptor().PointsPerUnit(),
	parse: func(under, spec string) (features.Columns[othello.Position], error) {
		r, err := othello.ParseRules(under)
		if err != nil {
			return nil, err
		}
		return discs.ParsePatterns(r, spec)
	},
	load: func(path, under string, _ features.Columns[othello.Position]) (keptWeights, error) {
		m, err := discs.LoadModel(path)
		if err != nil {
			return keptWeights{}, err
		}
		return keptWeights{m.Set, under, m.Weights, m.Hash()}, nil // the set is one of the rules
	},
	// The engine compiles the model when it loads it: there is one file.
	save: func(s *PatternSummary, out, _ string, set features.Columns[othello.Position], weights []float32, from weightsfile.Provenance) error {
		m, err := discs.NewModel(set.(*discs.PatternSet), weights, from)
		if err != nil {
			return err
		}
		s.Model, s.Compiled, s.Hash, s.Play = out, out, m.Hash(), m.Hash()
		return m.Save(out)
	},
}
