package oware

import (
	"slices"

	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/features/weightsfile"
)

// Names that stand for weights, beside those of published functions ([Named]).
const (
	defaultName = "default" // the best weights that the program has for the rules
	PointsName  = "points"  // those that agree best with labels; slow, not for play
)

// Names are the names that stand for weights wherever a file can be given.
func Names() []string {
	names := append([]string{defaultName}, otherDefaults()...)
	names = append(names, PointsName)
	for _, f := range publishedModels {
		names = append(names, f.name)
	}
	return names
}

// Weights are weights of oware of any kind: one of them is there.
type Weights struct {
	Thesis   *features.Weights // of an antisymmetric set
	Model    *Model            // a weight for each column of pattern features
	Compiled *Evaluator        // tables
}

// Find finds weights by a name of [Names], or reads a weights file. The rules tell which
// weights are the default: captured seeds alone where the program has none for them.
func Find(name, rules string) (w Weights, err error) {
	if its, ok := rulesOfOtherDefault(name); ok {
		name, rules = defaultName, its
	}
	switch {
	case name == defaultName:
		if w.Compiled, err = Default(rules); err == nil && w.Compiled == nil {
			w.Model, _ = Named("captures")
		}
		return w, err
	case name == PointsName:
		w.Model, err = points()
		return w, err
	case slices.Contains(Names(), name):
		w.Model, _ = Named(name)
		return w, nil
	}
	data, err := weightsfile.Read(name)
	if err != nil {
		return w, err
	}
	return ParseWeights(data, name)
}

// findFine is Find for weights that are compiled: with the tables that their file keeps.
func findFine(name, rules string) (c compilation, err error) {
	if its, ok := rulesOfOtherDefault(name); ok {
		name, rules = defaultName, its
	}
	var data []byte
	if name == defaultName {
		data, err = embedded.ReadFile(defaultFile(rules))
	} else {
		data, err = weightsfile.Read(name)
	}
	if err != nil {
		return c, err
	}
	f, err := open(data)
	if err == nil {
		c, err = f.compilation(true)
	}
	return c, weightsfile.InFile(name, err)
}

// ParseWeights reads a file's content, of any kind; name stands for the file in errors.
func ParseWeights(data []byte, name string) (w Weights, err error) {
	if !weightsfile.Holds(data) {
		w.Thesis, err = thesis.Sets.Parse(data, name)
		return w, err
	}
	w, err = parsePatterns(data)
	return w, weightsfile.InFile(name, err)
}

// parsePatterns reads pattern weights.
func parsePatterns(data []byte) (w Weights, err error) {
	f, err := open(data)
	switch {
	case err != nil:
	case f.Kind == weightsfile.KindModel:
		w.Model, err = f.model()
	default:
		w.Compiled, err = f.evaluator()
	}
	return w, err
}
