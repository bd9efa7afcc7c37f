package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// TestMain makes the test binary a UCI program: Kroo's own server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == asService {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	testenv.SideBySide(8)
	m.Run()
}

const asService = "service"

func serve() error {
	e, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: small}, "abapa")
	if err != nil {
		return err
	}
	s, err := uci.New(e, uci.Config{Name: "Twin"})
	if err != nil {
		return err
	}
	return s.Serve(context.Background(), os.Stdin, os.Stdout)
}

// small are the settings of the searches that are compared.
var small = engine.Config{Nodes: 2000, HashMB: 1, Tables: engine.NoTables}

// twin is Kroo's own server, as another program.
func twin() client.Command { return client.Command{Path: os.Args[0], Args: []string{asService}} }

// shell is a program that answers go with a shell command.
func shell(onGo string) client.Command {
	return client.Command{Path: "sh", Args: []string{"-c", `while read -r line; do case "$line" in
uci) echo id name Shell; echo option name Hash type spin default 1 min 1 max 9; echo uciok;;
isready) echo readyok;;
position*) at=$line;;
go*) ` + onGo + `;;
quit) exit;;
esac; done`}}
}

// opened returns an engine that searches with a program, or by itself for the zero Command.
func opened(tb testing.TB, c client.Command, rules string) *engine.Engine[oware.Position] {
	tb.Helper()
	e := testkit.Must(engine.Open(tb.Context(), engine.Oware(), engine.Spec{Weights: "captures", Search: small, Program: c}, rules))(tb)
	tb.Cleanup(func() { e.Close() })
	return e
}

// answers searches positions with a program.
func answers(t *testing.T, c client.Command, jobs ...engine.Job[oware.Position]) ([]engine.Answer, error) {
	t.Helper()
	pool := testkit.Must(opened(t, c, "abapa").Searchers(2))(t)
	found := make([]engine.Answer, len(jobs))
	for i := range jobs {
		jobs[i].Number = i
		if jobs[i].Limits == (search.Limits{}) {
			jobs[i].Limits.Depth = 3
		}
	}
	return found, pool.Search(t.Context(), parallel.List(jobs), func(j engine.Job[oware.Position], a engine.Answer) error {
		found[j.Number] = a
		return nil
	})
}

func position(t *testing.T, text string) engine.Job[oware.Position] {
	t.Helper()
	p := testkit.Must(oware.Descriptor().Parse("abapa", text))(t)
	return engine.Job[oware.Position]{Position: p}
}

const start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"

func TestAnswersAreThoseOfTheProgram(t *testing.T) {
	t.Parallel()
	first, over := position(t, start), position(t, "0-0-0-0-0-0-0-0-0-0-0-0-30-18-S")
	found := testkit.Must(answers(t, shell("echo info depth 3 nodes 77 score cp -35 pv Ba; echo bestmove B"), first, over, first))(t)
	for _, i := range []int{0, 2} {
		if r := found[i]; r.Move != 1 || r.Score != -35 || r.Depth != 3 || r.Nodes != 77 || r.Proven || !r.HasMove {
			t.Errorf("answer %d: %+v", i, r)
		}
	}
	if r := found[1]; r.HasMove || r.Score != search.Win {
		t.Errorf("a game that is over: %+v", r)
	}
	mate, err := answers(t, shell("echo info depth 3 score mate 2; echo bestmove B"), first)
	if r := mate[0]; err != nil || r.Score != search.MaxHeuristic || r.Proven {
		t.Errorf("a mate: %+v, error %v", r, err)
	}
	c := shell("echo info depth 3 score cp 300; echo bestmove B")
	c.Unit = 300
	if found, err := answers(t, c, first); err != nil || found[0].Score != 100 {
		t.Errorf("300 cp of a program whose unit is 300: %+v, error %v", found, err)
	}
}

// The slow, obvious twin of a search by another program is the search itself, which the
// program does: whatever the number of workers, results are the same.
func TestAProgramSearchesAsTheSearchInsideDoes(t *testing.T) {
	t.Parallel()
	own := opened(t, client.Command{}, "abapa")
	var jobs []engine.Job[oware.Position]
	p := oware.Start(oware.Abapa)
	for i := range 40 {
		jobs = append(jobs, engine.Job[oware.Position]{Position: p, Limits: search.Limits{Nodes: small.Nodes}})
		moves := p.AppendMoves(nil)
		p = p.Play(moves[i%len(moves)])
	}
	found := testkit.Must(answers(t, twin(), jobs...))(t)
	s := own.NewSearcher()
	for i, j := range jobs {
		s.Clear()
		want := testkit.Must(s.Search(t.Context(), j.Position, nil, j.Limits, search.Query{}))(t)
		if got := found[i]; !search.Proven(want.Score) && (got.Move != want.Best || got.Score != want.Score || got.Steady != want.Steady || got.Depth != want.Depth || got.Nodes != want.Nodes) {
			t.Errorf("%s: %+v, want %+v", j.Position, got, want)
		}
	}
}

