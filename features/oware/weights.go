package oware

import (
	"slices"

	"kroo/features"
	"kroo/games/oware"
)

// centi is the value of a point in centi-seeds.
const centi = oware.CentiSeedsPerPoint

// Model is a function fitted to the columns of one of oware's sets.
type Model = features.Model[oware.Position]

// Opened are oware weights of any kind.
type Opened = features.Opened[oware.Position]

// Names of weights, in addition to those of published functions ([Named]).
const (
	defaultName = "default" // the program's best weights for the rules
	PointsName  = "points"  // those that agree best with labels; slow, not for play
)

// Names lists the names accepted wherever a weights file can be given.
func Names() []string {
	names := append([]string{defaultName}, otherDefaults()...)
	names = append(names, PointsName)
	for _, f := range publishedModels {
		names = append(names, f.name)
	}
	return names
}

// Find finds weights by a name of [Names], or reads a weights file. The default weights depend on
// the rules: captured seeds alone if the program has no champion for them.
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

// findFine is Find for compiled weights, with the tables as stored in their file.
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
