package endgame

import (
	"context"
	"os"
	"testing"

	"kroo/games/oware"
)

// The positions that a game can return to, by searching onward from each.
func TestCyclesAgreeWithASearchOnward(t *testing.T) {
	for _, r := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		for n := 1; n <= 4; n++ {
			got, err := CountCycles(t.Context(), r, n)
			if err != nil {
				t.Fatal(err)
			}
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

// returns tells whether moves without capture lead from p to p or its mirror,
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
	if os.Getenv("KROO_LONG") != "" {
		want[15] = 7061295
	}
	for n, largest := range want {
		if got, err := CountCycles(t.Context(), oware.Abapa, n); err != nil || got.Largest != largest {
			t.Errorf("%+v, %v: want %d positions in the largest component", got, err, largest)
		}
	}
}

func TestCountCyclesStopsAndRefuses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CountCycles(ctx, oware.Abapa, 10); err == nil {
		t.Error("not stopped")
	}
	if _, err := CountCycles(t.Context(), oware.Abapa, MaxSeeds+1); err == nil {
		t.Error("25 seeds are accepted")
	}
}
