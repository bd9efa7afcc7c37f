package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// suiteOf makes openings of lines and boards.
func suiteOf(t *testing.T, lines ...string) []owareOpening {
	t.Helper()
	var suite []owareOpening
	for _, text := range lines {
		o := owareOpening{Start: oware.Start(oware.Abapa)}
		if strings.Contains(text, "-") {
			var err error
			o.Start, err = oware.ParseBoard(oware.Abapa, text)
			if err != nil {
				t.Fatal(err)
			}
			text = ""
		}
		for i := range len(text) {
			m, _, err := oware.ParseMove(text[i])
			testkit.NoError(t, err)
			o.Moves = append(o.Moves, m)
		}
		suite = append(suite, o)
	}
	return suite
}

// given is a match from given openings.
func given(cfg Config, suite []owareOpening, a, b owareContestant) owareMatch {
	m := playOf(cfg, a, b)
	m.Suite = suite
	return m
}

func TestGivenOpeningsArePlayedInOrder(t *testing.T) {
	t.Parallel()
	suite := suiteOf(t, "FfE", northBoard, "Aa")
	cfg := Config{Pairs: 3, Log: filepath.Join(t.TempDir(), "log")}
	want := mustPlayMatch(t, given(cfg, suite, newEngine("a", 100), newRandom("b", 1)))
	for i, rec := range want.Games {
		o := suite[i/2]
		if rec.Start != o.Start || len(rec.Moves) <= len(o.Moves) {
			t.Errorf("game %d begins at %s and has %d moves", i, rec.Start, len(rec.Moves))
		}
		for ply, m := range rec.Moves {
			if (m.Comment == "opening") != (ply < len(o.Moves)) || ply < len(o.Moves) && m.Move != o.Moves[ply] {
				t.Errorf("game %d, ply %d: %+v", i, ply, m)
			}
		}
	}
	if parsed, err := oware.Descriptor().ParseRecords(strings.NewReader(ogn(t, want)), "x"); err != nil || !reflect.DeepEqual(parsed, want.Games) {
		t.Errorf("the games do not read back: %v", err)
	}
	if again := mustPlayMatch(t, given(cfg, suite, newEngine("a", 100), newRandom("b", 1))); !reflect.DeepEqual(again, want) {
		t.Error("otherwise from the log")
	}
}

// A varying player plays the given openings too, and random ones of the asked plies without any.
func TestAVaryingPlayerPlaysTheOpeningsOfTheMatch(t *testing.T) {
	t.Parallel()
	varying := newEngine("a", 100)
	varying.Varies = true
	suite := suiteOf(t, "FfE")
	for _, c := range []struct {
		plies int
		suite []owareOpening
		want  int
	}{{0, suite, 3}, {4, suite, 3}, {4, nil, 4}, {0, nil, 0}} {
		m := given(Config{Pairs: 3, OpeningPlies: c.plies}, c.suite, varying, newRandom("b", 1))
		m.Rules = oware.Abapa.String()
		openings := testkit.Must(m.findOpenings())(t)
		for _, o := range openings {
			testkit.Equal(t, len(o.Moves), c.want, "plies of an opening, %d of %d given openings", c.plies, len(c.suite))
		}
	}
}

func TestGivenOpeningsAreChecked(t *testing.T) {
	t.Parallel()
	good := suiteOf(t, "Ff", "Aa")
	awari := []owareOpening{{Start: oware.Start(oware.Awari)}}
	for want, c := range map[string]struct {
		cfg   Config
		suite []owareOpening
	}{
		"3 pairs from 2 openings":      {Config{Pairs: 3}, good},
		"opening 1: under awari rules": {Config{Pairs: 1}, awari},
		"opening 2: it ends the game":  {Config{Pairs: 1}, append(good[:1:1], suiteOf(t, wonBoard)...)},
		"opening 2: 2 plies":           {Config{Pairs: 1, MaxPlies: 2}, append(suiteOf(t, "F"), good...)},
		"opening 1: ply 3: illegal":    {Config{Pairs: 1}, suiteOf(t, "FfF")},
	} {
		_, err := runMatch(context.Background(), given(c.cfg, c.suite, newRandom("a", 1), newRandom("b", 2)), nil)
		testkit.ErrorContains(t, err, want)
	}
}

