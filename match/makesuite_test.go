package match

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func openEngine(t *testing.T, eval engine.Evaluation[oware.Position]) *engine.Engine[oware.Position] {
	t.Helper()
	e, err := engine.New(engine.Oware(), eval, engine.Config{Depth: 4, HashMB: 1}, "abapa")
	testkit.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

func TestMakeOpeningsIsReproducible(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "openings.ogn")
	var want []byte
	for workers := range 4 {
		c := SuiteConfig{Plies: 4, Bound: 100, N: 20, Seed: 3, Workers: workers}
		n, err := MakeOpenings(context.Background(), openEngine(t, engine.Captures()), c, path, func(int64, int64) {})
		if err != nil || n != 20 {
			t.Fatal(n, err)
		}
		text, err := os.ReadFile(path)
		testkit.NoError(t, err)
		if want == nil {
			want = text
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%d workers write another file", workers)
		}
	}
	openings, err := readOpenings(path, oware.Descriptor(), "abapa", 0)
	if err != nil || len(openings) != 20 {
		t.Fatal(len(openings), err)
	}
	e := openEngine(t, engine.Captures())
	s := e.NewSearcher()
	for _, o := range openings {
		s.Clear()
		g := lineOf(t, o)
		r, err := s.Search(t.Context(), g.Position(), nil, search.Limits{Depth: 4}, search.Query{})
		if err != nil || r.Score < -100 || r.Score > 100 {
			t.Errorf("%s is worth %d", g.Position(), r.Score)
		}
	}
}

func TestOpeningsGoOnWhereTheyWereStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := SuiteConfig{Plies: 3, Bound: 100, Workers: 1}
	searched := 0
	eval := engine.Evaluation[oware.Position]{Name: "counting", Evaluator: search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		searched++
		return evaluations.Captures{}.Evaluate(p)
	})}
	whole, stopped := filepath.Join(dir, "whole.ogn"), filepath.Join(dir, "stopped.ogn")
	if _, err := MakeOpenings(t.Context(), openEngine(t, eval), c, whole, nil); err != nil {
		t.Fatal(err)
	}
	all := searched
	ctx, cancel := context.WithCancel(t.Context())
	searched = 0
	counting := eval.Evaluator
	eval.Evaluator = search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		if searched > all/2 {
			cancel()
		}
		return counting.Evaluate(p)
	})
	if _, err := MakeOpenings(ctx, openEngine(t, eval), c, stopped, nil); err == nil {
		t.Fatal("not stopped")
	}
	eval.Evaluator, searched = counting, 0
	if _, err := MakeOpenings(t.Context(), openEngine(t, eval), c, stopped, nil); err != nil {
		t.Fatal(err)
	}
	if searched == 0 || searched > all*3/4 {
		t.Errorf("the second half took %d evaluations, the whole %d", searched, all)
	}
	if got, want := readFile(t, stopped), readFile(t, whole); got != want {
		t.Error("the suite differs from one made at once")
	}
	if _, err := os.Stat(stopped + ".journal"); err == nil {
		t.Error("the journal is left")
	}
}
