package play

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

// begin starts a game from the start position or from a board.
func begin[P search.Position[P]](t *testing.T, k engine.Kit[P], board, bookPath string, person int) *Game[P] {
	t.Helper()
	rules := k.Game.Rules[0]
	e := testkit.Must(engine.Open(t.Context(), k, engine.Spec{Book: bookPath, Search: engine.Config{Nodes: 20_000, HashMB: 1, Tables: engine.NoTables}}, rules))(t)
	t.Cleanup(func() { e.Close() })
	start, err := k.Game.Start(rules)
	if board != "" {
		start, err = k.Game.Parse(rules, board)
	}
	testkit.NoError(t, err)
	return New(e, start, person)
}

func answer[P search.Position[P]](t *testing.T, g *Game[P]) Thought {
	t.Helper()
	return testkit.Must(g.Answer(t.Context()))(t)
}

func TestThePersonAndTheEngineMoveInTurn(t *testing.T) {
	g := begin(t, engine.Oware(), "", "", 0)
	if s := g.State(); !s.PersonToMove() || strings.Join(s.Legal, "") != "ABCDEF" || s.Result != games.Unknown || s.Over {
		t.Errorf("at the start: %+v", s)
	}
	if _, err := g.Answer(t.Context()); !errors.Is(err, errTurn) {
		t.Errorf("the engine moves for the person: %v", err)
	}
	testkit.NoError(t, g.Move("F"))
	if s := g.State(); s.PersonToMove() || s.Turn != 1 || s.Plies != 1 || strings.Join(s.Legal, "") != "abcdef" {
		t.Errorf("after F: %+v", s)
	}
	if err := g.Move("a"); !errors.Is(err, errTurn) {
		t.Errorf("the person moves for the engine: %v", err)
	}
	if _, err := g.Hint(t.Context()); !errors.Is(err, errTurn) {
		t.Errorf("a hint for the engine: %v", err)
	}
	before := g.State()
	thought := answer(t, g)
	if s := g.State(); !slices.Contains(before.Legal, thought.Name) || s.Position != before.Position.Play(thought.Move) || !s.PersonToMove() {
		t.Errorf("answer %+v leads to %+v", thought, s)
	}
}

func TestMovesInTheOtherCase(t *testing.T) {
	south := begin(t, engine.Oware(), "", "", 0)
	testkit.NoError(t, south.Move(" f "))
	testkit.Equal(t, south.line.Text(), "F", "South's f is played as")
	north := begin(t, engine.Oware(), "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", "", 1)
	testkit.NoError(t, north.Move("C"))
	testkit.Equal(t, north.line.Text(), "c", "North's C is played as")
	testkit.NoError(t, begin(t, engine.TicTacToe(), "", "", 0).Move("B2"))
}

func TestRefusedMovesChangeNothing(t *testing.T) {
	g := begin(t, engine.TicTacToe(), "X...O....", "", 0)
	before := g.State()
	for name, want := range map[string]string{
		"b2": "illegal move b2", "d4": "is not a square", "": "is not a square", "a1b1": "not a single move", "c1 c2": "not a single move", "\xff\x00": "is not a square",
	} {
		testkit.ErrorContains(t, g.Move(name), want)
	}
	if after := g.State(); after.Position != before.Position || after.Plies != 0 {
		t.Errorf("after refused moves: %+v", after)
	}
}

func TestUndoTakesBackBothMoves(t *testing.T) {
	g := begin(t, engine.Oware(), "", "", 0)
	if err := g.Undo(); !errors.Is(err, errNothingToUndo) {
		t.Errorf("at the start: %v", err)
	}
	start := g.State().Position
	testkit.NoError(t, g.Move("F"))
	testkit.NoError(t, g.Undo()) // before the answer
	if s := g.State(); s.Position != start || s.Plies != 0 {
		t.Errorf("back to %+v", s)
	}
	testkit.NoError(t, g.Move("F"))
	answer(t, g)
	testkit.NoError(t, g.Undo())
	if s := g.State(); s.Position != start || !s.PersonToMove() {
		t.Errorf("back to %+v", s)
	}
}