// says makes a player who moves at random and always reports the same score.
func says(name string, score, depth int) owareContestant {
	return contestantOf(name, func() owarePlayer {
		random := &randomPlayer{seed: 3}
		return &oddPlayer{func(ctx context.Context) error { return random.NewGame(ctx, 0) }, func(ctx context.Context, l *owareLine) (engine.Answer, error) {
			c, err := random.Move(ctx, l, nil)
			c.Score, c.Depth = score, depth
			return c, err
		}}
	})
}

func TestAgreedWinEndsTheGame(t *testing.T) {
	t.Parallel()
	cfg := Config{Pairs: 4, OpeningPlies: 3, AdjudicateWin: AdjudicateWin{Score: 400, Moves: 6}, Log: filepath.Join(t.TempDir(), "log")}
	r := mustPlay(t, cfg, says("a", 450, 3), says("b", -400, 3))
	if r.Score.Wins != 8 || r.Score.DiffPairs != 0 || r.Score.Forfeits != [2]int{} {
		t.Errorf("%+v", r.Score)
	}
	for _, rec := range r.Games {
		if len(rec.Moves) != 3+12 || rec.Tag("Termination") != "adjudication by score" {
			t.Errorf("%d plies, %s", len(rec.Moves), rec.Tag("Termination"))
		}
	}
	if again := mustPlay(t, cfg, says("a", 450, 3), says("b", -400, 3)); !reflect.DeepEqual(again, r) {
		t.Error("otherwise from the log")
	}
	cfg.Log = ""
	for _, other := range []owareContestant{says("b", 400, 3), says("b", -399, 3), says("b", -400, 0)} {
		for _, rec := range mustPlay(t, cfg, says("a", 450, 3), other).Games {
			if got := rec.Tag("Termination"); strings.HasPrefix(got, "adjudication") {
				t.Errorf("players who do not agree: %s", got)
			}
		}
	}
}

func TestAgreedDrawEndsTheGame(t *testing.T) {
	t.Parallel()
	cfg := Config{Pairs: 4, OpeningPlies: 3, AdjudicateDraw: AdjudicateDraw{Score: 10, Moves: 2, Plies: 8}}
	r := mustPlay(t, cfg, says("a", 10, 1), says("b", -10, 1))
	if r.Score.Draws != 8 || r.Score.DiffPairs != 0 {
		t.Errorf("%+v", r.Score)
	}
	for _, rec := range r.Games {
		if len(rec.Moves) != 8+4 || rec.Result != games.DrawnGame || rec.Tag("Termination") != "adjudication by score" {
			t.Errorf("%d plies, %s, %s", len(rec.Moves), rec.Result, rec.Tag("Termination"))
		}
	}
}

func TestLogIsOfItsOpeningsAdjudicationAndClock(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	of := func() owareMatch {
		return given(Config{Pairs: 1, Log: log}, suiteOf(t, "Ff"), newRandom("a", 1), newRandom("b", 2))
	}
	mustPlayMatch(t, of())
	for want, change := range map[string]func(*owareMatch){
		"openings":        func(m *owareMatch) { m.Suite = suiteOf(t, "Fe") },
		"adjudicate win":  func(m *owareMatch) { m.AdjudicateWin = AdjudicateWin{400, 6} },
		"adjudicate draw": func(m *owareMatch) { m.AdjudicateDraw = AdjudicateDraw{10, 20, 60} },
		"player A.clock":  func(m *owareMatch) { m.TimeControl.Base = time.Hour },
	} {
		other := of()
		change(&other)
		_, err := runMatch(context.Background(), other, nil)
		testkit.ErrorContains(t, err, "other settings: "+want)
	}
	for want, c := range map[string]Config{
		"a win by score":  {Pairs: 1, AdjudicateWin: AdjudicateWin{Moves: 1}},
		"a draw by score": {Pairs: 1, AdjudicateDraw: AdjudicateDraw{Score: 1}},
		"time control":    {Pairs: 1, TimeControl: engine.TimeControl{Moves: 40, Inc: 1}},
	} {
		_, err := runMatch(context.Background(), playOf(c, newRandom("a", 1), newRandom("b", 2)), nil)
		testkit.ErrorContains(t, err, want)
	}
}

func TestSlowPlayerLosesOnTime(t *testing.T) {
	waits := contestantOf("odd", func() owarePlayer {
		return &oddPlayer{nil, func(ctx context.Context, _ *owareLine) (engine.Answer, error) {
			<-ctx.Done()
			return engine.Answer{}, ctx.Err()
		}}
	})
	cfg := Config{Pairs: 1, OpeningPlies: 4, TimeControl: engine.TimeControl{Base: 20 * time.Millisecond}, Margin: engine.Duration{Duration: time.Millisecond}}
	r := mustPlay(t, cfg, waits, waits)
	if r.Score.Forfeits != [2]int{1, 1} {
		t.Errorf("%+v", r.Score)
	}
	for _, rec := range r.Games {
		if rec.Tag("Termination") != "forfeit: time" || rec.Tag("TimeControl") != "20ms" {
			t.Errorf("%v", rec.Tags)
		}
	}
}

