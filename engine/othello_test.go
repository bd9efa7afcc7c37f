package engine

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"kroo/engine/search"
	"kroo/features"
	squares "kroo/features/othello"
	"kroo/games/gametest"
	"kroo/games/othello"
	"kroo/internal/testkit"
)

// level is a built-in player of a level.
func level(t *testing.T, evaluation string, board othello.Rules) func(p othello.Position, depth int) othello.Move {
	t.Helper()
	e := testkit.Must(Open(t.Context(), Othello(), Spec{Weights: evaluation, Search: Config{Depth: 1, HashMB: 1, FullWidth: true}}, board.String()))(t)
	s := e.NewSearcher()
	return func(p othello.Position, depth int) othello.Move {
		s.Clear()
		r, err := s.Search(context.Background(), p, nil, search.Limits{Depth: depth}, search.Query{})
		if err != nil {
			t.Error(err)
		}
		return r.Best
	}
}

func TestLevelsOfFigure3LookAtReplies(t *testing.T) {
	e := testkit.Must(othelloEvaluation(figure3Name, "8x8"))(t)
	choose := level(t, figure3Name, othello.Large)
	rng := rand.New(rand.NewPCG(3, 15))
	differ := 0
	for range 30 {
		p, _ := gametest.RandomGame(rng, othello.Start(othello.Large), rng.IntN(50))
		for depth := 1; depth <= 3; depth++ {
			minimax := search.Textbook[othello.Position]{Eval: e.Evaluator}
			want, _ := minimax.Search(t.Context(), p, nil, depth)
			best := choose(p, depth)
			if got, _ := minimax.Search(t.Context(), p.Play(best), nil, depth-1); -got != want && max(-got, -want, got, want) < search.MaxHeuristic {
				t.Errorf("%s: level %d plays %s worth %d, want %d", p, depth, othello.MoveName(othello.Large, best), -got, want)
			}
			if best != choose(p, 1) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("all levels play alike")
	}
}

func TestOthelloPlaysFittedSquares(t *testing.T) {
	set := testkit.Must(squares.Sets.ByName("squares6"))(t)
	w := testkit.Must(features.New("othello", "6x6", set.Info, set.Names(), []float64{50, 0, 0, 0, 0}))(t)
	path := filepath.Join(t.TempDir(), "w.json")
	testkit.NoError(t, w.Save(path))
	spec := Spec{Weights: path, Search: Config{Depth: 1, HashMB: 1}}
	e := testkit.Must(Open(t.Context(), Othello(), spec, "6x6"))(t)
	p := testkit.Must(othello.ParseBoard(othello.Small, "X....X"+strings.Repeat(".", 24)+"O.....-X"))(t)
	if got := e.Eval.Evaluate(p); e.Eval.Name != "weights "+w.Hash() || got != 320 { // 50 points of 6.4 hundredths
		t.Errorf("%s: %d, want 320", e.Eval.Name, got)
	}
	_, err := Open(t.Context(), Othello(), spec, "8x8")
	testkit.Refused(t, err, "6x6")
}

func TestOthelloEvaluationsByNameAndBoard(t *testing.T) {
	for _, c := range []struct{ name, rules, want, refused string }{
		{"", "8x8", dynamicName, ""},
		{DefaultName, "6x6", greedyName, ""},
		{figure3Name, "8x8", figure3Name, ""},
		{greedyName, "6x6", greedyName, ""},
		{figure3Name, "6x6", "", "expected 6x6"},
		{"no such file", "8x8", "", "dynamic, figure3 or greedy"},
		{"greedy", "abapa", "", "8x8 or 6x6"},
	} {
		e, err := Open(t.Context(), Othello(), Spec{Weights: c.name, Search: Config{Depth: 1, HashMB: 1}}, c.rules)
		if c.refused != "" {
			testkit.Refused(t, err, c.refused)
			continue
		}
		if err != nil || e.Eval.Name != c.want {
			t.Errorf("%q under %s: %v, error %v, want %s", c.name, c.rules, e, err, c.want)
		}
	}
}
