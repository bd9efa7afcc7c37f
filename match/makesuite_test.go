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
	"kroo/internal/journal/journaltest"
	"kroo/internal/testkit"
	"kroo/internal/wal"
)

func openEngine(t *testing.T, eval engine.Evaluation[oware.Position]) *engine.Engine[oware.Position] {
	t.Helper()
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Depth: 4, HashMB: 1}}, "abapa"))(t)
	t.Cleanup(func() { e.Close() })
	e.Eval = eval
	return e
}

func TestMakeOpeningsIsReproducible(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "openings.ogn")
	var want []byte
	for workers := range 4 {
		c := SuiteConfig{Plies: 4, Bound: 100, N: 20, Seed: 3, Workers: workers}
		n, err := MakeOpenings(context.Background(), openEngine(t, engine.Captures()), c, path, nil)
		if err != nil || n != 20 {
			t.Fatal(n, err)
		}
		text := testkit.Read(t, path)
		if want == nil {
			want = text
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%d workers write another file", workers)
		}
	}
	openings, err := readOpenings(path, oware.Descriptor(), "abapa")
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

func TestOpeningsSurviveCrashes(t *testing.T) { // alone: it makes writes fail
	all := 0 // evaluations without a journal
	openings := func(dir string, depth int) ([]byte, int, error) {
		evaluated, known := 0, int64(0)
		e, err := engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Depth: depth, HashMB: 1, Tables: engine.NoTables}}, "abapa")
		testkit.NoError(t, err)
		defer e.Close()
		e.Eval = engine.Evaluation[oware.Position]{Name: "counting", Evaluator: search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
			evaluated++
			return evaluations.Captures{}.Evaluate(p)
		})}
		out := filepath.Join(dir, "out.ogn")
		if c, err := wal.Inspect(out+".journal", nil); err == nil {
			known = c.Records
		}
		n, err := MakeOpenings(t.Context(), e, SuiteConfig{Plies: 3, Bound: 100, Workers: 1}, out, nil)
		if err != nil {
			return nil, 0, err
		}
		if all = max(all, evaluated); n == 0 || known > 150 && evaluated > all/2 {
			t.Errorf("%d openings, %d evaluations after %d searches, %d without", n, evaluated, known, all)
		}
		if _, err := os.Stat(out + ".journal"); err == nil {
			t.Error("the journal is left")
		}
		return testkit.Read(t, out), -1, nil
	}
	journaltest.Run(t, journaltest.Work{
		Journal: "out.ogn.journal",
		Do:      func(dir string) ([]byte, int, error) { return openings(dir, 4) },
		Others:  map[string]func(string) error{"limits": func(dir string) error { _, _, err := openings(dir, 5); return err }},
	})
}
