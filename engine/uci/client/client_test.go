package client

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

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

func start(t *testing.T, c Command) *Client[oware.Position] {
	t.Helper()
	p := New(oware.Descriptor(), c)
	testkit.NoError(t, p.Run(t.Context()))
	t.Cleanup(p.Close)
	return p
}

func newGame() *games.Line[oware.Position] {
	return oware.Descriptor().NewLine(oware.Start(oware.Abapa))
}

func TestASearch(t *testing.T) {
	t.Parallel()
	c := fakeCommand("none")
	c.Options = []Option{{"hash", "4"}, {"Clear Hash", ""}}
	p := start(t, c)
	if p.Name() != "Fake 1" || !slices.Equal(p.Options(), []Spec{{Name: "Hash", Kind: "spin", Default: "1", Min: 1, Max: 9}, {Name: "Clear Hash", Kind: "button"}}) {
		t.Errorf("name %q, options %v", p.Name(), p.Options())
	}
	testkit.NoError(t, p.NewGame(t.Context()))
	a, err := p.Search(t.Context(), newGame(), Limits{Depth: 7}, nil)
	if err != nil || a.Best != 5 || a.Score != 123 || a.Depth != 7 || a.Nodes != 4567 || a.Time <= 0 {
		t.Errorf("answer %+v, error %v", a, err)
	}
	waitFor(t, "setoption name Clear Hash", p.process.lastWords)
	if err := p.setOptions(t.Context(), []Option{{"Hash", "2\nquit"}}); err == nil {
		t.Error("a value of two lines is set")
	}
}

func (p *process) lastWords() string {
	text, _ := p.stderr.Load().(string)
	return text
}

// waitFor gives another process the time to be seen.
func waitFor(t *testing.T, want string, get func() string) {
	t.Helper()
	for range 1000 {
		if get() == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%q: expected %q", get(), want)
}

func TestFaultsOfASearch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault  string
		kind   kind
		detail string
		limits Limits
		hang   time.Duration
	}{
		{fault: "crash", kind: kindCrashed, detail: `exit status 2, "panic: index out of range"`},
		{fault: "closes its output", kind: kindCrashed, detail: "closed its output"},
		{fault: "hang", kind: kindHung, detail: "nor after stop", limits: Limits{MoveTime: 10 * time.Millisecond}},
		{fault: "hang", kind: kindHung, detail: "nor after stop", hang: 10 * time.Millisecond},
		{fault: "late", kind: kindLate, detail: "for a move of 10ms, margin 5ms", limits: Limits{MoveTime: 10 * time.Millisecond}},
		{fault: "illegal", kind: kindIllegal, detail: "move f in 4-4-"},
		{fault: "no move", kind: kindIllegal, detail: "no move where there is one"},
		{fault: "nonsense", kind: kindGarbage, detail: "e2e4"},
		{fault: "bare bestmove", kind: kindGarbage, detail: "expected A to F"},
		{fault: "flood", kind: kindGarbage, detail: `more than 100 lines like "thinking very hard"`},
		{fault: "flood of info", kind: kindHung, detail: "nor after stop", hang: 10 * time.Millisecond},
		{fault: "endless line", kind: kindHung, detail: "nor after stop", hang: 10 * time.Millisecond},
		{fault: "binary", kind: kindGarbage, detail: `bestmove "??": expected A to F`},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			c := fakeCommand(tt.fault)
			c.Margin = 5 * time.Millisecond
			if tt.hang > 0 {
				c.Hang = tt.hang
			}
			if tt.limits == (Limits{}) {
				tt.limits.Depth = 1
			}
			p := start(t, c)
			_, err := p.Search(t.Context(), newGame(), tt.limits, nil)
			if f, ok := errors.AsType[*protocolFault](err); !ok || f.Kind != tt.kind || !strings.Contains(f.Detail, tt.detail) {
				t.Errorf("error %v: expected %s, …%s…", err, tt.kind, tt.detail)
			}
			if p.process != nil {
				t.Error("the program still runs")
			}
			testkit.NoError(t, p.NewGame(t.Context())) // starts it again
		})
	}
}

// Hang is for searches that nothing else limits in time: with a clock, the flag does.
func TestAProgramWithAClockTakesItsTime(t *testing.T) {
	t.Parallel()
	c := fakeCommand("thinks")
	c.Hang = time.Millisecond
	limits := Limits{Clock: &Clock{Left: [2]time.Duration{time.Minute, time.Minute}}}
	a, err := start(t, c).Search(t.Context(), newGame(), limits, nil)
	if err != nil || a.Best != 5 {
		t.Errorf("answer %+v, error %v", a, err)
	}
}

