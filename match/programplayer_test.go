package match

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci"
	"kroo/engine/uci/client"
	"kroo/games/othello"
	"kroo/internal/testkit"
)

// TestMain turns the test binary into an engine, which breaks at its second move of a game in the
// way of its second argument, if given.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asEngine {
		if err := serve(&breaksDown{w: os.Stdout, how: os.Args[2]}); err != nil {
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 3 && os.Args[1] == asOthello {
		if err := serveOthello(); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const (
	asEngine  = "engine"
	asOthello = "othello"
)

// serveOthello is a program that plays Othello.
func serveOthello() error {
	e, err := engine.Open(context.Background(), engine.Othello(), engine.Spec{Search: engine.Config{HashMB: 1}}, "8x8")
	if err != nil {
		return err
	}
	s, err := uci.New(e, uci.Config{})
	if err != nil {
		return err
	}
	return s.Serve(context.Background(), os.Stdin, os.Stdout)
}

// Kroo's UCI server for Othello, driven by Kroo's client, plays the moves of a search to the
// same depth.
func TestAProgramForOthelloPlaysAsTheEngineInside(t *testing.T) {
	t.Parallel()
	cfg := Config{Pairs: 2, OpeningPlies: 4, Seed: 1, Config: engine.Config{Depth: 3, HashMB: 1}}
	playing := func(t *testing.T, text string) *result[othello.Position] {
		c := testkit.Must(engine.ParseSpec(text))(t)
		a := testkit.Must(openContestant(t.Context(), engine.Othello(), c, cfg))(t)
		b := testkit.Must(openContestant(t.Context(), engine.Othello(), engine.Spec{Weights: "greedy"}, cfg))(t)
		return testkit.Must(runMatch(t.Context(), match[othello.Position]{Config: cfg, Game: othello.Descriptor(), A: a, B: b}, nil))(t)
	}
	inside := playing(t, "depth=3")
	testkit.Equal(t, comment(engine.Answer{Time: 2 * time.Millisecond})+comment(engine.Answer{}), "time 0.002s", "a move without a score")
	outside := playing(t, "cmd="+os.Args[0]+" "+asOthello+" play,depth=3,name=default")
	if outside.Score != inside.Score || outside.Score.Forfeits != [2]int{} {
		t.Errorf("score %+v, of the same engine inside %+v", outside.Score, inside.Score)
	}
	for i, rec := range outside.Games {
		if len(rec.Moves) < 30 || len(rec.Moves) != len(inside.Games[i].Moves) {
			t.Fatalf("game %d: %d moves, by the same engine inside %d", i, len(rec.Moves), len(inside.Games[i].Moves))
		}
		for k, m := range rec.Moves {
			if m.Move != inside.Games[i].Moves[k].Move {
				t.Fatalf("game %d, ply %d: move %d, by the same engine inside %d", i, k+1, m.Move, inside.Games[i].Moves[k].Move)
			}
		}
	}
}

// serve is a program that plays oware.
func serve(out io.Writer) error {
	e, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: engine.NoTables}}, "abapa")
	if err != nil {
		return err
	}
	server, err := uci.New(e, uci.Config{})
	if err != nil {
		return err
	}
	return server.Serve(context.Background(), os.Stdin, out)
}

// breaksDown passes output on up to the second bestmove.
type breaksDown struct {
	mu    sync.Mutex
	w     io.Writer
	how   string
	moves int
}

func (b *breaksDown) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if at := bytes.Index(text, []byte("bestmove")); at >= 0 {
		b.moves++
		if b.moves == 2 {
			if _, err := b.w.Write(text[:at]); err != nil {
				return 0, err
			}
			switch b.how {
			case "crash":
				os.Exit(7)
			case "hang":
				time.Sleep(time.Hour)
			case "babble":
				_, err := b.w.Write(bytes.Repeat([]byte("\x00\xff\n"), 1<<20))
				return len(text), err
			case "cheat":
				_, err := b.w.Write([]byte("bestmove (none)\n"))
				return len(text), err
			}
		}
	}
	return b.w.Write(text)
}

