package engine

import (
	"testing"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestPoints(t *testing.T) {
	for _, tt := range []struct{ score, want int }{
		{0, 0}, {1, 0}, {2, 1}, {-1, 0}, {-2, -1}, // 10/24 of a centi-seed
		{100, 42}, {-100, -42}, // a seed: 41.67
		{6, 3}, {-6, -3}, // 2.5 goes away from zero
		{2400, 1000}, {-2400, -1000}, {4800, 1000}, {search.MaxHeuristic, 1000}, {-search.MaxHeuristic, -1000},
		{search.Win - 300, 1000}, {300 - search.Win, -1000}, {search.Win, 1000}, {-search.Win, -1000},
	} {
		testkit.Equal(t, Points(oware.Descriptor().Info, tt.score), tt.want, "Points(%d)", tt.score)
	}
}