// A search in a game includes the earlier positions, and iterations are reported.
func TestHistoryAndIterationsReachTheSearcher(t *testing.T) {
	t.Parallel()
	l := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
	testkit.NoError(t, l.PlayText("FfEe"))
	var seen [2][]string
	for i, c := range []client.Command{{}, twin()} {
		s := opened(t, c, "abapa").NewSearcher()
		s.Clear()
		r, err := s.Search(t.Context(), l.Position(), l.History(), search.Limits{Nodes: small.Nodes}, search.Query{Info: func(r search.Result) {
			seen[i] = append(seen[i], fmt.Sprint(r.Depth, r.Score, r.Steady, r.Nodes, r.Best, r.PV))
		}})
		if err != nil || len(seen[i]) < 3 || r.Best != r.PV[0] {
			t.Errorf("%+v, error %v, reported %q", r, err, seen[i])
		}
	}
	testkit.EqualSlices(t, seen[0], seen[1], "iterations")
	s := opened(t, twin(), "abapa").NewSearcher()
	if _, err := s.Search(t.Context(), l.Position(), l.History()[1:2], search.Limits{Depth: 1}, search.Query{}); err == nil {
		t.Error("a history that does not lead to the position is taken")
	}
}

// The scores of all moves are those of searches after each, a ply less deep.
func TestScoresOfAllMoves(t *testing.T) {
	t.Parallel()
	own := opened(t, client.Command{}, "abapa")
	wins := position(t, "0-0-0-0-0-1-0-0-0-0-0-1-24-22-S") // F captures f and wins; there is no other move
	first := position(t, start).Position
	them, s := opened(t, twin(), "abapa").NewSearcher(), own.NewSearcher()
	r := testkit.Must(them.Search(t.Context(), first, nil, search.Limits{Depth: 5}, search.Query{AllMoves: true}))(t)
	if len(r.Lines) != 6 || r.Depth != 5 || r.Lines[0].Move != r.Best || r.Proven {
		t.Errorf("%+v", r)
	}
	for i, l := range r.Lines {
		s.Clear()
		if i > 0 && l.Score > r.Lines[i-1].Score {
			t.Errorf("line %d is better than the one before: %+v", i, r.Lines)
		}
		want, err := s.Search(t.Context(), first.Play(l.Move), nil, search.Limits{Depth: 4}, search.Query{})
		if err != nil || l.Score != -want.Score {
			t.Errorf("move %d: %+v, want the score %d, error %v", l.Move, l, -want.Score, err)
		}
	}
	r = testkit.Must(them.Search(t.Context(), wins.Position, nil, search.Limits{Nodes: 600}, search.Query{AllMoves: true}))(t)
	if len(r.Lines) != 1 || !r.Proven && r.Score != search.MaxHeuristic {
		t.Errorf("a won game: %+v", r)
	}
	rounds := 0
	all, err := opened(t, twin(), "abapa").NewSearcher().Search(t.Context(), first, nil, search.Limits{Nodes: 60_000}, search.Query{AllMoves: true, Info: func(r search.Result) {
		rounds++
		if len(r.Lines) != 6 {
			t.Errorf("round %d: %+v", rounds, r)
		}
	}})
	if err != nil || rounds != 3 || len(all.Lines) != 6 {
		t.Errorf("%d rounds, %+v, error %v", rounds, all, err)
	}
	only, err := opened(t, twin(), "abapa").NewSearcher().Search(t.Context(), first, nil, search.Limits{Depth: 3}, search.Query{Only: []games.Move{2}})
	if err != nil || only.Best != 2 || len(only.Lines) != 1 || only.PV[0] != 2 {
		t.Errorf("one move: %+v, error %v", only, err)
	}
}

// lines counts the lines of a file, to which a program adds one at each start.
func lines(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// Every kind of fault is named after three tries, with the position and the last lines of the
// conversation.
func TestFaultsAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ onGo, want string }{
		"crashes":            {"exit 3", "crashed: exit status 3"},
		"ends":               {"exit 0", "ended before it answered: exit status 0"},
		"gives no score":     {"echo bestmove B", "gave no score"},
		"lies: no such move": {"echo info score cp 1; echo bestmove z9", "z9"},
		"lies: not legal":    {"echo info score cp 1; echo bestmove a", "illegal: move a"},
		"is mute":            {":", "hung: no bestmove"},
		"is slow":            {"sleep 0.6; echo info score cp 1; echo bestmove B", "late: "},
		"never answers":      {"exec sleep 100", "hung: no bestmove"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tries := filepath.Join(t.TempDir(), "tries")
			command := shell("echo >>" + tries + "; " + c.onGo)
			command.Hang = 50 * time.Millisecond
			_, err := answers(t, command, position(t, start))
			f, ok := errors.AsType[*engine.Fault](err)
			if !ok || !strings.Contains(err.Error(), c.want) || f.Position != start || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v: want one with %q", err, c.want)
			}
			if !ok || !strings.Contains(err.Error(), "> go depth 3") {
				t.Errorf("error %v: want the last lines", err)
			}
			testkit.Equal(t, lines(t, tries), 3, "tries")
		})
	}
}

