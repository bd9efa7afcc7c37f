package match

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/journal/journaltest"
	"kroo/internal/testkit"
	"kroo/match/elo"
)

// randomPlayer moves at random, the same in every game.
type randomPlayer struct {
	seed uint64
	r    *rand.Rand
	buf  []oware.Move
}

// Shorthands for the game of most tests.
type (
	owarePlayer     = engine.Mover[oware.Position]
	owareContestant = contestant[oware.Position]
	owareOpening    = Opening[oware.Position]
	owareMatch      = match[oware.Position]
	owareResult     = result[oware.Position]
	owareLine       = games.Line[oware.Position]
)

func newRandom(name string, seed uint64) owareContestant {
	return contestantOf(name, func() owarePlayer { return &randomPlayer{seed: seed} })
}

// contestantOf is a contestant with players of the test instead of those of its engine.
func contestantOf(name string, make func() owarePlayer) owareContestant {
	e := newEngine(name, 1)
	e.New = make
	return e
}

func (p *randomPlayer) NewGame(context.Context, uint64) error {
	p.r = rand.New(rand.NewPCG(p.seed, 0))
	return nil
}
func (p *randomPlayer) Move(_ context.Context, g *owareLine, _ *client.Clock) (engine.Answer, error) {
	p.buf = g.Position().AppendMoves(p.buf[:0])
	return engine.Answer{Move: p.buf[p.r.IntN(len(p.buf))], Score: -7, Depth: 1, Nodes: 2}, nil
}

func (p *randomPlayer) Close() {}

// oddPlayer plays as configured.
type oddPlayer struct {
	newGame func(context.Context) error
	move    func(context.Context, *owareLine) (engine.Answer, error)
}

func (p *oddPlayer) NewGame(ctx context.Context, _ uint64) error {
	if p.newGame != nil {
		return p.newGame(ctx)
	}
	return nil
}
func (p *oddPlayer) Move(ctx context.Context, g *owareLine, _ *client.Clock) (engine.Answer, error) {
	return p.move(ctx, g)
}
func (p *oddPlayer) Close() {}

// newEngine makes players by captured seeds, without tables; 0 nodes is no limit.
func newEngine(name string, nodes int64) owareContestant {
	e, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Nodes: nodes, HashMB: 1, Tables: engine.NoTables}}, "abapa")
	if err != nil {
		panic(err)
	}
	return owareContestant{nameOfPlayer: nameOfPlayer{Name: name}, New: e.NewMover, engine: e}
}

func playOf(cfg Config, a, b owareContestant) owareMatch {
	return owareMatch{Config: cfg, Game: oware.Descriptor(), A: a, B: b}
}

func mustPlay(t testing.TB, cfg Config, a, b owareContestant) *owareResult {
	t.Helper()
	return mustPlayMatch(t, playOf(cfg, a, b))
}

func mustPlayMatch(t testing.TB, m owareMatch) *owareResult {
	t.Helper()
	return testkit.Must(runMatch(context.Background(), m, nil))(t)
}

func ogn(t *testing.T, r *owareResult) string {
	t.Helper()
	var b bytes.Buffer
	testkit.NoError(t, writeRecords(&b, oware.Descriptor(), r.Games, ""))
	return b.String()
}

func TestPlayerAgainstItselfScoresHalf(t *testing.T) {
	t.Parallel()
	for _, rules := range oware.Descriptor().Rules {
		r := mustPlay(t, Config{Rules: rules, Pairs: 6, OpeningPlies: 4, Seed: 1}, newEngine("x", 500), newEngine("x", 500))
		if r.Score.Pairs != [5]int{0, 0, 6, 0, 0} || r.Score.Mean() != 0.5 || r.Score.DiffSum != 0 || r.Score.DiffSquares != 0 {
			t.Errorf("%s: %+v", rules, r.Score)
		}
		for i := 0; i < len(r.Games); i += 2 {
			if !reflect.DeepEqual(r.Games[i].Moves, r.Games[i+1].Moves) {
				t.Errorf("%s: the games of pair %d differ", rules, i/2)
			}
		}
	}
}

