package match

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine"
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
			if o.Start, err = oware.ParseBoard(oware.Abapa, text); err != nil {
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
func given(cfg Config, suite []owareOpening, a, b owareEntrant) owareMatch {
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
		_, err := play(context.Background(), given(c.cfg, c.suite, newRandom("a", 1), newRandom("b", 2)), nil)
		testkit.Refused(t, err, want)
	}
}

// says makes a player who moves at random and always reports the same score.
func says(name string, score, depth int) owareEntrant {
	return entrantOf(name, func() owarePlayer {
		random := &randomPlayer{seed: 3}
		return &oddPlayer{func(ctx context.Context) error { return random.NewGame(ctx, 0) }, func(ctx context.Context, l *owareLine) (engine.Answer, error) {
			c, err := random.Move(ctx, l, client.Clock{})
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
	for _, other := range []owareEntrant{says("b", 400, 3), says("b", -399, 3), says("b", -400, 0)} {
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
		_, err := play(context.Background(), other, nil)
		testkit.Refused(t, err, "other settings: "+want)
	}
	for want, c := range map[string]Config{
		"a win by score":  {Pairs: 1, AdjudicateWin: AdjudicateWin{Moves: 1}},
		"a draw by score": {Pairs: 1, AdjudicateDraw: AdjudicateDraw{Score: 1}},
		"time control":    {Pairs: 1, TimeControl: engine.TimeControl{Inc: 1}},
	} {
		_, err := play(context.Background(), playOf(c, newRandom("a", 1), newRandom("b", 2)), nil)
		testkit.Refused(t, err, want)
	}
}

func TestSlowPlayerLosesOnTime(t *testing.T) {
	waits := entrantOf("odd", func() owarePlayer {
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