func TestUndoKeepsTheEnginesFirstMove(t *testing.T) {
	g := begin(t, engine.Oware(), "", "", 1)
	answer(t, g)
	if err := g.Undo(); !errors.Is(err, errNothingToUndo) || g.State().Plies != 1 {
		t.Errorf("%v, %d plies", err, g.State().Plies)
	}
	testkit.NoError(t, g.Move(g.State().Legal[0]))
	answer(t, g)
	testkit.NoError(t, g.Undo())
	testkit.Equal(t, g.State().Plies, 1, "g.State")
}

func TestTheEndOfAGame(t *testing.T) {
	// X, the person, closes the first row.
	g := begin(t, engine.TicTacToe(), "XX.OO....", "", 0)
	testkit.NoError(t, g.Move("c1"))
	s := g.State()
	if !s.Over || s.Reason != tictactoe.ThreeInRow || s.Result != games.FirstWins || s.Outcome != "X wins" || s.Legal != nil || s.PersonToMove() {
		t.Errorf("%+v", s)
	}
	_, errAnswer := g.Answer(t.Context())
	_, errHint := g.Hint(t.Context())
	for what, err := range map[string]error{"move": g.Move("a3"), "answer": errAnswer, "hint": errHint, "resign": g.Resign()} {
		if !errors.Is(err, ErrOver) {
			t.Errorf("%s after the end: %v", what, err)
		}
	}
	testkit.NoError(t, g.Undo())
	if s := g.State(); s.Over || !s.PersonToMove() {
		t.Errorf("after taking the last move back: %+v", s)
	}
}

func TestResignation(t *testing.T) {
	for person, result := range []string{games.SecondWins, games.FirstWins} {
		g := begin(t, engine.Oware(), "", "", person)
		testkit.NoError(t, g.Resign())
		s := g.State()
		if !s.Over || s.Reason != Resigned || s.Result != result || s.Outcome != []string{"North wins", "South wins"}[person] {
			t.Errorf("side %d resigns: %+v", person, s)
		}
		if err := g.Resign(); !errors.Is(err, ErrOver) {
			t.Errorf("a second resignation: %v", err)
		}
		testkit.NoError(t, g.Undo())
		if g.State().Over {
			t.Error("the resignation is not taken back")
		}
	}
}

func TestAHintIsTheAnswerAndChangesNothing(t *testing.T) {
	g := begin(t, engine.TicTacToe(), "XX.OO....", "", 0)
	before := g.State()
	hint, err := g.Hint(t.Context())
	testkit.NoError(t, err)
	if hint.Search.Name != "c1" || !hint.Search.Proven || hint.Search.Score <= 0 || g.State().Position != before.Position {
		t.Errorf("hint %+v, then %+v", hint, g.State())
	}
}

func TestAStoppedAnswerIsNoMove(t *testing.T) {
	g := begin(t, engine.Oware(), "", "", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Answer(ctx); !errors.Is(err, context.Canceled) || g.State().Plies != 0 {
		t.Errorf("error %v after %d plies", err, g.State().Plies)
	}
	if _, err := begin(t, engine.Oware(), "", "", 0).Hint(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("hint: %v", err)
	}
}

// The test tries every line of the person against the engine.
func TestTheEngineNeverLosesTicTacToe(t *testing.T) {
	for person := range 2 {
		g := begin(t, engine.TicTacToe(), "", "", person)
		wins := [2]string{games.FirstWins, games.SecondWins}[person]
		played := 0
		var try func()
		try = func() {
			s := g.State()
			if !s.Over && !s.PersonToMove() {
				answer(t, g)
				s = g.State()
			}
			if s.Over {
				if played++; s.Result == wins {
					t.Errorf("the engine loses %s", g.line.Text())
				}
				return
			}
			for _, name := range s.Legal {
				testkit.NoError(t, g.Move(name))
				try()
				testkit.NoError(t, g.Undo())
			}
		}
		try()
		if played < 50 {
			t.Errorf("%d games", played)
		}
	}
}

// Any text is a legal move, or rejected with one line and no change.
func FuzzMove(f *testing.F) {
	e := testkit.Must(engine.Open(f.Context(), engine.Oware(), engine.Spec{Weights: "captures", Search: engine.Config{Nodes: 1, HashMB: 1, Tables: engine.NoTables}}, "abapa"))(f)
	f.Cleanup(func() { e.Close() })
	start := oware.Start(oware.Abapa)
	for _, text := range []string{"A", " f ", "Ab", "b", "A+2", "1. F", "\x00", "é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := New(e, start, 0)
		switch err := g.Move(text); {
		case err == nil && len(strings.TrimSpace(text)) != 1:
			t.Errorf("%q is a move", text)
		case err != nil && (strings.Contains(err.Error(), "\n") || !g.State().PersonToMove()):
			t.Errorf("%q: error %q, the person to move %t", text, err, g.State().PersonToMove())
		}
	})
}