func TestStrongerPlayerWins(t *testing.T) {
	t.Parallel()
	r := mustPlay(t, Config{Pairs: 10, OpeningPlies: 4, Seed: 2}, newEngine("engine", 300), newRandom("random", 1))
	if r.Score.Wins != 20 || r.Score.DiffSum <= 0 {
		t.Errorf("the engine does not beat random moves: %+v", r.Score)
	}
	swapped := mustPlay(t, Config{Pairs: 10, OpeningPlies: 4, Seed: 2}, newRandom("random", 1), newEngine("engine", 300))
	want := elo.Score{Losses: 20, Pairs: [5]int{10}, DiffPairs: 10, DiffSum: -r.Score.DiffSum, DiffSquares: r.Score.DiffSquares}
	testkit.Equal(t, swapped.Score, want, "A and B exchanged")
}

func TestResultDoesNotDependOnConcurrency(t *testing.T) {
	t.Parallel()
	cfg := Config{Pairs: 12, OpeningPlies: 5, Seed: 3, Concurrency: 1}
	want := mustPlay(t, cfg, newEngine("a", 300), newEngine("b", 400))
	for _, cfg.Concurrency = range []int{0, 2, 5, 100} {
		got := mustPlay(t, cfg, newEngine("a", 300), newEngine("b", 400))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d pairs at a time: %+v, one at a time: %+v", cfg.Concurrency, got.Score, want.Score)
		}
	}
}

func TestGamesReplay(t *testing.T) {
	t.Parallel()
	for _, rules := range oware.Descriptor().Rules {
		cfg := Config{Rules: rules, Pairs: 30, OpeningPlies: 3, Seed: 4}
		r := mustPlay(t, cfg, newRandom("a", 5), newRandom("b", 6))
		parsed := testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(ogn(t, r)), "match"))(t)
		if !reflect.DeepEqual(parsed, r.Games) {
			t.Errorf("%s: the games read are not the games written", rules)
		}
		var again elo.Score
		for i := 0; i < len(parsed); i += 2 {
			again.Add([2]elo.Outcome{judge(t, parsed[i], "a"), judge(t, parsed[i+1], "a")})
		}
		testkit.Equal(t, again, r.Score, "%s: score from the games", rules)
	}
}

// judge is the slow twin of outcomeFor: from a record alone.
func judge(t *testing.T, rec games.Record[oware.Position], player string) elo.Outcome {
	t.Helper()
	g := testkit.Must(oware.Descriptor().Replay(rec))(t)
	if _, reason, over := g.Over(); !over || string(reason) != rec.Tag("Termination") {
		t.Fatalf("termination %q, the game says %q", rec.Tag("Termination"), reason)
	}
	south, north := oware.Descriptor().Tally(g)
	if _, reason, _ := g.Over(); reason == oware.Majority { // as is
		diff, _, _ := g.Over()
		south, north = float64(diff), 0
	}
	o := elo.Outcome{Diff: int(south - north)}
	if rec.Tag("South") != player {
		o.Diff = -o.Diff
	}
	switch {
	case o.Diff > 0:
		o.HalfPoints = 2
	case o.Diff == 0:
		o.HalfPoints = 1
	}
	return o
}

func TestRecord(t *testing.T) {
	t.Parallel()
	a, b := newRandom("a", 5), newRandom("b", 6)
	a.LimitsText, b.LimitsText = "depth 1", "depth 1"
	r := mustPlay(t, Config{Rules: "awari", Pairs: 2, OpeningPlies: 2}, a, b)
	rec := r.Games[3]
	for tag, want := range map[string]string{"South": "b", "North": "a", "Round": "2.2", "Rules": "awari", "Result": rec.Result, "Limits": "depth 1"} {
		testkit.Equal(t, rec.Tag(tag), want, "tag %s", tag)
	}
	for i, m := range rec.Moves {
		want := "score -7 depth 1 nodes 2"
		if i < 2 {
			want = "opening"
		}
		testkit.Equal(t, m.Comment, want, "ply %d: comment", i+1)
	}
	for i := range 2 { // both games from the same opening
		testkit.Equal(t, r.Games[2].Moves[i].Move, rec.Moves[i].Move, "the games of a pair begin differently")
	}
}

