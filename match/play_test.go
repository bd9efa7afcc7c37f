package match

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/games/oware"
)

// suiteOf makes openings of lines and boards.
func suiteOf(t *testing.T, lines ...string) []Opening {
	t.Helper()
	var suite []Opening
	for _, text := range lines {
		o := Opening{Start: oware.Start(oware.Abapa)}
		if strings.Contains(text, "-") {
			var err error
			if o.Start, err = oware.ParseBoard(oware.Abapa, text); err != nil {
				t.Fatal(err)
			}
			text = ""
		}
		for i := range len(text) {
			m, _, err := oware.ParseMove(text[i])
			if err != nil {
				t.Fatal(err)
			}
			o.Moves = append(o.Moves, m)
		}
		suite = append(suite, o)
	}
	return suite
}

func TestGivenOpeningsArePlayedInOrder(t *testing.T) {
	suite := suiteOf(t, "FfE", northBoard, "Aa")
	cfg := Config{Pairs: 3, Openings: suite, Log: filepath.Join(t.TempDir(), "log")}
	want := mustPlay(t, cfg, newEngine("a", 100), newRandom("b", 1))
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
	if parsed, err := oware.ParseOGN(strings.NewReader(ogn(t, want)), "x"); err != nil || !reflect.DeepEqual(parsed, want.Games) {
		t.Errorf("the games do not read back: %v", err)
	}
	if again := mustPlay(t, cfg, newEngine("a", 100), newRandom("b", 1)); !reflect.DeepEqual(again, want) {
		t.Error("otherwise from the log")
	}
	cfg.Pairs, cfg.RepeatOpenings = 7, true
	long := mustPlay(t, cfg, newEngine("a", 100), newRandom("b", 1))
	if !reflect.DeepEqual(long.Games[:6], want.Games) || long.Games[12].Start != suite[0].Start || long.Games[8].Start != suite[1].Start {
		t.Error("repeated openings do not begin again from the first")
	}
}

func TestGivenOpeningsAreChecked(t *testing.T) {
	good := suiteOf(t, "Ff", "Aa")
	awari := []Opening{{Start: oware.Start(oware.Awari)}}
	for want, cfg := range map[string]Config{
		"3 pairs from 2 openings":          {Pairs: 3, Openings: good},
		"4 random plies":                   {Pairs: 1, Openings: good, OpeningPlies: 4},
		"seed 5":                           {Pairs: 1, Openings: good, Seed: 5},
		"opening 1: under awari rules":     {Pairs: 1, Openings: awari},
		"opening 2: it ends the game":      {Pairs: 1, Openings: append(good[:1:1], suiteOf(t, wonBoard)...)},
		"opening 2: 2 plies":               {Pairs: 1, Openings: append(suiteOf(t, "F"), good...), MaxPlies: 2},
		"opening 1: ply 3: oware: illegal": {Pairs: 1, Openings: suiteOf(t, "FfF")},
	} {
		if _, err := Play(context.Background(), cfg, newRandom("a", 1), newRandom("b", 2), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// says makes a player who moves at random and always reports the same score.
func says(name string, score, depth int) func() Player {
	return func() Player {
		random := newRandom(name, 3)().(*randomPlayer)
		return &renamed{&oddPlayer{random.NewGame, func(ctx context.Context, g *oware.Game) (Choice, error) {
			c, err := random.Move(ctx, g)
			c.Score, c.Depth = score, depth
			return c, err
		}}, name}
	}
}

func TestAgreedWinEndsTheGame(t *testing.T) {
	cfg := Config{Pairs: 4, OpeningPlies: 3, AdjudicateWin: AdjudicateWin{Score: 400, Moves: 6}, Log: filepath.Join(t.TempDir(), "log")}
	r := mustPlay(t, cfg, says("a", 450, 3), says("b", -400, 3))
	if r.Score.Wins != 8 || r.Score.SeedPairs != 0 || r.Score.Forfeits != [2]int{} {
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
	for _, other := range []func() Player{says("b", 400, 3), says("b", -399, 3), says("b", -400, 0)} {
		for _, rec := range mustPlay(t, cfg, says("a", 450, 3), other).Games {
			if got := rec.Tag("Termination"); strings.HasPrefix(got, "adjudication") {
				t.Errorf("players who do not agree: %s", got)
			}
		}
	}
}

func TestAgreedDrawEndsTheGame(t *testing.T) {
	cfg := Config{Pairs: 4, OpeningPlies: 3, AdjudicateDraw: AdjudicateDraw{Score: 10, Moves: 2, Plies: 8}}
	r := mustPlay(t, cfg, says("a", 10, 1), says("b", -10, 1))
	if r.Score.Draws != 8 || r.Score.SeedPairs != 0 {
		t.Errorf("%+v", r.Score)
	}
	for _, rec := range r.Games {
		if len(rec.Moves) != 8+4 || rec.Result != oware.DrawnGame || rec.Tag("Termination") != "adjudication by score" {
			t.Errorf("%d plies, %s, %s", len(rec.Moves), rec.Result, rec.Tag("Termination"))
		}
	}
}

func TestLogIsOfItsOpeningsAdjudicationAndClock(t *testing.T) {
	cfg := Config{Pairs: 1, Openings: suiteOf(t, "Ff"), Log: filepath.Join(t.TempDir(), "log")}
	mustPlay(t, cfg, newRandom("a", 1), newRandom("b", 2))
	for want, change := range map[string]func(*Config){
		"openings":          func(c *Config) { c.Openings = suiteOf(t, "Fe") },
		"adjudicated wins":  func(c *Config) { c.AdjudicateWin = AdjudicateWin{400, 6} },
		"adjudicated draws": func(c *Config) { c.AdjudicateDraw = AdjudicateDraw{10, 20, 60} },
		"clock":             func(c *Config) { c.TimeControl.Base = time.Hour },
	} {
		other := cfg
		change(&other)
		if _, err := Play(context.Background(), other, newRandom("a", 1), newRandom("b", 2), nil); err == nil || !strings.Contains(err.Error(), "other settings, "+want) {
			t.Errorf("%s changed: %v", want, err)
		}
	}
	for want, c := range map[string]Config{
		"a win by 0":   {Pairs: 1, AdjudicateWin: AdjudicateWin{Moves: 1}},
		"a draw":       {Pairs: 1, AdjudicateDraw: AdjudicateDraw{Score: 1}},
		"time control": {Pairs: 1, TimeControl: TimeControl{Inc: 1}},
	} {
		if _, err := Play(context.Background(), c, newRandom("a", 1), newRandom("b", 2), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestSlowPlayerLosesOnTime(t *testing.T) {
	waits := func() Player {
		return &oddPlayer{nil, func(ctx context.Context, _ *oware.Game) (Choice, error) {
			<-ctx.Done()
			return Choice{}, ctx.Err()
		}}
	}
	cfg := Config{Pairs: 1, OpeningPlies: 4, TimeControl: TimeControl{Base: 20 * time.Millisecond, Margin: time.Millisecond}}
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

// An engine without limits of its own plays by the clock: it is told to, and
// the margin is as wide as any machine may need.
func TestEnginePlaysByTheClock(t *testing.T) {
	cfg := Config{Pairs: 1, OpeningPlies: 4, MaxPlies: 24, TimeControl: TimeControl{Base: 100 * time.Millisecond, Inc: time.Millisecond, Margin: time.Minute}}
	r := mustPlay(t, cfg, newEngine("a", 0), newEngine("b", 0))
	if r.Score.Forfeits != [2]int{} || r.Score.Games() != 2 {
		t.Errorf("%+v: %v", r.Score, r.Games[0].Tags)
	}
}
