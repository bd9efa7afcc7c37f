package oware

import (
	"kroo/features"
	"kroo/games/oware"
)

// printed is a published function of one of the Sets: points per unit, in the order of the set.
type printed struct {
	name, set, source string
	points            []float64
}

const salaSoler = "J. Sala Soler, Un motor de cerca per a l'aualé, UOC 2014: "

var publishedModels = []printed{
	{"captures", "captures", "seed difference, 1000/24 points per seed", []float64{100 / centi}},
	{"thesis4", "thesis4", salaSoler + "after backward elimination", []float64{36.58, -27.03, -51.94, 40.51}},
	{"thesis12", "thesis", salaSoler + "full fit", []float64{36.65, -19.09, -18.08, -47.37, -3.33, 6.80, -20.55, -4.76, 12.13, 17.66, 20.70, 18.92}},
	{"quick4", "thesis4", "train run, preset quick, revision 803cf08: thesis set of four", []float64{42.9346, -24.3760, -51.6367, 33.2531}},
}

// Published returns a function of Sala Soler 2014 for the rules abapa: for the set "thesis" the
// full fit, for "thesis4" the result of backward elimination. Other sets have none.
func Published(set string) (m *Model, found bool) {
	for _, f := range publishedModels[1:3] {
		if f.set == set {
			return f.counts(), true
		}
	}
	return nil, false
}

// Named returns a published function by name, for the rules abapa, as weights of the set
// store+houses: "captures" counts captured seeds; "thesis4" and "thesis12" are the two fits of Sala
// Soler 2014; "quick4" is a refit of the thesis's four features by a run of the preset evening
// (formerly quick). They are antisymmetric under passing the turn.
func Named(name string) (*Model, bool) {
	for _, f := range publishedModels {
		if f.name == name {
			m, err := asPatterns(f.counts())
			if err != nil {
				panic(err) // the points are constants
			}
			m.Provenance = features.Provenance{Name: f.name, Source: f.source}
			return m, true
		}
	}
	return nil, false
}

// counts returns the function of its set.
func (f printed) counts() *Model {
	s, err := Sets.ByName(f.set)
	var w *features.Weights
	if err == nil {
		w, err = features.New(Sets.Game.Name, oware.Abapa.String(), s.Info, s.Names(), f.points)
	}
	var m *Model
	if err == nil {
		m, err = Sets.Model(w)
	}
	if err != nil {
		panic(err) // the points are constants
	}
	return m
}
