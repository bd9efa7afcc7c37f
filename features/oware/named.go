package oware

import (
	"kroo/games/oware"
)

// countWeight is a published weight: points for each own house with fewer (or
// more) than n seeds, and as many against the mover for each of the other side.
type countWeight struct {
	more   bool
	n      int
	points float64
}

// published is a function as its source prints it.
type published struct {
	name, source string
	captures     float64 // points a seed of store difference
	counts       []countWeight
}

func less(n int, points float64) countWeight { return countWeight{false, n, points} }
func more(n int, points float64) countWeight { return countWeight{true, n, points} }

var publishedModels = []published{
	{"captures", "seed difference, 1000/24 points a seed", 100 / centi, nil},
	{"thesis4", "J. Sala Soler, Un motor de cerca per a l'aualé, UOC 2014: after backward elimination", 36.58,
		[]countWeight{less(1, -27.03), less(3, -51.94), more(12, 40.51)}},
	{"thesis12", "J. Sala Soler, Un motor de cerca per a l'aualé, UOC 2014: full fit", 36.65,
		[]countWeight{
			less(1, -19.09), less(2, -18.08), less(3, -47.37), less(4, -3.33), less(5, 6.80),
			more(7, -20.55), more(8, -4.76), more(10, 12.13), more(11, 17.66), more(12, 20.70), more(13, 18.92),
		}},
	{"quick4", "train run, preset quick, revision 803cf08: thesis set of four", 42.9346,
		[]countWeight{less(1, -24.3760), less(3, -51.6367), more(12, 33.2531)}},
}

// Named is a published function by name, for the rules abapa, as weights of the
// set store+houses: "captures" counts captured seeds, "thesis4" and "thesis12"
// are the two fits of Sala Soler 2014, "quick4" the thesis's four features
// fitted anew by a run of the preset evening, then called quick. They are
// antisymmetric under passing the turn.
func Named(name string) (*Model, bool) {
	for _, f := range publishedModels {
		if f.name == name {
			return f.model(), true
		}
	}
	return nil, false
}

func (f published) model() *Model {
	s, err := Parse("store+houses")
	if err != nil {
		panic(err) // the spec is a constant
	}
	w := make([]float32, s.Len())
	w[0] = float32(f.captures)
	for h := range houses {
		for n := range exactCap + 1 {
			points := 0.0
			for _, c := range f.counts {
				if c.more && n > c.n || !c.more && n < c.n {
					points += c.points
				}
			}
			if h >= oware.Houses {
				points = -points
			}
			w[1+exactColumn(h, n)] = float32(points)
		}
	}
	return &Model{Set: s, Weights: w, Rules: oware.Abapa.String(), Provenance: Provenance{Name: f.name, Source: f.source}}
}