func TestFaultsAtTheStart(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"dies at once":   `crashed: exit status 3, "cannot find my book"`,
		"says nothing":   "hung: no uciok within 500ms",
		"flood at start": "hung: no uciok within 500ms",

		"another program": "crashed: exit status 1; it said: usage: other FILE | ?[1mno file",
		"xboard":          "crashed: exit status 1; it said: Max 5 | Error (unknown command): uci; does it speak xboard, not UCI?",
	} {
		c := fakeCommand(fault)
		if !strings.HasPrefix(want, "crashed") {
			c.StartUp = 500 * time.Millisecond
		}
		err := New(oware.Descriptor(), c).Run(t.Context())
		testkit.ErrorContains(t, err, want)
	}
}

func TestMissingProgram(t *testing.T) {
	for _, path := range []string{"", "no-such-program-here", "./no/such/program", t.TempDir()} {
		if err := New(oware.Descriptor(), Command{Path: path}).Run(t.Context()); err == nil {
			t.Errorf("%q: no error", path)
		}
	}
}

func TestToleratedOutput(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"banner", "debugging prints", "odd bytes", "none"} {
		p := start(t, fakeCommand(fault))
		for range 2 {
			if a, err := p.Search(t.Context(), newGame(), Limits{Nodes: 5}, nil); err != nil || a.Best != 5 {
				t.Errorf("%s: answer %+v, error %v", fault, a, err)
			}
		}
	}
}

// Of a line that is too long the words at its start count.
func TestLongLinesAreCut(t *testing.T) {
	t.Parallel()
	p := start(t, fakeCommand("long lines"))
	for range 2 {
		a, err := p.Search(t.Context(), newGame(), Limits{Nodes: 5}, nil)
		if err != nil || a.Best != 5 || a.Depth != 4 || a.Score != 7 || a.Nodes != 0 {
			t.Errorf("answer %+v, error %v", a, err)
		}
	}
	text := strings.Repeat(" ", 3) + "readyok nodes 123456\r\nreadyok\n"
	for longest, want := range map[int][]string{
		6:  {"read", "readyo"}, // only the first word is cut
		10: {"readyok", "readyok"},
		11: {"readyok", "readyok"},
		16: {"readyok nodes", "readyok"},
		22: {"readyok nodes", "readyok"},
		25: {"readyok nodes 123456", "readyok"},
	} {
		var got []string
		for batch := range ReadLines(strings.NewReader(text), longest, nil) {
			for _, l := range batch {
				if l.Err == nil {
					got = append(got, l.Text)
				}
			}
		}
		testkit.EqualSlices(t, got, want, "lines")
	}
}

func TestRepeatedAnswerIsIgnored(t *testing.T) {
	t.Parallel()
	p := start(t, fakeCommand("answers twice"))
	for range 3 {
		if a, err := p.Search(t.Context(), newGame(), Limits{Depth: 1}, nil); err != nil || a.Best != 5 {
			t.Fatalf("answer %+v, error %v", a, err)
		}
	}
}

func TestUnknownOptionIsRefused(t *testing.T) {
	t.Parallel()
	c := fakeCommand("none")
	c.Options = []Option{{"Hush", "1"}}
	err := New(oware.Descriptor(), c).Run(t.Context())
	testkit.ErrorContains(t, err, "did you mean Hash? expected Hash or Clear Hash")
	c.Options = []Option{{"Hash", "1\nquit"}}
	err = New(oware.Descriptor(), c).Run(t.Context())
	testkit.ErrorContains(t, err, "one line")
}

func TestAProgramThatStopsReading(t *testing.T) {
	t.Parallel()
	p := start(t, fakeCommand("reads nothing"))
	p.command.StartUp = 10 * time.Millisecond
	err := p.send(strings.Repeat("isready\n", 1<<17)) // more than a pipe takes
	testkit.ErrorContains(t, err, "hung: did not read its input for 10ms")
}

func TestContextEndsASearch(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{"begins and hangs": "nor after stop", "begins and is late": "context canceled"} {
		p := start(t, fakeCommand(fault))
		ctx, cancel := context.WithCancel(t.Context())
		_, err := p.Search(ctx, newGame(), Limits{Depth: 9}, func(a Answer) {
			if a.Depth == 1 {
				cancel()
			}
		})
		testkit.ErrorContains(t, err, want)
	}
	p := start(t, fakeCommand("begins and is late"))
	flag := flag{t.Context(), make(chan struct{})}
	_, err := p.Search(flag, newGame(), Limits{Clock: &Clock{}}, func(a Answer) {
		if a.Depth == 1 {
			close(flag.fallen)
		}
	})
	if f, ok := errors.AsType[*protocolFault](err); !ok || f.Kind != kindLate {
		t.Errorf("after the flag: error %v, expected late", err)
	}
}

