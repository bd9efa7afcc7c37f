package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testenv"
)

var noContext = context.Background()

// Tic-tac-toe is solved: in sampled positions, UCT's move keeps the value of minimax.
func TestUCTPlaysTicTacToePerfectly(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	seen := map[tictactoe.Position]bool{}
	var visit func(p tictactoe.Position)
	visit = func(p tictactoe.Position) {
		if _, over := p.Terminal(); over || seen[p] {
			return
		}
		seen[p] = true
		moves := p.AppendMoves(nil)
		if random.IntN(testenv.Sample(60, 10)) == 0 || len(moves) > 7 {
			want, _ := Minimax(p, nil, 9, evenEval)
			m, mean, nodes := SearchUCT(t.Context(), p, nil, 60_000, random)
			if got, _ := Minimax(p.Play(m), nil, 9, evenEval); sign(-got) != sign(want) {
				t.Errorf("%v: plays %d, score %d, best %d: mean %.2f of %d positions", p, m, -got, want, mean, nodes)
			}
			if nodes < 60_000 || nodes > 60_020 {
				t.Errorf("%v: %d positions visited: want 60000 plus the rest of a round", p, nodes)
			}
		}
		for _, m := range moves {
			visit(p.Play(m))
		}
	}
	visit(tictactoe.Start())
	if len(seen) != 4520 { // of 5478, 958 end a game
		t.Errorf("%d positions", len(seen))
	}
}

func sign(n int) int { return max(-1, min(1, n)) }

// If a move wins immediately, UCT finds a winning move with a high mean.
func TestUCTFindsWinsOfOware(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	wins := 0
	for _, r := range allRules {
		for _, x := range endgames(random, r, 300, 8) {
			if _, over := x.root.Terminal(); over || len(x.root.AppendMoves(nil)) < 2 {
				continue
			}
			if score, _ := Minimax(x.root, x.history, 1, evaluations.Captures{}); score != Win-1 {
				continue
			}
			wins++
			m, mean, _ := SearchUCT(t.Context(), x.root, x.history, 20_000, random)
			after := append(slices.Clone(x.history), x.root)
			if score, _ := AlphaBeta(x.root.Play(m), after, 7, evaluations.Captures{}); score >= 0 || mean < 0.75 {
				t.Errorf("%v: plays %d with mean %.2f: want a win", x.root, m, mean)
			}
		}
	}
	if wins < 10 {
		t.Errorf("%d wins in one ply: want at least 10", wins)
	}
}

func TestUCTIsReproducibleAndStops(t *testing.T) {
	search := func(ctx context.Context, seed uint64) (Move, float64, int64) {
		return SearchUCT(ctx, oware.Start(oware.Abapa), nil, 50_000, rand.New(rand.NewPCG(seed, 0)))
	}
	m, mean, nodes := search(t.Context(), 1)
	if m2, mean2, nodes2 := search(t.Context(), 1); m != m2 || mean != mean2 || nodes != nodes2 {
		t.Error("the same seed gives another search")
	}
	if _, mean2, _ := search(t.Context(), 2); mean == mean2 {
		t.Error("a different seed gives the same search")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, nodes := search(stopped, 1); nodes > 5000 {
		t.Errorf("%d positions visited after it was stopped", nodes)
	}
}
