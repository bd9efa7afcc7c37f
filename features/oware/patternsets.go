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

// PatternSets are the sets of pattern features that [Parse] accepts, the same for all rules.
var PatternSets = features.Patterns[oware.Position]{
	Game: oware.Descriptor(), DefaultSet: "store+houses+pairs+triples", MaxStages: maxStages,
	Parse:    func(_, spec string) (features.Columns[oware.Position], error) { return Parse(spec) },
	Families: func(string) []features.Family { return allFamilies() },
	Sections: 1 + maxStages*triplePairs, // the first, and the pattern tables of all stages
	Unpack:   func(f features.Packed) (features.Tables[oware.Position], error) { return opened{f}.evaluator() },
}

func init() { // not in the literal: these use PatternSets
	PatternSets.Find, PatternSets.Keep, PatternSets.Compile = findFor, keep, compileAny
}

// compileAny makes the tables of a model of any set.
func compileAny(m *Model) (features.Tables[oware.Position], error) {
	if m.Named != nil {
		var err error
		if m, err = asPatterns(m); err != nil {
			return nil, err
		}
	}
	e, err := Compile(m)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// findFor finds a model by a name of [Names] or in a file, or makes one of compiled weights.
func findFor(name, rules string, set features.Columns[oware.Position]) (*Model, error) {
	o, err := Find(name, rules)
	switch {
	case err != nil:
		return nil, err
	case o.Tables != nil:
		return modelFor(o.Tables.Header(), name, rules, set.(*Set))
	case name == defaultName:
		return nil, fmt.Errorf("the program has no weights of its own for %s: name a file", rules)
	case o.Named != nil:
		return nil, fmt.Errorf("%s: weights of the antisymmetric set %s: expected pattern weights", name, o.Named.Set)
	}
	return o.Model, nil
}

// modelFor returns the model of a compiled file if it is next to it (NAME.model for NAME.weights)
// and of the set; otherwise it decompiles the tables.
func modelFor(h features.Header, file, rules string, set *Set) (*Model, error) {
	compiled := strings.HasSuffix(file, features.CompiledSuffix)
	next := features.ModelPath(file)
	if compiled && h.SetHash == set.Hash() {
		m, err := PatternSets.LoadModel(next)
		switch {
		case err == nil && m.Hash() == h.Weights:
			return m, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("the model next to %s: %w: restore it, or remove it to use the tables alone", file, err)
		}
	}
	c, err := findFine(file, rules)
	if err != nil {
		return nil, err
	}
	m, err := decompile(c, set)
	if err != nil && compiled {
		err = fmt.Errorf("%s: without its model, %s: %w", file, filepath.Base(next), err)
	}
	return m, err
}

// keep writes the model, with pattern weights on the grid, and, if tables can represent the set,
// the compiled weights.
func keep(m *Model, out, models string) (k features.Kept, err error) {
	m.Set.(*Set).ToGrid(m.Weights)
	k.Model, k.Hash = models, m.Hash()
	if err := m.Save(models); err != nil {
		return k, err
	}
	c, err := compile(m)
	if err != nil {
		k.WhyNot = err.Error() // tables of an earlier fit stay
		return k, nil
	}
	k.Compiled, k.Play, k.Rounding = out, c.Hash(), c.Rounding()
	return k, features.WritePacked(out, features.KindCompiled, c.header, c.sections())
}