func TestFaultsLoseTheGame(t *testing.T) {
	t.Parallel()
	illegal := func(_ context.Context, g *owareLine) (engine.Answer, error) { return engine.Answer{Move: 6}, nil }
	empty := func(_ context.Context, g *owareLine) (engine.Answer, error) {
		for m := range oware.Move(oware.Houses) {
			if !g.Position().IsLegal(m) {
				return engine.Answer{Move: m}, nil
			}
		}
		return engine.Answer{Move: g.Position().AppendMoves(nil)[0]}, nil
	}
	for name, c := range map[string]struct {
		newGame func(context.Context) error
		move    func(context.Context, *owareLine) (engine.Answer, error)
		reason  string
	}{
		"no house":    {nil, illegal, "illegal move"},
		"empty house": {nil, empty, "illegal move"},
		"error": {nil, func(context.Context, *owareLine) (engine.Answer, error) {
			return engine.Answer{}, errors.New("lost\nmy \xff \x00way")
		}, "lost my ? ?way"},
		"own context": {nil, func(context.Context, *owareLine) (engine.Answer, error) { return engine.Answer{}, context.Canceled }, "context canceled"},
		"panic":       {nil, func(context.Context, *owareLine) (engine.Answer, error) { panic("help") }, "panic: help"},
		"plays on board": {nil, func(_ context.Context, g *owareLine) (engine.Answer, error) {
			return engine.Answer{}, g.Play(g.Position().AppendMoves(nil)[0])
		}, "changed the game"},
		"takes back": {nil, func(_ context.Context, g *owareLine) (engine.Answer, error) { g.Undo(); return engine.Answer{}, nil }, "changed the game"},
		"new game":   {func(context.Context) error { panic("no board") }, illegal, "panic: no board"},
	} {
		log := filepath.Join(t.TempDir(), "log")
		odd := contestantOf("odd", func() owarePlayer { return &oddPlayer{c.newGame, c.move} })
		r := mustPlay(t, Config{Pairs: 3, OpeningPlies: 3, Log: log}, newRandom("a", 1), odd)
		if r.Score.Wins != 6 || r.Score.Forfeits != [2]int{0, 6} || r.Score.DiffPairs != 0 {
			t.Errorf("%s: %+v", name, r.Score)
		}
		for _, rec := range r.Games {
			if got := rec.Tag("Termination"); !strings.HasPrefix(got, "forfeit: ") || !strings.Contains(got, c.reason) {
				t.Errorf("%s: termination %q, want %q", name, got, c.reason)
			}
		}
		if parsed, err := oware.Descriptor().ParseRecords(strings.NewReader(ogn(t, r)), name); err != nil || !reflect.DeepEqual(parsed, r.Games) {
			t.Errorf("%s: the games do not read back: %v", name, err)
		}
		if again := mustPlay(t, Config{Pairs: 3, OpeningPlies: 3, Log: log}, newRandom("a", 1), odd); !reflect.DeepEqual(again, r) {
			t.Errorf("%s: otherwise from the log", name)
		}
	}
}

func TestEnginePlayerWithoutLimitsForfeits(t *testing.T) {
	t.Parallel()
	r := mustPlay(t, Config{Pairs: 1}, newEngine("boundless", 0), newRandom("b", 1))
	if r.Score.Forfeits != [2]int{2, 0} || !strings.Contains(r.Games[0].Tag("Termination"), "has no limit") {
		t.Errorf("%+v, %q", r.Score, r.Games[0].Tag("Termination"))
	}
}

func TestMaxPliesAdjudicatesByStores(t *testing.T) {
	t.Parallel()
	r := mustPlay(t, Config{Pairs: 40, OpeningPlies: 4, MaxPlies: 20}, newRandom("a", 1), newRandom("b", 2))
	adjudicated := 0
	for _, rec := range r.Games {
		if len(rec.Moves) > 20 {
			t.Errorf("%d plies", len(rec.Moves))
		}
		if rec.Tag("Termination") != "adjudication" {
			continue
		}
		adjudicated++
		g := testkit.Must(oware.Descriptor().Replay(rec))(t)
		south, north := oware.Descriptor().Tally(g)
		want := games.DrawnGame
		if south > north {
			want = games.FirstWins
		} else if south < north {
			want = games.SecondWins
		}
		if len(rec.Moves) != 20 || rec.Result != want {
			t.Errorf("%d plies, stores %v:%v, result %s", len(rec.Moves), south, north, rec.Result)
		}
	}
	if adjudicated == 0 {
		t.Error("no game was adjudicated")
	}
}

// watched counts the players of a contestant that are at work.
func watched(e owareContestant, busy *atomic.Int32) owareContestant {
	inner := e.New
	e.New = func() owarePlayer { return &watchedPlayer{inner(), busy} }
	return e
}

type watchedPlayer struct {
	owarePlayer
	busy *atomic.Int32
}