func newProgram(t *testing.T, how string, options ...client.Option) owareContestant {
	t.Helper()
	c := client.Command{Path: os.Args[0], Args: []string{asEngine, how}, Hang: 500 * time.Millisecond, Options: options}
	if how == "" {
		c.Hang = time.Minute
	}
	return programEntrant(t, c)
}

func programEntrant(t *testing.T, c client.Command) owareContestant {
	t.Helper()
	e := testkit.Must(openContestant(t.Context(), engine.Oware(), engine.Spec{Name: "program", Search: engine.Config{Nodes: 300}, Program: c}, Config{}))(t)
	e.LimitsText, e.Timed = "", false
	return e
}

func TestBookMovesOfAProgramAreRecordedAsSuch(t *testing.T) {
	t.Parallel()
	withBook := newProgram(t, "", client.Option{Name: "OwnBook", Value: "true"})
	r := mustPlay(t, Config{Pairs: 1}, withBook, newEngine("engine", 200))
	if r.BookMovesA == 0 || r.BookMovesB != 0 || !strings.HasPrefix(r.Games[0].Moves[0].Comment, "book") {
		t.Errorf("%d book moves, first %q", r.BookMoves, r.Games[0].Moves[0].Comment)
	}
}

func TestProgramsThatBreakDownLoseTheirGamesAlone(t *testing.T) {
	for how, want := range map[string]string{
		"crash":  "forfeit: crashed: exit status 7",
		"hang":   "forfeit: hung: no bestmove",
		"babble": "forfeit: garbage: ",
		"cheat":  "forfeit: illegal: no move where there is one",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			r := mustPlay(t, Config{Pairs: 2, OpeningPlies: 4, Seed: 1, Concurrency: 2}, newProgram(t, how), newEngine("engine", 100))
			if r.Score.Forfeits != [2]int{4, 0} || r.Score.Losses != 4 {
				t.Errorf("%s: %+v, expected four forfeits", how, r.Score)
			}
			for _, rec := range r.Games {
				if end := rec.Tag("Termination"); !strings.HasPrefix(end, want) || len(rec.Moves) < 6 {
					t.Errorf("%s: ended by %q after %d plies, expected %q after a few moves", how, end, len(rec.Moves), want)
				}
			}
		})
	}
}

func TestMissingProgramLosesEveryGame(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gone")
	testkit.NoError(t, os.Symlink(testkit.Must(filepath.Abs(os.Args[0]))(t), path))
	gone := programEntrant(t, client.Command{Path: path, Args: []string{asEngine, ""}})
	testkit.NoError(t, os.Remove(path))
	r := mustPlay(t, Config{Pairs: 1, Concurrency: 1}, gone, newEngine("engine", 100))
	if r.Score.Forfeits != [2]int{2, 0} {
		t.Errorf("%+v", r.Score)
	}
}

func TestTimeOdds(t *testing.T) {
	t.Parallel()
	cfg := Config{Pairs: 1, Concurrency: 1, MoveTimes: true, TimeControl: engine.TimeControl{Base: time.Hour}}
	odds := newEngine("engine", 100)
	odds.Clock = engine.TimeControl{Base: time.Minute, Inc: time.Second}
	r := mustPlay(t, cfg, newEngine("other", 100), odds)
	if r.Score.Forfeits != [2]int{} {
		t.Fatalf("%+v: %q", r.Score, r.Games[0].Tag("Termination"))
	}
	for i, want := range []string{"1h0m0s, 1m0s+1s", "1m0s+1s, 1h0m0s"} {
		testkit.Equal(t, r.Games[i].Tag("TimeControl"), want, "game %d: clocks", i)
		if c := r.Games[i].Moves[1].Comment; !strings.Contains(c, " time 0.") {
			t.Errorf("game %d: comment %q has no time", i, c)
		}
	}
}

func TestProgramUnderAClock(t *testing.T) {
	t.Parallel()
	cfg := Config{
		Pairs: 1, OpeningPlies: 30, Seed: 2, Concurrency: 1,
		TimeControl: engine.TimeControl{Base: 2 * time.Second}, Margin: engine.Duration{Duration: time.Minute},
	}
	newA := newProgram(t, "")
	if r := mustPlay(t, cfg, newA, newEngine("engine", 100)); r.Score.Forfeits != [2]int{} {
		t.Errorf("%+v: %q", r.Score, r.Games[0].Tag("Termination"))
	}
}

