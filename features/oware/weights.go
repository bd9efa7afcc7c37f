package oware

import (
	"slices"

	"kroo/features"
	"kroo/games/oware"
)

// centi is what a point is worth in centi-seeds.
const centi = oware.CentiSeedsPerPoint

// Model is a function fitted to the columns of a set of oware.
type Model = features.Model[oware.Position]

// Opened are weights of oware of any kind.
type Opened = features.Opened[oware.Position]

// Names that represent weights, next to those of published functions ([Named]).
const (
	defaultName = "default" // the best weights that the program has for the rules
	PointsName  = "points"  // those that agree best with labels; slow, not for play
)

// Names are the names that represent weights wherever a file can be given.
func Names() []string {
	names := append([]string{defaultName}, otherDefaults()...)
	names = append(names, PointsName)
	for _, f := range publishedModels {
		names = append(names, f.name)
	}
	return names
}

// Find finds weights by a name of [Names], or reads a weights file. The rules report which
// weights are the default: captured seeds alone where the program has none for them.
func Find(name, rules string) (*Opened, error) {
	if slices.Contains(Names(), name) {
		return byName(name, rules)
	}
	data, err := features.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return features.Open(Sets, PatternSets, data, name)
}

// byName finds weights by a name of Names.
func byName(name, rules string) (o *Opened, err error) {
	o = features.OfGame(Sets, PatternSets, name)
	if its, ok := rulesOfOtherDefault(name); ok {
		name, rules = defaultName, its
	}
	switch name {
	case defaultName:
		e, err := Default(rules)
		if err != nil {
			return nil, err
		}
		if e != nil {
			o.Tables = e
		} else {
			o.Model, _ = Named("captures")
		}
	case PointsName:
		o.Model, err = points()
	default:
		o.Model, _ = Named(name)
	}
	return o, err
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
		data, err = features.ReadFile(name)
	}
	if err != nil {
		return c, err
	}
	f, err := PatternSets.OpenPacked(data)
	if err == nil {
		c, err = opened{f}.compilation(true)
	}
	return c, features.InFile(name, err)
}
