package study

import (
	"context"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// The counts were found first by a program that shares no code with this one. They are
// of games that no majority of seeds ends, as in the source.
func TestListingsAgreeWithPublishedSeconds(t *testing.T) {
	counts := map[string]map[int]int64{
		alphaBetaListing: {13: 1_519_419, 14: 2_837_418, 15: 9_016_343},
		negascoutListing: {13: 960_997, 14: 1_868_335, 15: 5_856_337},
	}
	if testenv.Long() {
		counts[alphaBetaListing][18], counts[negascoutListing][18] = 99_351_501, 63_897_624
	}
	for _, l := range owareListings(t.Context(), engine.Captures().Evaluator) {
		for depth, want := range counts[l.name] {
			if c := l.fresh()(oware.Start(oware.SimpleToEnd), depth); c.nodes != want || c.score != 0 {
				t.Errorf("%s, depth %d: %d positions, value %d: want %d and 0", l.name, depth, c.nodes, c.score, want)
			}
		}
	}
}

// payoffMinimax is the slow twin of the listings.
func payoffMinimax(p oware.Position, depth int) int {
	if diff, over := p.Terminal(); over {
		return 100 * diff
	}
	if depth == 0 {
		return engine.Captures().Evaluate(p)
	}
	best := -infinity
	for _, m := range p.AppendMoves(nil) {
		best = max(best, -payoffMinimax(p.Play(m), depth-1))
	}
	return best
}

func TestListingsFindTheMinimaxOfSeeds(t *testing.T) {
	list := testkit.Must(positions(t.Context(), owareSubject(), Sample{Rules: "simple-to-end", Positions: 100, Seed: 3}))(t)
	over := 0
	for i, p := range list {
		depth := 1 + i%5
		want := payoffMinimax(p, depth)
		for _, l := range owareListings(t.Context(), engine.Captures().Evaluator) {
			if got := l.fresh()(p, depth).score; got != want {
				t.Errorf("%s: %s finds %d at depth %d: want %d", p, l.name, got, depth, want)
			}
		}
		minimax := search.Textbook[oware.Position]{Eval: engine.Captures().Evaluator}
		if score, _ := minimax.Search(t.Context(), p, nil, depth); search.Proven(score) {
			over++
		}
	}
	if over == 0 {
		t.Error("no game ends within the searches")
	}
}

func TestListingsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, l := range owareListings(ctx, engine.Captures().Evaluator) {
		if nodes := l.fresh()(oware.Start(oware.Simple), 60).nodes; nodes > 6000 {
			t.Errorf("%s visits %d positions after it was stopped", l.name, nodes)
		}
	}
}