// flag is a context whose deadline passes when a channel is closed.
type flag struct {
	context.Context
	fallen chan struct{}
}

func (f flag) Done() <-chan struct{} { return f.fallen }

func (f flag) Err() error {
	select {
	case <-f.fallen:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestProgramsRunInTheirFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := fakeCommand("none")
	c.Dir = dir
	c.Path = relative(t, c.Path)
	p := start(t, c)
	if p.process.cmd.Dir != dir || !filepath.IsAbs(p.process.cmd.Path) {
		t.Errorf("runs %s in %s", p.process.cmd.Path, p.process.cmd.Dir)
	}
}

func relative(t *testing.T, path string) string {
	t.Helper()
	here := testkit.Must(os.Getwd())(t)
	rel := testkit.Must(filepath.Rel(here, path))(t)
	return "." + string(filepath.Separator) + rel
}

func TestPositionCommand(t *testing.T) {
	g := newGame()
	testkit.Equal(t, positionCommand(oware.Descriptor(), g), "position startpos\n", "positionCommand")
	for _, m := range []oware.Move{5, 5, 4} {
		testkit.NoError(t, g.Play(m))
	}
	testkit.Equal(t, positionCommand(oware.Descriptor(), g), "position startpos moves FfE\n", "positionCommand")
	const board = "1-0-0-0-0-1-1-0-0-0-0-1-24-20-N"
	p := testkit.Must(oware.ParseBoard(oware.Awari, board))(t)
	testkit.Equal(t, positionCommand(oware.Descriptor(), oware.Descriptor().NewLine(p)), "position fen "+board+"\n", "positionCommand")
	l := tictactoe.Descriptor().NewLine(tictactoe.Start())
	testkit.NoError(t, l.PlayText("b2 a1"))
	testkit.Equal(t, positionCommand(tictactoe.Descriptor(), l), "position startpos moves b2 a1\n", "positionCommand")
}

func TestBestMoves(t *testing.T) {
	g := tictactoe.Descriptor()
	l := g.NewLine(tictactoe.Start())
	testkit.NoError(t, l.PlayText("b2 a1"))
	if m, err := parseBestMove(g, l.Position(), "c1 ponder a3"); err != nil || m != 2 {
		t.Errorf("move %d, error %v", m, err)
	}
	for text, want := range map[string]kind{"b2": kindIllegal, "c4": kindGarbage, "c1c2": kindGarbage, "": kindGarbage, "(none)": kindIllegal} {
		_, err := parseBestMove(g, l.Position(), text)
		if f, ok := errors.AsType[*protocolFault](err); !ok || f.Kind != want {
			t.Errorf("bestmove %s: error %v, expected %s", text, err, want)
		}
	}
}

func TestGoCommand(t *testing.T) {
	clock := &Clock{Left: [2]time.Duration{time.Minute, 2500 * time.Millisecond}, Inc: [2]time.Duration{0, 100 * time.Millisecond}}
	for want, l := range map[string]Limits{
		"go depth 9 nodes 1000\n":                             {Depth: 9, Nodes: 1000},
		"go movetime 1\n":                                     {MoveTime: time.Microsecond},
		"go wtime 60000 btime 2500 winc 0 binc 100\n":         {Clock: clock},
		"go wtime 60000 btime 2500 winc 0 binc 100 depth 3\n": {Clock: clock, Depth: 3},
		"go wtime 1000 btime 0 winc 0 binc 0 movestogo 7\n":   {Clock: &Clock{Left: [2]time.Duration{time.Second}, MovesToGo: 7}},
	} {
		if got, err := l.order(); got != want || err != nil {
			t.Errorf("%+v: %q, error %v, expected %q", l, got, err, want)
		}
	}
	if _, err := (Limits{}).order(); err == nil {
		t.Error("no limit: no error")
	}
}

var ofOware = scale{defaultUnit, 24}

// Scores are in hundredths of the game's unit, whatever the program's unit; chances count only
// without another score; a bound does not replace a score.
func TestScoresAreInTheGamesUnit(t *testing.T) {
	for text, want := range map[string]int{
		"info score cp 50":                                                   25,
		"info score cp -51 depth 3":                                          -26,
		"info score wdl 600 200 200":                                         960, // 0.4 of a won game, 24 seeds
		"info score cp 10 wdl 600 200 200":                                   5,
		"info score wdl 600 200 200 cp 10":                                   5,
		"info score wdl 600 200 2000":                                        0,
		"info depth 4 score cp 10\ninfo depth 5 score cp 90 lowerbound":      5,
		"info depth 5 score cp 90 lowerbound":                                45,
		"info depth 5 score cp 90 upperbound\ninfo depth 5 score cp 10":      5,
		"info depth 5 score cp 10\ninfo depth 6 currmove F currmovenumber 1": 5,
		"info depth 5 score cp 10\ninfo depth 6":                             5,
		"info score mate 1":                                                  search.Win - 1,
		"info depth 3 score mate 2 nodes 9":                                  search.Win - 3,
		"info depth 3 score mate -1 nodes 9":                                 2 - search.Win,
		"info score mate 999999999":                                          search.MaxHeuristic + 1,
		"info score mate -999999999":                                         -search.MaxHeuristic - 1,
		"info score cp 999999999":                                            search.Win / 2,
		"info score cp":                                                      0,
		"info string score cp 5":                                             0,
		"bestmove score cp 5":                                                0,
	} {
		var a Answer
		for l := range strings.Lines(text) {
			a.note(strings.TrimSpace(l), scale{200, 24})
		}
		if a.Score != want || a.Depth > 5 {
			t.Errorf("%q: score %d, depth %d: expected %d", text, a.Score, a.Depth, want)
		}
	}
}

// The last report for each depth is an iteration.
func TestInfoIsCalledPerIteration(t *testing.T) {
	t.Parallel()
	p := start(t, fakeCommand("iterations"))
	var reported []string
	a, err := p.Search(t.Context(), newGame(), Limits{Depth: 3}, func(a Answer) {
		reported = append(reported, fmt.Sprint(a.Depth, a.Score, a.Nodes, a.PV))
	})
	if want := []string{"1 5 10 [0]", "2 8 30 [5 5]", "3 9 40 [5]"}; err != nil || !slices.Equal(reported, want) {
		t.Errorf("%q, error %v: expected %q", reported, err, want)
	}
	testkit.EqualSlices(t, a.PV, []games.Move{5}, "line")
	said := strings.Join(p.Transcript(), "\n")
	if !strings.Contains(said, "> go depth 3\nreadyok\ninfo depth 1 score cp 4 nodes 9 pv B\ninfo depth 1 score cp 5 nodes 10 pv A\n") || !strings.HasSuffix(said, "bestmove F") {
		t.Errorf("transcript:\n%s", said)
	}
}

// A new game goes with the search that begins it.
func TestForgetGoesWithTheNextSearch(t *testing.T) {
	t.Parallel()
	p := start(t, fakeCommand("iterations"))
	for _, want := range []bool{false, true, false} {
		if want {
			p.Forget()
		}
		if _, err := p.Search(t.Context(), newGame(), Limits{Depth: 3}, nil); err != nil {
			t.Fatal(err)
		}
		testkit.Equal(t, slices.ContainsFunc(p.Transcript(), func(l string) bool { return l == "info string new game" }), want, "a new game is announced")
	}
}

func TestBookAnswer(t *testing.T) {
	for text, want := range map[string]bool{
		"info string book F, 5 points, chosen from F":                   true,
		"info string book F\ninfo depth 3 score cp 5":                   false, // and then a search
		"info string no book":                                           false,
		"info string":                                                   false,
		"info depth 1 score cp 5 pv F":                                  false,
		"info string book F\ninfo string the tables know the next move": true,
	} {
		var a Answer
		for l := range strings.Lines(text) {
			a.note(strings.TrimSpace(l), ofOware)
		}
		testkit.Equal(t, a.Book(), want, "%q", text)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("info depth 3 score cp 5 nodes 9 pv F\nbestmove F\n")
	f.Add("bestmove\xff\n\n\x00option name x type")
	f.Fuzz(func(t *testing.T, text string) {
		c := Client[oware.Position]{}
		var a Answer
		var came []Line
		for together := range ReadLines(strings.NewReader(text), maxLine, nil) {
			came = append(came, together...)
		}
		for _, l := range came {
			if strings.ContainsRune(l.Text, '\n') || len(l.Text) > maxLine {
				t.Errorf("line %q", l.Text)
			}
			c.greeting(l)
			c.ignore(l)
			a.note(l.Text, ofOware)
			c.conversation.add("", l.Text)
			c.game = oware.Descriptor()
			c.lineOf(oware.Start(oware.Abapa), a.pv)
			if m, err := parseBestMove(oware.Descriptor(), oware.Start(oware.Abapa), l.Text); err == nil && m > 5 {
				t.Errorf("move %d from %q", m, l.Text)
			}
		}
	})
}

// A missing folder is named, not the program.
func TestAMissingFolderIsNamed(t *testing.T) {
	self := testkit.Must(os.Executable())(t)
	for _, dir := range []string{filepath.Join(t.TempDir(), "none"), self} {
		_, err := run(Command{Path: self, Dir: dir})
		if err == nil || err.Error() != "dir="+dir+": no such folder" {
			t.Errorf("error %v", err)
		}
	}
}
