package oware

import (
	"fmt"
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

// findFor finds a model by a name of [Names] or in a file. For compiled weights it is the model next
// to their file if that is of the set; otherwise the tables are decompiled.
func findFor(name, rules string, set features.Columns[oware.Position]) (*Model, error) {
	o, err := Find(name, rules)
	if err == nil {
		err = o.FindModel(PatternSets)
	}
	switch {
	case err != nil:
		return nil, err
	case o.Tables != nil && (o.Model == nil || o.Model.Set.Hash() != set.Hash()):
		c, err := findFine(name, rules)
		if err != nil {
			return nil, err
		}
		m, err := decompile(c, set.(*Set))
		if err != nil && strings.HasSuffix(name, features.CompiledSuffix) {
			err = fmt.Errorf("%s: without its model, %s: %w", name, filepath.Base(features.ModelPath(name)), err)
		}
		return m, err
	case name == defaultName && o.Tables == nil:
		return nil, fmt.Errorf("the program has no weights of its own for %s: name a file", rules)
	case o.Named != nil:
		return nil, fmt.Errorf("%s: weights of the antisymmetric set %s: expected pattern weights", name, o.Named.Set)
	}
	return o.Model, nil
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
