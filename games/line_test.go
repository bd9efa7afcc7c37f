package games_test

import (
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

// ticTacToe returns a line of tic-tac-toe after the moves in text.
func ticTacToe(t *testing.T, text string) *games.Line[tictactoe.Position] {
	t.Helper()
	l := tictactoe.Descriptor().NewLine(tictactoe.Start())
	testkit.NoError(t, l.PlayText(text))
	return l
}

func TestIllegalMoveChangesNothing(t *testing.T) {
	l := ticTacToe(t, "b2 a1")
	before := l.Position()
	if err := l.Play(4); err == nil || err.Error() != "illegal move b2: expected b1, c1, a2, c2, a3, b3, c3" {
		t.Errorf("error %v", err)
	}
	if l.Position() != before || l.Plies() != 2 || l.Text() != "b2 a1" {
		t.Errorf("after a refused move: %s after %s", l.Position(), l.Text())
	}
}

func TestPlayAfterTheEndIsAnError(t *testing.T) {
	l := ticTacToe(t, "b2 a1 c1 b1 a3")
	if err := l.Play(8); err == nil || err.Error() != "move c3 after the end of the game (three in a row)" {
		t.Errorf("error %v", err)
	}
}

func TestUndoLeadsBackToTheStart(t *testing.T) {
	l := ticTacToe(t, "b2 a1 c1 b1 a3")
	testkit.Equal(t, l.Start(), tictactoe.Start(), "started from")
	for n := 5; n > 0; n-- {
		if l.Plies() != n || !l.Undo() {
			t.Fatalf("%d plies, want %d", l.Plies(), n)
		}
		if _, reason, over := l.Over(); over || reason != "" {
			t.Fatalf("over (%s) after %s", reason, l.Text())
		}
	}
	if l.Undo() || l.Position() != tictactoe.Start() || l.Start() != tictactoe.Start() || len(l.History()) != 0 {
		t.Errorf("undone to %s with %d plies", l.Position(), l.Plies())
	}
}

func TestCloneAndCopiesAreIndependent(t *testing.T) {
	l := ticTacToe(t, "b2 a1")
	c := l.Clone()
	testkit.NoError(t, c.PlayText("c1"))
	l.Moves()[0], l.History()[0] = 8, l.Position()
	testkit.NoError(t, l.PlayText("c3"))
	if c.Text() != "b2 a1 c1" || l.Text() != "b2 a1 c3" || l.Start() != tictactoe.Start() {
		t.Errorf("lines %s and %s", l.Text(), c.Text())
	}
}

func TestPlayTextStopsAtTheFirstError(t *testing.T) {
	for text, want := range map[string]string{
		"b2 a1 b2 c1": "illegal move b2: expected b1, c1, a2, c2, a3, b3, c3 (ply 3)",
		"b2\ta1x":     `"x" is not a square: expected a column a to c and a row 1 to 3 from the top, as b2 (ply 3)`,
	} {
		l := tictactoe.Descriptor().NewLine(tictactoe.Start())
		if err := l.PlayText(text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
		testkit.Equal(t, l.Text(), "b2 a1", "%q: played", text)
	}
}

// The final difference is first side minus second, regardless of the side to move.
func TestRepetitionDiffIsFirstSideMinusSecond(t *testing.T) {
	const board, cycle = "0-0-1-0-0-1-0-0-0-0-0-1-22-23-S", "FaCfDbAcEdBe"
	g := oware.Descriptor()
	for _, first := range []string{"", cycle[:1]} {
		p := testkit.Must(g.Parse("abapa", board))(t)
		before := g.NewLine(p)
		testkit.NoError(t, before.PlayText(first))
		l := g.NewLine(before.Position())
		testkit.NoError(t, l.PlayText(cycle[len(first):]+first))
		q := l.Position()
		diff, _ := q.Repetition(2)
		if g.SideToMove(q) == 1 {
			diff = -diff
		}
		got, reason, over := l.Over()
		if got != diff || reason != games.Repeated || !over || q != l.Start() {
			t.Errorf("Over() = %d, %s, %v at %s, want %d", got, reason, over, q, diff)
		}
		if !l.Undo() {
			t.Fatal("nothing to undo")
		}
		if _, _, over := l.Over(); over {
			t.Error("over before the repetition")
		}
	}
}

func TestPlayAllocatesNothing(t *testing.T) {
	l := ticTacToe(t, "b2 a1 c1")
	if n := testing.AllocsPerRun(100, func() {
		if l.Play(8) != nil || !l.Undo() {
			t.Fatal("c3 is not played")
		}
	}); n != 0 {
		t.Errorf("%v allocations per Play and Undo", n)
	}
}

func TestPerftAllocatesOnlyItsStack(t *testing.T) {
	few := testing.AllocsPerRun(10, func() { games.Perft(tictactoe.Start(), 3) })
	many := testing.AllocsPerRun(10, func() { games.Perft(tictactoe.Start(), 6) })
	if many > few+2 {
		t.Errorf("%v allocations for 54720 leaves, %v for 504", many, few)
	}
}

func TestUnknownRulesError(t *testing.T) {
	for want, err := range map[string]error{
		`unknown rules "kalah": expected abapa, awari, simple, simple-to-end or arena`: oware.Descriptor().CheckRules("kalah"),
		`unknown rules "": expected standard`:                                          tictactoe.Descriptor().CheckRules(""),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestParseMoveReadsExactlyOneMove(t *testing.T) {
	g := tictactoe.Descriptor()
	if m, err := g.ParseMove(tictactoe.Start(), "c2"); err != nil || m != 5 {
		t.Errorf("c2 is read as %d, error %v", m, err)
	}
	for _, text := range []string{"c2 ", "c2c3", "c2" + strings.Repeat("x", 1000)} {
		if _, err := g.ParseMove(tictactoe.Start(), text); err == nil || !strings.Contains(err.Error(), "is not a single move") || len(err.Error()) > 300 {
			t.Errorf("%.20q: error %v", text, err)
		}
	}
	testkit.EqualSlices(t, ticTacToe(t, "c2").Moves(), []games.Move{5}, "moves")
}

func TestMoveNamesUseTheGamesSeparator(t *testing.T) {
	p := oware.Start(oware.Abapa)
	testkit.Equal(t, oware.Descriptor().MoveNames(p, 2, 5), "CF", "oware")
	testkit.Equal(t, tictactoe.Descriptor().MoveNames(tictactoe.Start(), 0, 4), "a1 b2", "tic-tac-toe")
}

func TestLineNamesAlternateSides(t *testing.T) {
	testkit.Equal(t, oware.Descriptor().LineNames(oware.Start(oware.Abapa), []games.Move{5, 5, 4}), "FfE", "oware")
}

func TestOpponentsMove(t *testing.T) {
	start := oware.Start(oware.Abapa)
	for text, want := range map[string]string{"f": "f", "fE": "f", "F": "", "G": "", "": ""} {
		if got, ok := oware.Descriptor().OpponentsMove(start, text); got != want || ok != (want != "") {
			t.Errorf("oware, %q: %q, %v", text, got, ok)
		}
	}
	if _, _, err := oware.Descriptor().NextMove(start, "fE"); err == nil || err.Error() != "move f is the opponent's: expected one of ABCDEF" {
		t.Errorf("oware, fE: error %v", err)
	}
	// Both sides use the same names.
	if _, ok := tictactoe.Descriptor().OpponentsMove(tictactoe.Start(), "b2"); ok {
		t.Error("tic-tac-toe: b2 is the opponent's")
	}
	over := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-0-1-0-0-0-0-0-24-23-S"))(t)
	if _, ok := oware.Descriptor().OpponentsMove(over, "a"); ok {
		t.Error("a side that cannot move has an opponent that moves next")
	}
}

func TestOutcomeIsTallyOrWinner(t *testing.T) {
	for text, want := range map[string]string{
		"b2 a1 c1 b1 a3":             "X wins",
		"a1 b2 b1 c1 c3 a3":          "O wins",
		"b2 a1 c1 a3 a2 c2 b1 b3 c3": "a draw",
	} {
		testkit.Equal(t, ticTacToe(t, text).Outcome(), want, "%s", text)
	}
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-0-2-0-0-0-0-0-23-23-S"))(t)
	testkit.Equal(t, oware.Descriptor().NewLine(p).Outcome(), "South 23, North 25", "oware")
}