func (p *watchedPlayer) Move(ctx context.Context, l *owareLine, c *client.Clock) (engine.Answer, error) {
	p.busy.Add(1)
	defer p.busy.Add(-1)
	return p.owarePlayer.Move(ctx, l, c)
}

func TestCancelledMatchKeepsFinishedPairs(t *testing.T) {
	t.Parallel()
	var busy atomic.Int32
	log := filepath.Join(t.TempDir(), "log")
	cfg := Config{Pairs: 30, OpeningPlies: 4, Concurrency: 2, Log: log}
	ctx, cancel := context.WithCancel(context.Background())
	r, err := runMatch(ctx, playOf(cfg, watched(newEngine("a", 200), &busy), watched(newEngine("b", 300), &busy)), func(done int64, _ elo.Score) {
		if done == 5 {
			cancel()
		}
	})
	if err != context.Canceled || r == nil {
		t.Fatalf("result %v, error %v", r, err)
	}
	testkit.Equal(t, busy.Load(), 0, "busy.Load")
	n := r.Score.Games()
	if n < 10 || n >= 60 || len(r.Games) != n || r.Score.Forfeits != [2]int{} {
		t.Errorf("%d games recorded, score %+v", len(r.Games), r.Score)
	}
	resumed := mustPlay(t, cfg, newEngine("a", 200), newEngine("b", 300))
	cfg.Log = ""
	if whole := mustPlay(t, cfg, newEngine("a", 200), newEngine("b", 300)); !reflect.DeepEqual(resumed, whole) {
		t.Errorf("resumed: %+v, in one go: %+v", resumed.Score, whole.Score)
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	a := newRandom("a", 1)
	limited := a
	limited.LimitsText = "two\nlines"
	for want, c := range map[string]struct {
		cfg Config
		a   owareContestant
	}{
		"pairs is 0":          {Config{}, a},
		"opening_plies is -1": {Config{Pairs: 1, OpeningPlies: -1}, a},
		"opening_plies is 41": {Config{Pairs: 1, OpeningPlies: 41}, a},
		"max_plies is 3":      {Config{Pairs: 1, OpeningPlies: 3, MaxPlies: 3}, a},
		"max_plies is -1":     {Config{Pairs: 1, MaxPlies: -1}, a},
		"workers is -1":       {Config{Pairs: 1, Concurrency: -1}, a},
		"unknown rules":       {Config{Pairs: 1, Rules: "chess"}, a},
		"limits":              {Config{Pairs: 1}, limited},
		"only 6 different":    {Config{Pairs: 7, OpeningPlies: 1}, a},
		`player name ""`:      {Config{Pairs: 1}, newRandom("", 1)},
		`player name "a\n"`:   {Config{Pairs: 1}, newRandom("a\n", 1)},
	} {
		r, err := runMatch(context.Background(), playOf(c.cfg, c.a, a), nil)
		if err == nil || !strings.Contains(err.Error(), want) || r != nil {
			t.Errorf("%+v: %v, want %q", c.cfg, err, want)
		}
	}
}

func lineOf(t *testing.T, o owareOpening) *owareLine {
	t.Helper()
	return testkit.Must(o.line(oware.Descriptor()))(t)
}

func TestOpenings(t *testing.T) {
	t.Parallel()
	for _, rules := range oware.Descriptor().Rules {
		few := testkit.Must(Openings(oware.Descriptor(), rules, 50, 6, 9, false))(t)
		many := testkit.Must(Openings(oware.Descriptor(), rules, 500, 6, 9, false))(t)
		if !reflect.DeepEqual(few, many[:50]) {
			t.Error("more openings begin with others")
		}
		seen := map[oware.Position]bool{}
		for _, o := range many {
			g := lineOf(t, o)
			if _, _, over := g.Over(); over || len(o.Moves) != 6 || seen[g.Position()] {
				t.Errorf("opening %v: over %v, seen %v", o.Moves, over, seen[g.Position()])
			}
			seen[g.Position()] = true
		}
		if other, err := Openings(oware.Descriptor(), rules, 50, 6, 10, false); err != nil || reflect.DeepEqual(few, other) {
			t.Error("another seed gives the same openings")
		}
	}
	if all, err := Openings(oware.Descriptor(), "abapa", 6, 1, 0, false); err != nil || len(all) != 6 {
		t.Errorf("%v, %v: want all six", all, err)
	}
	if one, err := Openings(oware.Descriptor(), "abapa", 1, 0, 0, false); err != nil || len(one) != 1 || len(one[0].Moves) != 0 {
		t.Errorf("%v, %v: want the empty one", one, err)
	}
}

func TestAMatchSurvivesCrashes(t *testing.T) { // alone: it makes writes fail
	match := func(dir string, change func(*Config, *owareContestant)) ([]byte, int, error) {
		played := 0
		cfg := Config{Pairs: 8, OpeningPlies: 4, Seed: 5, Concurrency: 1, MaxPlies: 60, Log: filepath.Join(dir, "match.log")}
		a := newRandom("a", 1)
		b := newRandom("b", 2)
		change(&cfg, &a)
		first := int64(-1)
		r, err := runMatch(t.Context(), playOf(cfg, a, b), func(done int64, _ elo.Score) {
			if first < 0 {
				first = done
			}
			played = int(done - first)
		})
		if err != nil {
			return nil, 0, err
		}
		made, err := json.Marshal(r)
		return made, played, err
	}
	others := map[string]func(string) error{}
	for want, change := range map[string]func(*Config, *owareContestant){
		"seed":            func(c *Config, _ *owareContestant) { c.Seed = 2 },
		"rules":           func(c *Config, _ *owareContestant) { c.Rules = "awari" },
		"player A.limits": func(_ *Config, a *owareContestant) { a.LimitsText = "nodes 5" },
		"opening plies":   func(c *Config, _ *owareContestant) { c.OpeningPlies = 5 },
		"max plies":       func(c *Config, _ *owareContestant) { c.MaxPlies = 100 },
		"player A.name":   func(_ *Config, a *owareContestant) { a.Name = "c" },
		"player A.evaluation": func(_ *Config, a *owareContestant) {
			other := *a.engine
			other.Eval.Name = "another"
			a.engine = &other
		},
		"player A.clock": func(c *Config, _ *owareContestant) { c.TimeControl = engine.TimeControl{Base: time.Minute} },
		"margin":         func(c *Config, _ *owareContestant) { c.Margin = engine.Duration{Duration: time.Second} },
		"move times":     func(c *Config, _ *owareContestant) { c.MoveTimes = true },
	} {
		others["other settings: "+want] = func(dir string) error { _, _, err := match(dir, change); return err }
	}
	journaltest.Run(t, journaltest.Work{
		Journal: "match.log",
		Do: func(dir string) ([]byte, int, error) {
			return match(dir, func(*Config, *owareContestant) {})
		},
		Others: others,
	})
}

func TestMatchCanBeMadeLongerButNotShorter(t *testing.T) {
	t.Parallel()
	cfg := Config{Pairs: 4, OpeningPlies: 4, Log: filepath.Join(t.TempDir(), "log")}
	short := mustPlay(t, cfg, newRandom("a", 1), newRandom("b", 2))
	cfg.Pairs = 9
	long := mustPlay(t, cfg, newRandom("a", 1), newRandom("b", 2))
	if !reflect.DeepEqual(long.Games[:8], short.Games) || len(long.Games) != 18 {
		t.Error("the longer match has other games")
	}
	cfg.Pairs = 4
	_, err := runMatch(context.Background(), playOf(cfg, newRandom("a", 1), newRandom("b", 2)), nil)
	testkit.ErrorContains(t, err, cfg.Log, "expected pairs = ") // it would write fewer games over more
}

// refereeOf is a referee of one pair.
func refereeOf(cfg Config, o owareOpening) *referee[oware.Position] {
	m := playOf(cfg, newRandom("a", 1), newRandom("b", 2))
	m.Rules = "abapa"
	return &referee[oware.Position]{match: m, openings: []owareOpening{o}, pairs: make([]*finishedPair[oware.Position], 1)}
}

// Whole records that no match writes: each must be refused.
func TestFalseRecordsAreRefused(t *testing.T) {
	t.Parallel()
	cfg := Config{Pairs: 1}
	whole := mustPlay(t, cfg, newRandom("a", 1), newRandom("b", 2))
	r := refereeOf(cfg, owareOpening{Start: oware.Start(oware.Abapa)})
	none, good := r.openings[0], gameLog{}
	for _, m := range whole.Games[0].Moves {
		good.Answers = append(good.Answers, engine.Answer{Move: m.Move})
	}
	if _, err := r.replay(none, good); err != nil {
		t.Fatal(err)
	}
	opening := owareOpening{none.Start, []oware.Move{5, 5}}
	for name, c := range map[string]struct {
		opening owareOpening
		log     gameLog
	}{
		"not finished":      {none, gameLog{Answers: good.Answers[:4]}},
		"after the end":     {none, gameLog{Answers: append(good.Answers[:len(good.Answers):len(good.Answers)], engine.Answer{})}},
		"illegal":           {none, gameLog{Answers: []engine.Answer{{Move: 0}, {Move: 0}, {Move: 0}}}},
		"no move":           {none, gameLog{Answers: []engine.Answer{{Move: 9}}}},
		"other opening":     {opening, good},
		"forfeit when over": {none, gameLog{Answers: good.Answers, Forfeit: &forfeit{}}},
		"no such side":      {none, gameLog{Forfeit: &forfeit{Side: 2}}},
		"reason of lines":   {none, gameLog{Forfeit: &forfeit{Reason: "a\nb"}}},
	} {
		if _, err := r.replay(c.opening, c.log); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	pair := pairLog{0, [2]gameLog{good, good}}
	testkit.NoError(t, r.count(pair))
	if err := r.count(pair); err == nil {
		t.Error("a pair was counted twice")
	}
	if err := r.count(pairLog{Pair: -1}); err == nil {
		t.Error("pair -1 was counted")
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(testkit.Must(pairCodec.Append(nil, pairLog{0, [2]gameLog{{Forfeit: &forfeit{1, "x"}}, {Answers: []engine.Answer{{Move: 2, Score: -3}}}}}))(f))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := refereeOf(Config{Pairs: 1, OpeningPlies: 2, MaxPlies: 30}, owareOpening{oware.Start(oware.Abapa), []oware.Move{5, 5}})
		p, err := pairCodec.Decode(text)
		if err != nil {
			return
		}
		if again, err := pairCodec.Decode(testkit.Must(pairCodec.Append(nil, p))(t)); err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%+v comes back as %+v, %v", p, again, err)
		}
		if m.count(p) != nil || p.Pair > 0 {
			return
		}
		if err := writeRecords(new(bytes.Buffer), m.Game, m.result().Games, ""); err != nil {
			t.Errorf("a record was taken that cannot be written: %v", err)
		}
	})
}

