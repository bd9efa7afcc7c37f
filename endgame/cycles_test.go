package endgame

import (
	"context"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// The slow twin searches from each position for a way back to it.
func TestCyclesAgreeWithASlowTwin(t *testing.T) {
	for _, r := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		for n := 1; n <= 4; n++ {
			got := testkit.Must(CountCycles(t.Context(), r, n))(t)
			back := 0
			for i := range Positions(n) {
				if returns(PositionAt(r, n, i)) {
					back++
				}
			}
			if got.InCycles != back || got.Positions != Positions(n) {
				t.Errorf("%v, %d seeds: %+v, but %d positions return", r, n, got, back)
			}
		}
	}
}

// returns reports whether moves without capture lead from p to p or its mirror,
// which is the same board seen by the side to move.
func returns(p oware.Position) bool {
	key := func(q oware.Position) [2]uint64 {
		own, opp := q.Words()
		return [2]uint64{own & houseMask, opp & houseMask}
	}
	seen, next := map[[2]uint64]bool{}, []oware.Position{p}
	for len(next) > 0 {
		q := next[0]
		next = next[1:]
		for _, m := range q.AppendMoves(nil) {
			if after := q.Play(m); q.Gain(m) == 0 && !seen[key(after)] {
				seen[key(after)] = true
				next = append(next, after)
			}
		}
	}
	return seen[key(p)]
}

// Of abapa's 75582 positions with eight seeds 65036 are in the largest component;
// of those with 15 seeds (KROO_LONG=1) more than seven million.
func TestCyclesOfAbapa(t *testing.T) {
	want := map[int]int{8: 65036}
	if testenv.Long() {
		want[15] = 7061295
	}
	for n, largest := range want {
		if got, err := CountCycles(t.Context(), oware.Abapa, n); err != nil || got.Largest != largest {
			t.Errorf("%+v, %v: want %d positions in the largest component", got, err, largest)
		}
	}
}

// Only two seeds, far apart, can circle forever whatever the players do.
func TestOnlyTwoSeedsNeverCapture(t *testing.T) {
	calm := []int{1: 0, 12, 140, 730, 2700, 8101, 21397, 49643} // by a separate program
	for n := 1; n < len(calm); n++ {
		closed := 0
		if n == 2 {
			closed = 12
		}
		if got, err := CountCycles(t.Context(), oware.Abapa, n); err != nil || got.Calm != calm[n] || got.Closed != closed {
			t.Errorf("%+v, %v: want %d calm, %d closed", got, err, calm[n], closed)
		}
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
		for _, r := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
			start := testkit.Must(oware.ParseBoard(r, loop.board))(t)
			l := oware.Descriptor().NewLine(start)
			for round, reason := 0, ""; reason == ""; round++ {
				for i := range loop.moves {
					p := l.Position()
					for _, m := range p.AppendMoves(nil) {
						if p.Gain(m) > 0 {
							t.Errorf("%s %s has a capture", r, p)
						}
					}
					m, side, err := oware.ParseMove(loop.moves[i])
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
					south, north := oware.Descriptor().Tally(l)
					half := float64(start.SeedsInPlay()) / 2
					want := [2]float64{loop.south, loop.north}
					if r != oware.Abapa {
						want = [2]float64{float64(start.Store()) + half, float64(start.OpponentStore()) + half}
					}
					if rounds := map[oware.Rules]int{oware.Simple: 1}[r]; south != want[0] || north != want[1] || round != rounds {
						t.Errorf("%s %s: %v to %v after %d rounds, want %v", r, loop.board, south, north, round+1, want)
					}
				}
			}
		}
	}
}

func TestCountCyclesStopsAndRejectsTooManySeeds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CountCycles(ctx, oware.Abapa, 10); err == nil {
		t.Error("not stopped")
	}
	if _, err := CountCycles(t.Context(), oware.Abapa, MaxSeeds+1); err == nil {
		t.Error("25 seeds accepted")
	}
}
