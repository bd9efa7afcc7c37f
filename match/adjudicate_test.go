package match

import (
	"context"
	"encoding"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kroo/engine"
	"kroo/games/oware"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/match/elo"
)

const south, north = 0, 1

// notesOf makes notes of searched moves.
func notesOf(scores ...int) []engine.Answer {
	var notes []engine.Answer
	for _, s := range scores {
		notes = append(notes, engine.Answer{Score: s, Depth: 1})
	}
	return notes
}

func TestDrawNeedsQuietScoresLateEnough(t *testing.T) {
	t.Parallel()
	a := AdjudicateDraw{Score: 10, Moves: 2, Plies: 6}
	quiet := notesOf(10, -10, 0, 3)
	for name, c := range map[string]struct {
		notes []engine.Answer
		plies int
		want  bool
	}{
		"quiet":        {quiet, 10, true},
		"too early":    {quiet, 9, false},
		"one louder":   {notesOf(10, -11, 0, 3), 10, false},
		"loud before":  {notesOf(50, 10, -10, 0, 3), 10, true},
		"too few":      {quiet[1:], 10, false},
		"not searched": {append(quiet[:3:3], engine.Answer{}), 10, false},
	} {
		testkit.Equal(t, a.isDraw(c.notes, c.plies), c.want, "%s", name)
	}
	if (AdjudicateDraw{}).isDraw(notesOf(0, 0), 1000) {
		t.Error("the zero value adjudicates")
	}
}

// The slow twin looks at each side's leads apart.
func TestWinnerAgainstTwin(t *testing.T) {
	t.Parallel()
	twin := func(a AdjudicateWin, notes []engine.Answer, toMove int) (int, bool) {
		for _, side := range []int{south, north} {
			mover, agreed := toMove, 0
			for i := len(notes) - 1; i >= 0; i-- {
				mover = 1 - mover
				if mover == side && notes[i].Score < a.Score || mover != side && notes[i].Score > -a.Score || notes[i].Depth == 0 {
					break
				}
				agreed++
			}
			if agreed >= 2*a.Moves {
				return side, true
			}
		}
		return 0, false
	}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 20_000 {
		a := AdjudicateWin{1 + r.IntN(3), 1 + r.IntN(2)}
		notes := make([]engine.Answer, r.IntN(7))
		for i := range notes {
			notes[i] = engine.Answer{Score: r.IntN(9) - 4, Depth: min(1, r.IntN(20))}
		}
		side := r.IntN(2)
		got, ok := a.winner(notes, side)
		if want, wanted := twin(a, notes, side); got != want || ok != wanted {
			t.Fatalf("%v, %v, %d to move: %d %v, want %d %v", a, notes, side, got, ok, want, wanted)
		}
		if ok {
			found++
		}
	}
	if found < 100 {
		t.Errorf("only %d of the games were won", found)
	}
	if _, ok := (AdjudicateWin{}).winner(notesOf(9999, -9999), south); ok {
		t.Error("the zero value adjudicates")
	}
}

func TestParseAdjudication(t *testing.T) {
	t.Parallel()
	var win AdjudicateWin
	var draw AdjudicateDraw
	for text, a := range map[string]interface {
		encoding.TextUnmarshaler
		encoding.TextMarshaler
	}{"400:6": &win, "10:20:60": &draw} {
		testkit.NoError(t, a.UnmarshalText([]byte(text)))
		testkit.Equal(t, string(testkit.Must(a.MarshalText())(t)), text, "read and written")
	}
	testkit.Equal(t, win, AdjudicateWin{400, 6}, "win")
	testkit.Equal(t, draw, AdjudicateDraw{10, 20, 60}, "draw")
	testkit.NoError(t, draw.UnmarshalText([]byte("0:1:0")))
	for _, text := range []string{"", "400", "400:", ":6", "400:6:1", "0:6", "0:0", "-4:6", "20001:6", "400:0", "400:1001", " 400:6", "0400:6", "400:6 ", "99999999999999999999:6", "4\n:6"} {
		testkit.ErrorContains(t, new(AdjudicateWin).UnmarshalText([]byte(text)), "SCORE:MOVES")
	}
	for _, text := range []string{"", "10:20", "0:0:0", "-1:2:3", "10:0:3", "10:20:-1", "10001:20:3", "10:1001:3", "10:20:60:1", "+10:20:60"} {
		testkit.ErrorContains(t, new(AdjudicateDraw).UnmarshalText([]byte(text)), "SCORE:MOVES:PLIES")
	}
	for _, none := range []encoding.TextMarshaler{AdjudicateWin{}, AdjudicateDraw{}} {
		testkit.Equal(t, string(testkit.Must(none.MarshalText())(t)), "", "the zero value")
	}
}