func TestTheLastMoveAndWhatItWon(t *testing.T) {
	g := begin(t, engine.Oware(), "0-0-0-0-0-2-1-1-0-0-0-1-24-19-S", "", 0)
	if last := g.State().Last; last != (Last{}) {
		t.Errorf("before any move: %+v", last)
	}
	testkit.NoError(t, g.Move("F"))
	if last := g.State().Last; last != (Last{Name: "F", Side: 0, Gain: 4}) {
		t.Errorf("%+v", last)
	}
}

func TestAHintHasTheMoveOfTheBookToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, book.Write(path, book.Header{}, []book.Entry{{Key: oware.Start(oware.Abapa).BookKey(), Scores: [6]int16{-90, -80, 7, -60, -20, -70}}}))
	hint, err := begin(t, engine.Oware(), "", path, 0).Hint(t.Context())
	testkit.NoError(t, err)
	if !hint.InBook || hint.Book.Name != "C" || hint.Book.Points != 7 || hint.Search.Book || hint.Search.Depth == 0 {
		t.Errorf("%+v", hint)
	}
}

func TestOnThinkingIsCalledPerIteration(t *testing.T) {
	g := begin(t, engine.Oware(), "", "", 1)
	var seen []Thought
	g.OnThinking(func(m Thought) { seen = append(seen, m) })
	thought := answer(t, g)
	if len(seen) == 0 || seen[len(seen)-1].Name != thought.Name || seen[len(seen)-1].Score != thought.Score || seen[len(seen)-1].Depth != thought.Depth {
		t.Errorf("seen %+v, played %+v", seen, thought)
	}
}

func TestSavedGamesAreLoaded(t *testing.T) {
	g := begin(t, engine.Oware(), "", "", 0)
	testkit.NoError(t, g.Move("F"))
	answer(t, g)
	rec := g.Record([2]string{"person", ""})
	if rec.Tag("South") != "person" || rec.Tag("North") != "" || len(rec.Moves) != 2 || rec.Result != games.Unknown {
		t.Errorf("%+v", rec)
	}
	want := g.State().Position
	g.Restart(oware.Start(oware.Abapa))
	if s := g.State(); s.Plies != 0 || !s.PersonToMove() {
		t.Errorf("restarted: %+v", s)
	}
	rec.Comment, rec.Moves[0].Comment, rec.Moves[1].Comment = "before", "first", "second"
	testkit.NoError(t, g.Load(rec))
	if s := g.State(); s.Position != want || s.Plies != 2 {
		t.Errorf("loaded: %+v", s)
	}
	testkit.NoError(t, g.Move("A"))
	if again := g.Record([2]string{}); again.Comment != "before" || again.Moves[1].Comment != "second" || again.Moves[2].Comment != "" {
		t.Errorf("comments of the loaded game: %+v", again)
	}
	answer(t, g)
	testkit.NoError(t, g.Undo())
	testkit.NoError(t, g.Undo())
	testkit.NoError(t, g.Move("A"))
	if again := g.Record([2]string{}); again.Moves[0].Comment != "" {
		t.Errorf("the comment of another move: %+v", again)
	}
	testkit.NoError(t, g.Load(rec))
	testkit.NoError(t, g.Resign())
	if rec := g.Record([2]string{}); rec.Result != games.SecondWins || rec.Tags != nil {
		t.Errorf("resigned: %+v", rec)
	}
	other := games.Record[oware.Position]{Start: oware.Start(oware.Awari)}
	testkit.ErrorContains(t, g.Load(other), "under awari rules: expected abapa")
	rec.Moves[1].Move = 17
	if err := g.Load(rec); err == nil || g.State().Plies != 2 {
		t.Errorf("illegal move: %v, %d plies", err, g.State().Plies)
	}
}
