package games_test

import (
	"testing"

	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

func TestMoveNamesStandApartAsTheGameHasIt(t *testing.T) {
	p := oware.Start(oware.Abapa)
	testkit.Equal(t, oware.Descriptor().MoveNames(p, 2, 5), "CF", "oware")
	testkit.Equal(t, tictactoe.Descriptor().MoveNames(tictactoe.Start(), 0, 4), "a1 b2", "tic-tac-toe")
}

func TestLineNamesFollowTheSideToMove(t *testing.T) {
	testkit.Equal(t, oware.Descriptor().LineNames(oware.Start(oware.Abapa), []games.Move{5, 5, 4}), "FfE", "oware")
}

func TestMovesOfTheOpponent(t *testing.T) {
	start := oware.Start(oware.Abapa)
	for text, want := range map[string]string{"f": "f", "fE": "f", "F": "", "G": "", "": ""} {
		if got, ok := oware.Descriptor().OpponentsMove(start, text); got != want || ok != (want != "") {
			t.Errorf("oware, %q: %q, %v", text, got, ok)
		}
	}
	if _, _, err := oware.Descriptor().NextMove(start, "fE"); err == nil || err.Error() != "move f is the opponent's: expected one of ABCDEF" {
		t.Errorf("oware, fE: error %v", err)
	}
	// Both sides name the squares alike.
	if _, ok := tictactoe.Descriptor().OpponentsMove(tictactoe.Start(), "b2"); ok {
		t.Error("tic-tac-toe: b2 is the opponent's")
	}
	over := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-0-1-0-0-0-0-0-24-23-S"))(t)
	if _, ok := oware.Descriptor().OpponentsMove(over, "a"); ok {
		t.Error("a side that cannot move has an opponent that moves next")
	}
}

func TestOutcomeIsWhatEachSideHasOrWhoWins(t *testing.T) {
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