// knows decides every position with few seeds in play as a win for South.
type knows struct{ seeds int }

func (knows) Name() string { return "all" }
func (knows) Close() error { return nil }
func (knows) Err() error   { return nil }

func (k knows) Final(p oware.Position) (low, high int, ok bool) {
	sign := 1
	if p.ToMove() == oware.North {
		sign = -1
	}
	return sign, sign, p.SeedsInPlay() <= k.seeds
}

// A game that ends by the rules has a final difference, although the tables decide it too.
func TestTheRulesEndAGameBeforeTheTables(t *testing.T) {
	t.Parallel()
	start := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-1-1-0-0-0-0-1-24-21-S"))(t)
	r := refereeOf(Config{Pairs: 1}, owareOpening{Start: start})
	r.Adjudicator = knows{2}
	log := gameLog{Answers: []engine.Answer{{Move: 5}}} // captures two seeds for a majority and leaves one
	l := testkit.Must(r.replay(r.openings[0], log))(t)
	diff, reason, _ := l.Over()
	testkit.Equal(t, reason, oware.Majority, "end of the game")
	if _, decided := r.fromTables(l); !decided {
		t.Error("the tables do not decide the game")
	}
	testkit.Equal(t, r.outcomeFor(south, l, log), elo.Outcome{HalfPoints: 2, Diff: diff}, "outcome")
}

// changed are tables whose file another program changes during the match.
type changed struct{ knows }

func (changed) Err() error { return errors.New("the tables have changed") }

func TestTablesThatChangeEndTheMatch(t *testing.T) {
	t.Parallel()
	m := playOf(Config{Pairs: 1, OpeningPlies: 4}, newEngine("a", 50), newEngine("b", 60))
	m.Adjudicator = changed{knows{24}}
	_, err := runMatch(t.Context(), m, nil)
	testkit.ErrorContains(t, err, "the tables have changed")
}

func TestTablesEndGamesAfterCaptures(t *testing.T) {
	t.Parallel()
	m := playOf(Config{Pairs: 3, OpeningPlies: 4, Log: filepath.Join(t.TempDir(), "log")}, newEngine("a", 50), newEngine("b", 60))
	m.Adjudicator = knows{24}
	r := mustPlayMatch(t, m)
	if r.Score.Wins != 3 || r.Score.Losses != 3 {
		t.Errorf("%+v: South must win every game", r.Score)
	}
	byTable := 0
	for _, rec := range r.Games {
		g := oware.Descriptor().NewLine(rec.Start)
		for _, m := range rec.Moves {
			if g.Position().SeedsInPlay() <= 24 {
				t.Fatal("the game went on")
			}
			testkit.NoError(t, g.Play(m.Move))
		}
		want := "adjudication by table"
		if _, reason, over := g.Over(); over { // the capture that left so few was the last
			want = string(reason)
		} else {
			byTable++
		}
		if rec.Tag("Termination") != want || g.Position().SeedsInPlay() > 24 {
			t.Errorf("ended by %q with %d seeds in play", rec.Tag("Termination"), g.Position().SeedsInPlay())
		}
	}
	if byTable < 3 {
		t.Errorf("only %d of 6 games ended by the table", byTable)
	}
	m.Adjudicator = nil
	_, err := runMatch(context.Background(), m, nil)
	testkit.ErrorContains(t, err, "adjudicating table")
}