// An engine without limits of its own plays by the clock, with a margin wide enough for any machine.
func TestEnginePlaysByTheClock(t *testing.T) {
	cfg := Config{Pairs: 1, OpeningPlies: 4, MaxPlies: 24, TimeControl: engine.TimeControl{Base: 100 * time.Millisecond, Inc: time.Millisecond}, Margin: engine.Duration{Duration: time.Minute}}
	r := mustPlay(t, cfg, newEngine("a", 0), newEngine("b", 0))
	if r.Score.Forfeits != [2]int{} || r.Score.Games() != 2 {
		t.Errorf("%+v: %v", r.Score, r.Games[0].Tags)
	}
}

// clockedPlayer records its clock and plays the first legal move, after a while by the test's fake
// time.
type clockedPlayer struct {
	oddPlayer
	told *client.Clock
}

func (p *clockedPlayer) Move(ctx context.Context, l *owareLine, c *client.Clock) (engine.Answer, error) {
	p.told = c
	return p.oddPlayer.Move(ctx, l, c)
}

// timedGame is a game of two clocked players in a time of its own.
type timedGame struct {
	clock   *clock
	game    *owareLine
	player  *clockedPlayer
	thinks  time.Duration // for the next move
	elapsed time.Duration
}

func newTimedGame(tc engine.TimeControl, margin time.Duration) *timedGame {
	tb := &timedGame{clock: newClock([2]engine.TimeControl{tc, tc}, margin), game: oware.Descriptor().NewLine(oware.Start(oware.Abapa)), player: &clockedPlayer{}}
	tb.clock.now = func() time.Time { return time.Unix(0, 0).Add(tb.elapsed) }
	tb.player.oddPlayer.move = func(_ context.Context, g *owareLine) (engine.Answer, error) {
		tb.elapsed += tb.thinks
		return engine.Answer{Move: g.Position().AppendMoves(nil)[0], Time: time.Hour}, nil
	}
	return tb
}

func (tb *timedGame) move(thinks time.Duration) (engine.Answer, error) {
	tb.thinks = thinks
	return (&slot[oware.Position]{player: tb.player}).askTimed(context.Background(), tb.clock, int(tb.game.Position().ToMove()), tb.game)
}

func TestClocksRunForEachSide(t *testing.T) {
	const s = time.Second
	tb := newTimedGame(engine.TimeControl{Base: 100 * s, Inc: 3 * s}, 2*s)
	for ply, c := range []struct{ thinks, remaining time.Duration }{
		{10 * s, 100 * s}, {50 * s, 100 * s}, {1 * s, 93 * s}, {53 * s, 53 * s}, // North uses all
		{97 * s, 95 * s}, {5 * s, 3 * s}, // both overrun within the margin
		{0, 3 * s}, {0, 3 * s}, {0, 6 * s},
	} {
		choice, err := tb.move(c.thinks)
		if err != nil || choice.Time != c.thinks {
			t.Fatalf("ply %d: %v, measured %s, thought %s", ply, err, choice.Time, c.thinks)
		}
		side := oware.Side(ply % 2)
		if told := tb.player.told; told.Left[side] != c.remaining || told.Inc != [2]time.Duration{3 * s, 3 * s} {
			t.Errorf("ply %d: told %+v, want %s", ply, told, c.remaining)
		}
	}
	if _, err := tb.move(8*s + 1); err != errFlag { // North had 6, and 2 of margin
		t.Errorf("an overrun beyond the margin: %v", err)
	}
}

// Base is added after every period of a player's own moves, to what is left of the period before.
func TestPeriodsAddTimeAfterTheirMoves(t *testing.T) {
	const s = time.Second
	tb := newTimedGame(engine.TimeControl{Moves: 2, Base: 10 * s, Inc: s}, 0)
	for ply, c := range []struct {
		thinks, remaining time.Duration
		toGo              int
	}{
		{4 * s, 10 * s, 2}, {10 * s, 10 * s, 2},
		{1 * s, 7 * s, 1}, {1 * s, 1 * s, 1}, // the second moves of both: 10 s and the increment
		{0, 17 * s, 2}, {0, 11 * s, 2},
		{0, 18 * s, 1}, {0, 12 * s, 1},
		{0, 29 * s, 2},
	} {
		_, err := tb.move(c.thinks)
		testkit.NoError(t, err)
		told := tb.player.told
		testkit.Equal(t, told.Left[ply%2], c.remaining, "ply %d: time left", ply)
		testkit.Equal(t, told.MovesToGo, c.toGo, "ply %d: moves to go", ply)
	}
}

