package thesis

import (
	"kroo/features"
	"kroo/games/oware"
)

// publishedPoints are the weights that J. Sala Soler prints (Un motor de cerca per a
// l'aualé, UOC 2014), by set and in its order: South's in points a unit, North's are
// the negatives.
var publishedPoints = map[string][]float64{
	"thesis":  {36.65, -19.09, -18.08, -47.37, -3.33, 6.80, -20.55, -4.76, 12.13, 17.66, 20.70, 18.92},
	"thesis4": {36.58, -27.03, -51.94, 40.51},
}

// Published returns the weights of Sala Soler 2014, for the rules abapa: of the set
// "thesis" those of the full fit, of "thesis4" those that backward elimination leaves.
// Other sets have none.
func Published(set string) (w *features.Weights, found bool) {
	points, found := publishedPoints[set]
	if !found {
		return nil, false
	}
	s, err := ByName(set)
	if err == nil {
		w, err = features.New(Sets.Game.Name, oware.Abapa.String(), s.Info, s.Names(), points)
	}
	if err != nil {
		panic(err) // the points are constants
	}
	return w, true
}
