package search

import (
	"math/rand/v2"
	"testing"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func MTDF[P Position[P]](root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	return SearchTextbook(noContext, TextbookMTDF, root, history, depth, eval)
}

// The memory must not reuse a value that a repetition affected: endgames repeat within few
// plies.
func TestMTDFAgreesWithMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 0))
	fewer := 0
	for _, r := range allRules {
		for i, x := range append(midgames(rng, r, 20), endgames(rng, r, 60, 5)...) {
			depth := i % 7
			if x.root.Progress() >= 43 {
				depth = 6 + i%10
			}
			want, _ := AlphaBeta(x.root, x.history, depth, evaluations.Captures{})
			got, _ := MTDF(x.root, x.history, depth, evaluations.Captures{})
			testkit.Equal(t, got, want, "%v depth %d", x.root, depth)
		}
		start := oware.Start(r)
		want, all := AlphaBeta(start, nil, 11, evaluations.Captures{})
		got, nodes := MTDF(start, nil, 11, evaluations.Captures{})
		testkit.Equal(t, got, want, "%v", r)
		if nodes < all {
			fewer++
		}
	}
	if fewer == 0 {
		t.Error("the memory saves nothing")
	}
}
