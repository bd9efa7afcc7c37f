package search

import (
	"context"
	"math/rand/v2"
	"testing"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

// textbook searches by a textbook algorithm.
func textbook[P Position[P]](a Algorithm, root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	t := Textbook[P]{Algorithm: a, Eval: eval}
	score, _ = t.Search(context.Background(), root, history, depth)
	return score, t.Nodes
}

func Minimax[P Position[P]](root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	return textbook(TextbookMinimax, root, history, depth, eval)
}

func AlphaBeta[P Position[P]](root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	return textbook(TextbookAlphaBeta, root, history, depth, eval)
}

func TestOraclesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, r := range allRules {
		for _, x := range append(midgames(rng, r, 30), endgames(rng, r, 60, 8)...) {
			depth := rng.IntN(6)
			want, all := Minimax(x.root, x.history, depth, evaluations.Captures{})
			ab, fewer := AlphaBeta(x.root, x.history, depth, evaluations.Captures{})
			ns, _ := textbook(TextbookNegascout, x.root, x.history, depth, evaluations.Captures{})
			if ab != want || ns != want {
				t.Errorf("%v depth %d: minimax %d, alpha-beta %d, negascout %d", x.root, depth, want, ab, ns)
			}
			if fewer > all {
				t.Errorf("%v depth %d: alpha-beta visits %d nodes, minimax %d", x.root, depth, fewer, all)
			}
		}
	}
}

func TestTextbookSearchesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []Algorithm{TextbookMinimax, TextbookAlphaBeta, TextbookNegascout} {
		s := Textbook[oware.Position]{Algorithm: name, Eval: evaluations.Captures{}}
		if s.Search(ctx, oware.Start(oware.Abapa), nil, 60); s.Nodes > 6000 {
			t.Errorf("%s visits %d nodes after it was stopped", name, s.Nodes)
		}
	}
}

func TestMinimaxOfTerminalRoot(t *testing.T) {
	won := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-1-1-0-0-0-0-0-25-21-S"))(t)
	if score, nodes := Minimax(won, nil, 3, evaluations.Captures{}); score != Win || nodes != 1 {
		t.Errorf("score %d in %d nodes: want %d in 1", score, nodes, Win)
	}
}

// evenEval evaluates every unfinished game as even.
var evenEval = EvaluatorFunc[tictactoe.Position](func(tictactoe.Position) int { return 0 })

func TestTicTacToeForks(t *testing.T) {
	p, err := tictactoe.ParseBoard("X...O...X") // O to move: a corner loses to a fork, an edge draws
	testkit.NoError(t, err)
	r := NewSearcher(Knowledge[tictactoe.Position]{Eval: evenEval}, Options{HashMB: 1}).Search(context.Background(), p, nil, Limits{}, Query{AllMoves: true})
	want := map[Move]int{1: 0, 3: 0, 5: 0, 7: 0, 2: 4 - Win, 6: 4 - Win}
	for _, l := range r.Lines {
		testkit.Equal(t, l.Score, want[l.Move], "move %d", l.Move)
	}
	if r.Score != 0 || len(r.Lines) != len(want) {
		t.Errorf("search: %+v", r)
	}
}