func TestTheNextPeriodComesTooLateForAFlagThatFalls(t *testing.T) {
	tb := newTimedGame(engine.TimeControl{Moves: 1, Base: time.Second}, 0)
	for range 4 {
		_, err := tb.move(time.Second)
		testkit.NoError(t, err)
	}
	if _, err := tb.move(time.Second + 1); err != errFlag {
		t.Errorf("an overrun in the last move of a period: %v", err)
	}
}

func TestAnIncrementAloneIsTheTimeOfTheFirstMove(t *testing.T) {
	const s = time.Second
	tb := newTimedGame(engine.TimeControl{Inc: s}, 0)
	for ply, c := range []struct{ thinks, remaining time.Duration }{{s, s}, {s / 4, s}, {s, s}, {0, s + s*3/4}} {
		_, err := tb.move(c.thinks)
		testkit.NoError(t, err)
		testkit.Equal(t, *tb.player.told, client.Clock{Left: tb.player.told.Left, Inc: [2]time.Duration{s, s}}, "ply %d", ply)
		testkit.Equal(t, tb.player.told.Left[ply%2], c.remaining, "ply %d: time left", ply)
	}
	if _, err := tb.move(s + 1); err != errFlag {
		t.Errorf("an overrun: %v", err)
	}
}

// A player whose time is used up to the margin still has a clock, not a search without limits.
func TestAClockAtZeroIsStillAClock(t *testing.T) {
	tb := newTimedGame(engine.TimeControl{Base: time.Second}, time.Second)
	for range 3 {
		_, err := tb.move(time.Second)
		testkit.NoError(t, err)
	}
	testkit.Equal(t, *tb.player.told, client.Clock{}, "the clocks")
}

// The log of a match, its records and its summary have the periods of its clock: the match resumes, and
// not under others.
func TestAMatchUnderAClockResumesUnderTheSameClock(t *testing.T) {
	t.Parallel()
	hours := engine.TimeControl{Moves: 40, Base: time.Hour, Inc: time.Second}
	cfg := Config{Pairs: 1, OpeningPlies: 4, Log: filepath.Join(t.TempDir(), "log"), TimeControl: hours}
	first := mustPlay(t, cfg, newRandom("a", 1), newRandom("b", 2))
	cfg.Pairs = 2
	both := mustPlay(t, cfg, newRandom("a", 1), newRandom("b", 2))
	if !reflect.DeepEqual(both.Games[:2], first.Games) {
		t.Error("the longer match has other games than its log")
	}
	testkit.Equal(t, both.Games[3].Tag("TimeControl"), "40/1h0m0s+1s", "the tag")
	text := testkit.Must(json.Marshal(both.Summary))(t)
	testkit.Contains(t, string(text), `"time_control":"40/1h0m0s+1s"`)
	for _, other := range []engine.TimeControl{{Moves: 41, Base: time.Hour, Inc: time.Second}, {Base: time.Hour, Inc: time.Second}} {
		cfg.TimeControl = other
		_, err := runMatch(t.Context(), playOf(cfg, newRandom("a", 1), newRandom("b", 2)), nil)
		testkit.ErrorContains(t, err, "clock")
	}
}