// A test ends the match by itself, at the same pair whatever the concurrency
// and however often the match was resumed.
func TestMatchStopsWhenDecided(t *testing.T) {
	t.Parallel()
	test := elo.SPRT{Leads: elo.Leads{Elo1: 100}, Alpha: 0.05, Beta: 0.05, Model: elo.Logistic}
	cfg := Config{Pairs: 500, OpeningPlies: 4, Seed: 9, Test: test, Concurrency: 1}
	strong, weak := newEngine("strong", 400), newRandom("weak", 3)
	want := mustPlay(t, cfg, strong, weak)
	if want.Verdict != elo.AcceptedH1 || len(want.Games) >= 200 || len(want.Games) != want.Score.Games() {
		t.Fatalf("%s after %d games of score %v", want.Verdict, len(want.Games), want.Score)
	}
	if want.LLR != test.LLR(want.Score.Pairs) || test.Decide(want.LLR) != elo.AcceptedH1 {
		t.Errorf("LLR %v of %v", want.LLR, want.Score)
	}
	if text := test.Explain(want.LLR); !strings.Contains(text, "H1 accepted") {
		t.Errorf("explained as %q", text)
	}
	cfg.Concurrency = 3
	if got := mustPlay(t, cfg, strong, weak); got.Score != want.Score || got.Verdict != want.Verdict {
		t.Errorf("three boards: %v %s, one: %v %s", got.Score, got.Verdict, want.Score, want.Verdict)
	}
	cfg.Log = filepath.Join(t.TempDir(), "log")
	cfg.Pairs = 2
	mustPlay(t, cfg, strong, weak)
	cfg.Pairs = 500
	for range 2 { // continuing from two pairs, then from the decided match
		if got := mustPlay(t, cfg, strong, weak); got.Score != want.Score || got.Verdict != want.Verdict {
			t.Errorf("resumed: %v %s, at one go: %v %s", got.Score, got.Verdict, want.Score, want.Verdict)
		}
	}
	// The weaker side accepts H0.
	cfg.Log = ""
	if got := mustPlay(t, cfg, newRandom("weak", 3), strong); got.Verdict != elo.AcceptedH0 {
		t.Errorf("the weak player: %s", got.Verdict)
	}
}
