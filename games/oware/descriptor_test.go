package oware

import (
	"math"
	"testing"

	"kroo/games/gametest"
	"kroo/internal/testkit"
)

func TestDescriptor(t *testing.T) { gametest.Run(t, Descriptor()) }

func TestASeedIsWorthATwentyFourthOfAWin(t *testing.T) {
	if got := Descriptor().PointsPerUnit(); math.Abs(got-1000.0/24) > 1e-12 {
		t.Errorf("%v points per seed", got)
	}
}

func TestRandomDrawsReachableBoards(t *testing.T) {
	g, r := Descriptor(), rng(62)
	var inPlay float64
	const n = 5000
	for range n {
		p := testkit.Must(g.Random(r, "abapa"))(t)
		if !p.Reachable() || p.ToMove() != South {
			t.Fatalf("%v: want South to move and no store of one seed", p)
		}
		inPlay += float64(g.Phase(p)) / n
	}
	// On average the houses of all boards contain 48·12/14 = 41.1 seeds; boards with few in play
	// are over, and those with a store of one are not drawn.
	if inPlay < 39 || inPlay > 43 {
		t.Errorf("%.2f seeds in play on average, want about 41", inPlay)
	}
}
