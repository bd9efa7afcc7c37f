package programs

import (
	"context"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games/oware"
)

// shell is a program that answers go with a shell command.
func shell(onGo string) client.Command {
	return client.Command{Path: "sh", Args: []string{"-c", `while read -r line; do case "$line" in
uci) echo id name Shell; echo option name Hash type spin default 1 min 1 max 9; echo uciok;;
isready) echo readyok;;
go*) ` + onGo + `;;
quit) exit;;
esac; done`}}
}

// answers searches positions with a program.
func answers(t *testing.T, c client.Command, jobs ...engine.Job[oware.Position]) (map[int]search.Result, error) {
	t.Helper()
	k := engine.Oware()
	e, err := engine.New(k, engine.Captures(), engine.Config{Depth: 1, HashMB: 1, Tables: engine.NoTables}, "abapa")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	p, err := New(t.Context(), k.Game, c, 2, e.NewSearcher)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name() != "Shell" {
		t.Errorf("the name is %q", p.Name())
	}
	found := map[int]search.Result{}
	return found, p.Search(t.Context(), func(_ context.Context, ask func(engine.Job[oware.Position]) error) error {
		for i, j := range jobs {
			j.Number, j.Limits.Depth = i, 3
			if err := ask(j); err != nil {
				return err
			}
		}
		return nil
	}, func(j engine.Job[oware.Position], r search.Result) error {
		found[j.Number] = r
		return nil
	})
}

func position(t *testing.T, text string) engine.Job[oware.Position] {
	t.Helper()
	p, err := oware.Descriptor().Parse("abapa", text)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Job[oware.Position]{Position: p}
}

func TestAnswersAreTheProgramsWord(t *testing.T) {
	t.Parallel()
	start, over := position(t, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"), position(t, "0-0-0-0-0-0-0-0-0-0-0-1-30-17-N")
	over.Position = position(t, "0-0-0-0-0-0-0-0-0-0-0-0-30-18-S").Position
	found, err := answers(t, shell("echo info depth 3 nodes 77 score cp -35; echo bestmove B"), start, over, start)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 2} {
		if r := found[i]; r.Best != 1 || r.Score != -35 || r.Depth != 3 || r.Nodes != 77 || r.Proven || r.Terminal {
			t.Errorf("answer %d: %+v", i, r)
		}
	}
	if r := found[1]; !r.Terminal || r.Score <= 0 {
		t.Errorf("a game that is over: %+v", r)
	}
	mate, err := answers(t, shell("echo info depth 3 score mate 2; echo bestmove B"), start)
	if r := mate[0]; err != nil || r.Score != search.MaxHeuristic || r.Proven {
		t.Errorf("a mate: %+v, error %v", r, err)
	}
}

func TestProgramsThatFailAreNamed(t *testing.T) {
	t.Parallel()
	start := position(t, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")
	all := start
	all.AllMoves = true
	for _, c := range []struct {
		onGo, want string
		job        engine.Job[oware.Position]
	}{
		{"exit 3", "crashed", start},
		{"echo bestmove B", "told no score", start},
		{"echo bestmove z9", "z9", start},
		{"echo info score cp 1; echo bestmove B", "all moves", all},
	} {
		if _, err := answers(t, shell(c.onGo), c.job); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "4-4-4") {
			t.Errorf("%s: error %v: want one with %q and the position", c.onGo, err, c.want)
		}
	}
}

// Labels of one program or setting are not gone on with by another.
func TestSignaturesTellProgramsApart(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	plain, option, other := shell("exit"), shell("exit"), shell("exit 1")
	option.Options = []client.Option{{Name: "Hash", Value: "2"}}
	for _, c := range []client.Command{plain, option, other} {
		p, err := New[oware.Position](t.Context(), oware.Descriptor(), c, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Signature(); seen[s] || strings.Contains(s, "\n") {
			t.Errorf("signature %s", s)
		}
		seen[p.Signature()] = true
	}
}
