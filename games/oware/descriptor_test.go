package oware

import (
	"math"
	"testing"

	"kroo/games"
	"kroo/games/gametest"
	"kroo/internal/testkit"
)

func TestDescriptor(t *testing.T) { gametest.Run(t, Descriptor()) }

func TestASeedIsWorthATwentyFourthOfAWin(t *testing.T) {
	if got := Descriptor().PointsPerUnit(); math.Abs(got-1000.0/24) > 1e-12 {
		t.Errorf("%v points per seed", got)
	}
}

func TestKeyIsBookKeyAndOrbitJoinsMirrors(t *testing.T) {
	g, r := Descriptor(), rng(61)
	for range 1000 {
		p := randomRanked(r, Awari)
		if key, ok := g.Key(p); !ok || key != p.BookKey() {
			t.Fatalf("%v: key %d, %v, want %d", p, key, ok, p.BookKey())
		}
		if orbit := g.Orbit(p); orbit != g.Orbit(p.Mirror()) || (orbit == g.Orbit(p.Swap())) != (p.Swap() == p.Mirror()) {
			t.Fatalf("%v: orbit %d, mirrored %d, swapped %d", p, orbit, g.Orbit(p.Mirror()), g.Orbit(p.Swap()))
		}
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

// Counting the last ply in bulk agrees with making every move.
func TestBulkPerftAgreesWithGenericPerft(t *testing.T) {
	r := rng(63)
	for i := range 60 {
		p := randomLumpy(r, allRules[i%3])
		for depth := range 5 {
			if got, want := p.Perft(depth), games.Perft(p, depth); got != want {
				t.Errorf("%v %v depth %d: %d, want %d", p.Rules(), p, depth, got, want)
			}
		}
	}
}

func TestScanMoveRefusesOpponentsMove(t *testing.T) {
	if _, err := Descriptor().ParseMove(Start(Abapa), "f"); err == nil || err.Error() != "move f, but it is S to move" {
		t.Errorf("error %v", err)
	}
	if _, err := Descriptor().ParseMove(Start(Abapa), "FF"); err == nil {
		t.Error("two moves are read as one")
	}
}