func TestFlagFallLosesTheGame(t *testing.T) {
	t.Parallel()
	s := &slot[oware.Position]{player: &oddPlayer{nil, func(ctx context.Context, _ *owareLine) (engine.Answer, error) {
		<-ctx.Done()
		return engine.Answer{}, ctx.Err()
	}}}
	l := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
	tc := engine.TimeControl{Base: time.Millisecond}
	k := newClock([2]engine.TimeControl{tc, tc}, time.Millisecond)
	if _, err := s.askTimed(context.Background(), k, 0, l); err != errFlag {
		t.Errorf("a player who never moves: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.askTimed(ctx, k, 0, l); !errors.Is(err, context.Canceled) {
		t.Errorf("a match that is stopped: %v", err)
	}
}

func TestNoTimesWithoutClock(t *testing.T) {
	tb := newTimedGame(engine.TimeControl{}, 0)
	if choice, err := tb.move(100 * time.Hour); err != nil || choice.Time != 100*time.Hour || tb.player.told != nil {
		t.Errorf("%v, time %s, told %+v", err, choice.Time, tb.player.told)
	}
}

// fromStart is a match of a player that varies from the start position alone.
func fromStart(nodes int64) Config {
	return Config{Pairs: 12, Seed: 3, Config: engine.Config{Nodes: nodes, HashMB: 1, Tables: engine.NoTables}}
}

// usual is "vary=on".
var usual = &engine.Vary{Within: 40, Plies: 12}

func TestVaryingPlayerMakesGamesFromOnePositionDiffer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(c Config, a, b engine.Spec, name string) (Summary, string) {
		t.Helper()
		out := filepath.Join(dir, name)
		sum, err := Run(t.Context(), engine.Oware(), c, a, b, Output{File: out}, nil)
		testkit.NoError(t, err)
		return sum, testkit.Text(t, out)
	}
	varying, steady := engine.Spec{Name: "b", Vary: usual}, engine.Spec{Name: "a"}
	c := fromStart(300)
	c.Concurrency = 1
	sum, want := run(c, steady, varying, "1")
	if sum.Score.Games() != 24 || sum.Distinct < 0.95 {
		t.Errorf("%d games, %.2f of them distinct", sum.Score.Games(), sum.Distinct)
	}
	testkit.Contains(t, want, "vary 40:12")
	records, err := oware.Descriptor().ParseRecords(strings.NewReader(want), "1")
	testkit.NoError(t, err)
	lines := map[string]bool{}
	for _, rec := range records {
		lines[fmt.Sprint(rec.Moves[0].Move, rec.Moves[1].Move, rec.Moves[2].Move, rec.Moves[3].Move, rec.Moves[4].Move, rec.Moves[5].Move)] = true
	}
	testkit.Equal(t, sum.Lines, len(lines), "sum.Lines")
	c.Concurrency = 3
	if _, got := run(c, steady, varying, "3"); got != want {
		t.Error("the games depend on the number of pairs at a time")
	}
	c.Seed = 4
	if _, got := run(c, steady, varying, "other"); got == want {
		t.Error("another seed plays the same games")
	}
	_, err = Run(t.Context(), engine.Oware(), c, steady, engine.Spec{Name: "b"}, Output{}, nil)
	testkit.ErrorContains(t, err, "let a player vary")
}

// The clock of the match counts as much as one of the player's own.
func TestMovesUnderAClockAreRecordedWithTheirTimes(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "games")
	c := fromStart(200)
	c.Pairs, c.TimeControl = 1, engine.TimeControl{Base: 10 * time.Second}
	if _, err := Run(t.Context(), engine.Oware(), c, engine.Spec{Name: "a", Book: engine.DefaultName}, engine.Spec{Name: "b"}, Output{File: out}, nil); err != nil {
		t.Fatal(err)
	}
	if text := testkit.Text(t, out); !strings.Contains(text, " time ") || !strings.Contains(text, "{book") {
		t.Error(text)
	}
}

// The moves that a varying player draws are within its margin of the best,
// early in the game, and the best ones later.
func TestVaryDrawsOnlyMovesNearTheBest(t *testing.T) {
	t.Parallel()
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Depth: 4, HashMB: 1, Tables: engine.NoTables}}, "abapa"))(t)
	vary := &engine.Vary{Within: 100, Plies: 10}
	e.Spec.Vary = vary
	p, twin := e.NewMover(), e.NewSearcher()
	others := 0
	for game := range uint64(20) {
		testkit.NoError(t, p.NewGame(t.Context(), game))
		l := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
		for l.Plies() < 14 {
			c := testkit.Must(p.Move(t.Context(), l, nil))(t)
			twin.Clear()
			r := testkit.Must(twin.Search(t.Context(), l.Position(), l.History(), search.Limits{Depth: 4}, search.Query{AllMoves: true}))(t)
			margin := 0
			if l.Plies() < vary.Plies {
				margin = vary.Within
			}
			for _, line := range r.Lines {
				if line.Move == c.Move && line.Score < r.Score-margin {
					t.Errorf("ply %d: a move worth %d where the best is worth %d", l.Plies(), line.Score, r.Score)
				}
			}
			if c.Move != r.Best {
				others++
			}
			testkit.NoError(t, l.Play(c.Move))
		}
	}
	if others < 20 {
		t.Errorf("only %d moves that are not the first among the best", others)
	}
}
