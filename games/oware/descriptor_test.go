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

// Loops of 11 and 13 seeds in which no position has a capture, found by a search of lines that
// sow every house once, with their results under each rule set.
func TestLoopsWithoutCapture(t *testing.T) {
	for _, loop := range []struct {
		board, moves string
		south, north float64 // at the end under abapa
	}{
		{"1-0-0-0-0-3-1-0-0-2-1-3-18-19-S", "FfAaBdCbDeEc", 18 + 4, 19 + 7},
		{"1-0-0-0-2-1-0-0-3-2-1-3-17-18-S", "EfAdBeCcFaDb", 17 + 4, 18 + 9},
	} {
		for _, r := range []Rules{Abapa, Awari, Simple} {
			start := testkit.Must(ParseBoard(r, loop.board))(t)
			l := Descriptor().NewLine(start)
			for round, reason := 0, ""; reason == ""; round++ {
				for i := range loop.moves {
					p := l.Position()
					for _, m := range p.AppendMoves(nil) {
						if p.Gain(m) > 0 {
							t.Errorf("%s %s has a capture", r, p)
						}
					}
					m, side, err := ParseMove(loop.moves[i])
					if err != nil || side != p.ToMove() {
						t.Fatal(err)
					}
					testkit.NoError(t, l.Play(m))
				}
				if l.Position() != start {
					t.Fatalf("%s: the loop of %s ends at %s", r, loop.board, l.Position())
				}
				if _, _, over := l.Over(); over {
					reason = "repetition"
					south, north := Descriptor().Tally(l)
					half := float64(start.SeedsInPlay()) / 2
					want := [2]float64{loop.south, loop.north}
					if r != Abapa {
						want = [2]float64{float64(start.Store()) + half, float64(start.OpponentStore()) + half}
					}
					if rounds := map[Rules]int{Simple: 1}[r]; south != want[0] || north != want[1] || round != rounds {
						t.Errorf("%s %s: %v to %v after %d rounds, want %v", r, loop.board, south, north, round+1, want)
					}
				}
			}
		}
	}
}
