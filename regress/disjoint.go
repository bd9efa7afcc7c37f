package regress

import (
	"kroo/datasets"
	"kroo/games"
)

// disjoint returns the validation rows whose situation (games.Game.Orbit) is not
// among the training rows, and how many it left out.
func disjoint[P games.Position[P]](g *games.Game[P], train, validation []datasets.Row[P]) (kept []datasets.Row[P], removed int) {
	seen := make(map[int64]bool, len(train))
	for _, r := range train {
		seen[g.Orbit(r.Position)] = true
	}
	for _, r := range validation {
		if seen[g.Orbit(r.Position)] {
			removed++
		} else {
			kept = append(kept, r)
		}
	}
	return kept, removed
}