// closingPlayer records when it is closed.
type closingPlayer struct {
	oddPlayer
	closed *int
}

func (p *closingPlayer) Close() { *p.closed++ }

func TestPlayersAreClosed(t *testing.T) {
	t.Parallel()
	made, closed := 0, 0
	newA := contestantOf("odd", func() owarePlayer {
		made++
		return &closingPlayer{oddPlayer{nil, func(context.Context, *owareLine) (engine.Answer, error) { panic("broken") }}, &closed}
	})
	mustPlay(t, Config{Pairs: 3, OpeningPlies: 2, Concurrency: 1}, newA, newEngine("engine", 50))
	if made != closed || made != 6 { // the first, and one after each game but the last
		t.Errorf("%d players made, %d closed", made, closed)
	}
}

func TestPlayersInheritSettingsOfMatch(t *testing.T) {
	t.Parallel()
	common := engine.Config{Nodes: 100, HashMB: 16}
	clocked := engine.Config{Depth: search.MaxPly, HashMB: 16}
	for _, tt := range []struct {
		c    engine.Spec
		m    Config
		want engine.Config
	}{
		{engine.Spec{}, Config{Config: common}, common},
		{engine.Spec{Search: engine.Config{HashMB: 1}}, Config{Config: common}, engine.Config{Nodes: 100, HashMB: 1}},
		{engine.Spec{Search: engine.Config{Depth: 3}}, Config{Config: common}, engine.Config{Depth: 3, HashMB: 16}},
		{engine.Spec{Clock: engine.TimeControl{Base: 1}}, Config{Config: common}, clocked},
		{engine.Spec{}, Config{Config: engine.Config{HashMB: 16}, TimeControl: engine.TimeControl{Base: 1}}, clocked},
	} {
		testkit.Equal(t, mergedSearch(tt.c, tt.m), tt.want, "%+v", tt.c)
	}
}

func TestProgramsThatDoNotWorkAreRefusedBeforeTheMatch(t *testing.T) {
	t.Parallel()
	c, err := engine.ParseSpec("cmd=./no-such-program")
	testkit.NoError(t, err)
	_, err = openContestant(t.Context(), engine.Oware(), c, Config{Pairs: 1})
	testkit.ErrorContains(t, err, "no-such-program")
}

// Records describe a player limited only by a clock by its clock alone.
func TestAClockIsNoLimitOfDepth(t *testing.T) {
	minute := engine.TimeControl{Base: time.Minute}
	common := engine.Config{HashMB: 1, Tables: engine.NoTables}
	for _, c := range []struct {
		player string
		match  Config
		want   string
	}{
		{"captures", Config{Config: common, TimeControl: minute}, "a clock, hash 1 MiB, no tables"},
		{"weights=captures,tc=1m", Config{Config: common, TimeControl: minute}, "a clock, hash 1 MiB, no tables"},
		{"weights=captures,depth=9", Config{Config: common, TimeControl: minute}, "depth 9, hash 1 MiB, no tables"},
		{"weights=captures,depth=512", Config{Config: common}, "depth 512, hash 1 MiB, no tables"},
		{"cmd=" + os.Args[0] + " " + asEngine + " never", Config{Config: common, TimeControl: minute}, "a clock, OwnBook false"},
		{"cmd=" + os.Args[0] + " " + asEngine + " never,nodes=7", Config{Config: common, TimeControl: minute}, "nodes 7, OwnBook false"},
		{"cmd=" + os.Args[0] + " " + asEngine + " never,nodes=7,option.ownbook=true", Config{Config: common, TimeControl: minute}, "nodes 7"},
	} {
		p := testkit.Must(engine.ParseSpec(c.player))(t)
		c.match.Pairs = 1
		e := testkit.Must(openContestant(t.Context(), engine.Oware(), p, c.match))(t)
		defer e.Close()
		testkit.Equal(t, e.LimitsText, c.want, "%s: limits", c.player)
	}
}
