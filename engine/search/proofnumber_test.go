package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"kroo/features/oware"
	rules "kroo/games/oware"
	"kroo/games/tictactoe"
)

// The test visits every position of tic-tac-toe.
func TestProofNumbersAgreeWithMinimax(t *testing.T) {
	seen := map[tictactoe.Position]bool{}
	wins := 0
	var visit func(p tictactoe.Position)
	visit = func(p tictactoe.Position) {
		if seen[p] {
			return
		}
		seen[p] = true
		value, _ := Minimax(p, nil, 9, evenEval)
		if value > 0 {
			wins++
		}
		if got, known, nodes := SearchProofNumber(t.Context(), p, nil, 1_000_000); !known || got != (value > 0) {
			t.Errorf("%v: wins %v, known %v after %d positions: want %d", p, got, known, nodes, value)
		}
		if _, over := p.Terminal(); over {
			return
		}
		for _, m := range p.AppendMoves(nil) {
			visit(p.Play(m))
		}
	}
	for _, m := range tictactoe.Start().AppendMoves(nil) { // from the start minimax takes seconds
		visit(tictactoe.Start().Play(m))
	}
	if len(seen) != 5477 || wins < 1000 {
		t.Errorf("%d positions, %d won", len(seen), wins)
	}
}

// Results in oware endgames with a history, where repetitions end games, agree with a deep
// alpha-beta search.
func TestProofNumbersAgreeInEndgames(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	for _, r := range allRules {
		won, not := 0, 0
		for _, x := range endgames(random, r, 150, 4) {
			wins, known, _ := SearchProofNumber(t.Context(), x.root, x.history, 20_000)
			if !known {
				continue
			}
			score, _ := AlphaBeta(x.root, x.history, 14, oware.Captures{})
			switch {
			case Proven(score) && wins != (score > 0):
				t.Errorf("%v after %v: wins %v: want %d", x.root, x.history, wins, score)
			case Proven(score) && wins:
				won++
			case Proven(score):
				not++
			}
		}
		if won < 5 || not < 5 {
			t.Errorf("%v: %d won, %d not: want more to compare", r, won, not)
		}
	}
}

func TestProofNumberSearchStops(t *testing.T) {
	start := rules.Start(rules.Abapa)
	if _, known, nodes := SearchProofNumber(t.Context(), start, nil, 10_000); known || nodes < 10_000 || nodes > 10_006 {
		t.Errorf("known %v after %d positions: want about 10000", known, nodes)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, known, nodes := SearchProofNumber(ctx, start, nil, 1<<40); known || nodes != 1 {
		t.Errorf("known %v after %d positions of a cancelled search", known, nodes)
	}
}
