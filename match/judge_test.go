package match

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// toldPlayer keeps what it is told of the clock.
type toldPlayer struct {
	Player
	clocks Clocks
}

func (p *toldPlayer) SetClock(c Clocks) { p.clocks = c }

func TestBookPlayerPassesTheClockOn(t *testing.T) {
	told := &toldPlayer{}
	want := Clocks{Left: [2]time.Duration{time.Minute, time.Second}}
	if (&bookPlayer{Player: told}).SetClock(want); told.clocks != want {
		t.Errorf("told %+v", told.clocks)
	}
}

func TestMakeOpeningsIsReproducible(t *testing.T) {
	path := filepath.Join(t.TempDir(), "openings.ogn")
	var want []byte
	for workers := range 4 {
		req := OpeningsRequest{
			SuiteConfig: SuiteConfig{Plies: 4, Bound: 100, N: 20, Seed: 3, Workers: workers},
			Config:      engine.Config{Depth: 4, HashMB: 1},
			Eval:        engine.Captures(),
		}
		n, err := MakeOpenings(context.Background(), req, path, func(int64, int64) {})
		if err != nil || n != 20 {
			t.Fatal(n, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = text
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%d workers write another file", workers)
		}
	}
	openings, err := ReadOpenings(path, oware.Abapa, 0)
	if err != nil || len(openings) != 20 {
		t.Fatal(len(openings), err)
	}
	e, err := engine.New(engine.Oware(), engine.Captures(), engine.Config{Depth: 4, HashMB: 1}, "abapa")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.NewSearcher()
	for _, o := range openings {
		s.Clear()
		g, err := o.Game()
		if err != nil {
			t.Fatal(err)
		}
		r := s.Search(t.Context(), g.Position(), nil, search.Limits{Depth: 4}, search.Query{})
		if r.Score < -100 || r.Score > 100 {
			t.Errorf("%s is worth %d", g.Position(), r.Score)
		}
	}
}

func TestOpeningsGoOnWhereTheyWereStopped(t *testing.T) {
	dir := t.TempDir()
	req := OpeningsRequest{
		SuiteConfig: SuiteConfig{Plies: 3, Bound: 100, Workers: 1},
		Config:      engine.Config{Depth: 4, HashMB: 1},
	}
	searched := 0
	req.Eval = engine.Evaluation[oware.Position]{Name: "counting", Evaluator: search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		searched++
		return evaluations.Captures{}.Evaluate(p)
	})}
	whole, stopped := filepath.Join(dir, "whole.ogn"), filepath.Join(dir, "stopped.ogn")
	if _, err := MakeOpenings(t.Context(), req, whole, nil); err != nil {
		t.Fatal(err)
	}
	all := searched
	ctx, cancel := context.WithCancel(t.Context())
	searched = 0
	counting := req.Eval.Evaluator
	req.Eval.Evaluator = search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		if searched > all/2 {
			cancel()
		}
		return counting.Evaluate(p)
	})
	if _, err := MakeOpenings(ctx, req, stopped, nil); err == nil {
		t.Fatal("not stopped")
	}
	req.Eval.Evaluator, searched = counting, 0
	if _, err := MakeOpenings(t.Context(), req, stopped, nil); err != nil {
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

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
