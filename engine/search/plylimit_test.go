package search

import (
	"context"
	"math/rand/v2"
	"testing"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// endings returns positions under arena rules with few plies left: their histories are padded
// to the ply limit.
func endings(rng *rand.Rand, n, maxLeft int) (list []situation) {
	for _, x := range append(midgames(rng, oware.Arena, n/2), endgames(rng, oware.Arena, n/2, 14)...) {
		if _, over := x.root.Terminal(); over {
			continue
		}
		limit, _ := x.root.PlyLimit()
		for left := 1 + rng.IntN(maxLeft); len(x.history) < limit-left; {
			x.history = append([]oware.Position{oware.Start(oware.Arena)}, x.history...)
		}
		list = append(list, x)
	}
	return list
}

// The strict search agrees with alpha-beta through warm tables, which have the same positions
// with other numbers of plies left.
func TestPlyLimitIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 0))
	searchers := strictSearchers()
	matters := 0
	for _, x := range endings(rng, 400, 8) {
		for less := range 3 {
			history := x.history[min(less, len(x.history)):]
			depth := 1 + rng.IntN(8)
			want, _ := AlphaBeta(x.root, history, depth, evaluations.Captures{})
			if bare, _ := AlphaBeta(x.root, nil, depth, evaluations.Captures{}); bare != want {
				matters++
			}
			for i, s := range searchers {
				got := s.Search(context.Background(), x.root, history, Limits{Depth: depth}, Query{})
				testkit.Equal(t, got.Score, want, "%v depth %d, %d plies before, searcher %d", x.root, depth, len(history), i)
			}
		}
	}
	if matters < 50 {
		t.Errorf("the limit matters in %d positions only", matters)
	}
}

// A selective search of any depth proves only true wins and losses: quiescence must not
// continue beyond the ply limit.
func TestPlyLimitProofsAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	s := newSearcher(Knowledge[oware.Position]{Eval: evaluations.Captures{}}, Options{}, newTable(1<<20))
	s.tuning.TableDepth = 1
	proofs := 0
	for _, x := range endings(rng, 600, 6) {
		limit, _ := x.root.PlyLimit()
		left := limit - len(x.history)
		want, _ := AlphaBeta(x.root, x.history, left, evaluations.Captures{})
		for _, depth := range []int{1, 2, left, left + 3} {
			got := s.Search(context.Background(), x.root, x.history, Limits{Depth: depth}, Query{})
			if Proven(got.Score) {
				proofs++
				if got.Score > 0 != (want > 0) || want == 0 {
					t.Errorf("%v, %d plies left, depth %d: %d, but the game ends with %d", x.root, left, depth, got.Score, want)
				}
			} else if depth >= left && want != 0 {
				t.Errorf("%v, %d plies left, depth %d: %d, but the game ends with %d", x.root, left, depth, got.Score, want)
			}
		}
	}
	if proofs < 400 {
		t.Errorf("%d proofs only", proofs)
	}
}

func TestPlyLimitEndsTheGameAtTheRoot(t *testing.T) {
	p := board(t, oware.Arena, "1-0-0-0-0-1-1-0-0-0-0-1-23-21-S")
	s := NewSearcher(captures, Options{HashMB: -1})
	for plies, over := range map[int]bool{199: false, 200: true, 201: true} {
		r := s.Search(context.Background(), p, make([]oware.Position, plies), Limits{Depth: 3}, Query{})
		if r.Terminal != over || r.Score <= 0 {
			t.Errorf("after %d plies: %+v", plies, r)
		}
	}
}