// A program that fails twice is asked a third time.
func TestAProgramIsStartedAgain(t *testing.T) {
	t.Parallel()
	tries := filepath.Join(t.TempDir(), "tries")
	found, err := answers(t, shell("echo >>"+tries+"; [ $(wc -l <"+tries+") -lt 3 ] && exit 1; echo info score cp 9; echo bestmove B"), position(t, start))
	if err != nil || found[0].Score != 9 || lines(t, tries) != 3 {
		t.Errorf("%+v, error %v, %d tries", found, err, lines(t, tries))
	}
}

// With Failed set, a pool reports a fault and continues.
func TestPoolContinuesAfterFault(t *testing.T) {
	t.Parallel()
	pool := testkit.Must(opened(t, shell(`case "$at" in *startpos*) exit 1;; esac; echo info score cp 9; echo bestmove B`), "abapa").Searchers(2))(t)
	var failed, done []int
	pool.Failed = func(j engine.Job[oware.Position], err error) error {
		failed = append(failed, j.Number)
		if _, ok := errors.AsType[*engine.Fault](err); !ok {
			return err
		}
		return nil
	}
	second := oware.Start(oware.Abapa).Play(5)
	moved := oware.Start(oware.Abapa).Play(5).Play(5)
	jobs := []engine.Job[oware.Position]{{Number: 0, Position: moved}, {Number: 1, Position: oware.Start(oware.Abapa)}, {Number: 2, Position: moved}}
	for i := range jobs {
		jobs[i].Limits.Depth = 1
	}
	if err := pool.Search(t.Context(), parallel.List(jobs), func(j engine.Job[oware.Position], _ engine.Answer) error {
		done = append(done, j.Number)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(done)
	if !slices.Equal(failed, []int{1}) || !slices.Equal(done, []int{0, 2}) {
		t.Errorf("failed %v, done %v, after %s", failed, done, second)
	}
}

// A program without the rules option is refused for other rules.
func TestProgramGetsRulesOption(t *testing.T) {
	t.Parallel()
	_, err := engine.Open(t.Context(), engine.Oware(), engine.Spec{Search: small, Program: shell("exit")}, "awari")
	testkit.ErrorContains(t, err, "no option Rules")
	e := opened(t, twin(), "awari")
	p := oware.Start(oware.Awari)
	r, err := e.NewSearcher().Search(t.Context(), p, nil, search.Limits{Nodes: 500}, search.Query{})
	want, werr := opened(t, client.Command{}, "awari").NewSearcher().Search(t.Context(), p, nil, search.Limits{Nodes: 500}, search.Query{})
	if err != nil || werr != nil || r.Score != want.Score || r.Best != want.Best {
		t.Errorf("%+v, want %+v, errors %v, %v", r, want, err, werr)
	}
}

// Moves from a program's own book have no score, so the book is off unless the command sets the option.
func TestAProgramsOwnBookIsOff(t *testing.T) {
	t.Parallel()
	script := `book=true; while read -r line; do case "$line" in
uci) echo option name ownbook type check default true; echo option name BookFile type string; echo uciok;;
"setoption name OwnBook value "*) book=${line##* };;
isready) echo readyok;;
go*) [ $book = true ] || echo info score cp 9; echo bestmove B;;
quit) exit;;
esac; done`
	c := client.Command{Path: "sh", Args: []string{"-c", script}}
	found, err := answers(t, c, position(t, start))
	if err != nil || found[0].Score != 9 {
		t.Errorf("%+v, error %v", found, err)
	}
	if s := opened(t, c, "abapa").Signature(); !strings.Contains(s, "OwnBook=false") {
		t.Errorf("signature %s: expected OwnBook=false", s)
	}
	c.Options = []client.Option{{Name: "OwnBook", Value: "true"}}
	if _, err := answers(t, c, position(t, start)); err == nil || !strings.Contains(err.Error(), "gave no score") || !strings.Contains(err.Error(), "its options: ownbook, BookFile") {
		t.Errorf("with the book: error %v, expected no score, and the options of the book", err)
	}
}

// Closing the engine ends its processes.
func TestNoProcessOutlivesTheEngine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := shell("echo info score cp 9; echo bestmove B")
	c.Args[1] = "trap 'touch " + dir + "/ended' EXIT; " + c.Args[1]
	e := opened(t, c, "abapa")
	if err := os.Remove(filepath.Join(dir, "ended")); err != nil { // of the start that learns the name
		t.Fatal(err)
	}
	if _, err := e.NewSearcher().Search(t.Context(), oware.Start(oware.Abapa), nil, search.Limits{Depth: 1}, search.Query{}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ended")); err != nil {
		t.Error(err)
	}
}
