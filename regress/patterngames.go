package regress

import (
	"cmp"
	"fmt"

	"kroo/datasets"
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

// patternGame is a game with pattern features: how its sets are read, and its weights
// kept.
type patternGame[P games.Position[P]] struct {
	game *games.Game[P]
	// parse reads the spec of a set for rules.
	parse func(rules, spec string) (features.Columns[P], error)
	// load reads the weights of a model, or of what can be made one of the set: a file,
	// or ownWeights.
	load func(path, rules string, set features.Columns[P]) (keptWeights, error)
	// save writes the files of a fit and notes them in the summary.
	save func(s *PatternSummary, out, rules string, set features.Columns[P], weights []float32, from weightsfile.Provenance) error
}

// keptWeights are the weights of a model.
type keptWeights struct {
	set     patternSet
	rules   string
	weights []float32
	hash    string
}

// ownWeights names the program's own weights, where a model is read.
const ownWeights = "default"

var owarePatterns = patternGame[rules.Position]{
	game: rules.Descriptor(),
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

// loadOware reads a model, or makes one of compiled weights: those of a file, or the
// program's own for the rules.
func loadOware(path, under string, set *oware.Set) (*oware.Model, error) {
	if path == ownWeights {
		e, err := oware.Default(under)
		if err != nil || e == nil {
			return nil, cmp.Or(err, fmt.Errorf("the program has no weights of its own for %s: name a file", under))
		}
		return oware.Decompile(e, set)
	}
	m, err := oware.LoadModel(path)
	if err == nil {
		return m, nil
	}
	e, failed := oware.LoadEvaluator(path)
	if failed != nil {
		return nil, err
	}
	return oware.Decompile(e, set)
}

// saveOware writes the model and, if tables can hold the set, the compiled weights.
func saveOware(s *PatternSummary, out, under string, set features.Columns[rules.Position], weights []float32, from weightsfile.Provenance) error {
	r, err := rules.ParseRules(under)
	if err != nil {
		return err
	}
	m, err := oware.New(r, set.(*oware.Set), weights, from)
	if err != nil {
		return err
	}
	s.Model, s.Hash = ModelPath(out), m.Hash()
	if err := m.Save(s.Model); err != nil {
		return err
	}
	e, err := oware.Compile(m)
	if err != nil {
		s.WhyNot = err.Error()
		return nil
	}
	s.Compiled, s.Play, s.Rounding = out, e.Hash(), e.Rounding()
	return e.Save(out)
}

var othelloPatterns = patternGame[othello.Position]{
	game: othello.Descriptor(),
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

// patternGameOf is the name and the rules of the game that labels are of.
func patternGameOf(labels []string) (game, rules string, err error) {
	if len(labels) == 0 {
		return "", "", fmt.Errorf("no labels in %q: expected some", labels)
	}
	m, err := datasets.ReadManifest(labels[0])
	return m.Meta.Game, m.Meta.Rules, err
}

// PatternGames are the names of the games with pattern features.
func PatternGames() []string {
	return []string{owarePatterns.game.Name, othelloPatterns.game.Name}
}

// checkPatternSpec refuses the spec of a set that the game does not have.
func checkPatternSpec(game, rules, spec string) (set patternSet, err error) {
	switch game {
	case "", owarePatterns.game.Name:
		return owarePatterns.parse(rules, spec)
	case othelloPatterns.game.Name:
		return othelloPatterns.parse(rules, spec)
	}
	return nil, fmt.Errorf("%s has no pattern features: expected %s", game, games.OrList(PatternGames()))
}
