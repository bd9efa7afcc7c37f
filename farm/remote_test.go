package farm

import (
	"context"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/tictactoe"
	"kroo/internal/parallel"
)

// asked is a network that keeps what it is asked for.
type asked struct{ work Work }

func (a *asked) Do(_ context.Context, w Work, _ parallel.Feed[Task]) error {
	a.work = w
	return nil
}

func (a *asked) Programs(context.Context, ...string) ([]Program, error) { return nil, nil }

// A program that hangs is started again and asked again by the worker, which takes minutes:
// the deadline of a session must not come first, or the hang would not count as its fault.
func TestAProgramHasTimeToHang(t *testing.T) {
	for _, p := range []Program{{}, {Name: "theirs", Calls: "Theirs 1", Identity: "1"}} {
		kit, want := engine.TicTacToe(), DeadlineOf(engine.Config{Nodes: 1000})
		if p != (Program{}) {
			kit, want = Kit(kit, p), ProgramDeadline
		}
		e, err := engine.Open(kit, "", "", engine.Config{Nodes: 1000, HashMB: 1, Tables: engine.NoTables}, kit.Game.Rules[0])
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		var net asked
		pool, err := Searches(&net, e, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		nothing := func(context.Context, func(engine.Job[tictactoe.Position]) error) error { return nil }
		if err := pool.Search(t.Context(), nothing, func(engine.Job[tictactoe.Position], search.Result) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if net.work.Deadline != want {
			t.Errorf("%q: a deadline of %s, want %s", p.Name, net.work.Deadline, want)
		}
	}
}
