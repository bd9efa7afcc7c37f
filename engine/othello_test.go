package engine

import (
	"context"
	"math/rand/v2"
	"path/filepath"
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

func TestOthelloPlaysFittedPatterns(t *testing.T) {
	set, err := squares.PatternSets.Parse(othello.Small.String(), "mobility")
	testkit.NoError(t, err)
	w := make([]float64, set.Len())
	w[3] = 50 // three moves for the side to move
	m, err := squares.PatternSets.NewModel(othello.Small.String(), set, w, features.Provenance{})
	testkit.NoError(t, err)
	path := filepath.Join(t.TempDir(), "m.weights")
	testkit.NoError(t, m.Save(path))
	e, err := Open(t.Context(), Othello(), Spec{Weights: path, Search: Config{Depth: 1, HashMB: 1}}, "6x6")
	testkit.NoError(t, err)
	p := othello.Start(othello.Small).Play(othello.Start(othello.Small).AppendMoves(nil)[0])
	if got := e.Eval.Evaluate(p); e.Eval.Name != "weights "+m.Hash() || got != 320 { // 50 points of 6.4 hundredths
		t.Errorf("%s: %d, want 320", e.Eval.Name, got)
	}
	_, err = Open(t.Context(), Othello(), Spec{Weights: path, Search: Config{Depth: 1, HashMB: 1}}, "8x8")
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
