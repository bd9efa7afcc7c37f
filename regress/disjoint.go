package regress

import (
	"fmt"

	"kroo/datasets"
)

// Disjoint returns the validation rows whose situation (games.Game.Orbit) is not
// among the training rows, and how many it left out. The meta tells the game
// and the rules.
func Disjoint(meta datasets.Meta, train, validation []datasets.FeatureRow) (kept []datasets.FeatureRow, removed int, err error) {
	g, err := gameOf(meta.Game)
	if err != nil {
		return nil, 0, err
	}
	seen := make(map[int64]bool, len(train))
	for i, r := range train {
		key, err := g.orbit(meta.Rules, r.PositionRow)
		if err != nil {
			return nil, 0, fmt.Errorf("training row %d: %w", i, err)
		}
		seen[key] = true
	}
	for i, r := range validation {
		key, err := g.orbit(meta.Rules, r.PositionRow)
		if err != nil {
			return nil, 0, fmt.Errorf("validation row %d: %w", i, err)
		}
		if seen[key] {
			removed++
		} else {
			kept = append(kept, r)
		}
	}
	return kept, removed, nil
}
