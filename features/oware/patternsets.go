package oware

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"kroo/features"
	"kroo/games/oware"
)

// PatternSets are the sets of pattern features that [Parse] reads. They are the same for
// all rules.
var PatternSets = features.Patterns[oware.Position]{
	Game: oware.Descriptor(), Usual: "store+houses+pairs+triples", MaxStages: maxStages,
	Parse:    func(_, spec string) (features.Columns[oware.Position], error) { return Parse(spec) },
	Families: func(string) []features.Family { return allFamilies() },
	Find:     findFor,
	Keep:     keep,
}

// findFor finds a model by a name of [Names] or in a file, or makes one of compiled
// weights.
func findFor(name, rules string, set features.Columns[oware.Position]) (*features.Model[oware.Position], error) {
	w, err := Find(name, rules)
	if err == nil && w.Compiled != nil {
		w.Model, err = modelFor(w.Compiled, name, rules, set.(*Set))
	}
	switch {
	case err != nil:
		return nil, err
	case w.Compiled == nil && name == defaultName:
		return nil, fmt.Errorf("the program has no weights of its own for %s: name a file", rules)
	case w.Thesis != nil:
		return nil, fmt.Errorf("%s: weights of the antisymmetric set %s: expected pattern weights", name, w.Thesis.Set)
	}
	return &features.Model[oware.Position]{Rules: w.Model.Rules, Set: w.Model.Set, Weights: w.Model.Weights, Provenance: w.Model.Provenance}, nil
}

// modelFor is the model that a compiled file was made of, where that is of the set and
// beside it, NAME.model for NAME.weights, else one with the function of the tables.
func modelFor(e *Evaluator, file, rules string, set *Set) (*Model, error) {
	name, compiled := strings.CutSuffix(file, ".weights")
	if compiled && e.Header().SetHash == set.Hash() {
		m, err := LoadModel(name + ".model")
		switch {
		case err == nil && m.Hash() == e.Header().Weights:
			return m, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("the model beside %s: %w: restore it, or remove it to go on with the tables alone", file, err)
		}
	}
	c, err := findFine(file, rules)
	if err != nil {
		return nil, err
	}
	m, err := decompile(c, set)
	if err != nil && compiled {
		err = fmt.Errorf("%s: without its model, %s: %w", file, filepath.Base(name+".model"), err)
	}
	return m, err
}

// keep writes the model, the weights of its patterns on the grid, and, if tables can
// hold the set, the compiled weights.
func keep(fitted *features.Model[oware.Position], out, models string) (k features.Kept, err error) {
	r, err := oware.ParseRules(fitted.Rules)
	if err != nil {
		return k, err
	}
	set := fitted.Set.(*Set)
	set.ToGrid(fitted.Weights)
	m, err := New(r, set, fitted.Weights, fitted.Provenance)
	if err != nil {
		return k, err
	}
	m.Calibration = fitted.Calibration
	k.Model, k.Hash = models, m.Hash()
	if err := m.Save(models); err != nil {
		return k, err
	}
	c, err := compile(m)
	if err != nil {
		k.WhyNot = err.Error() // tables of an earlier fit stay what they are
		return k, nil
	}
	k.Compiled, k.Play, k.Rounding = out, c.Hash(), c.Rounding()
	return k, c.save(out)
}
