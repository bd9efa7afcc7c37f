package games_test

import (
	"testing"

	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
)

func TestMoveNamesStandApartAsTheGameHasIt(t *testing.T) {
	p := oware.Start(oware.Abapa)
	if got := oware.Descriptor().MoveNames(p, 2, 5); got != "CF" {
		t.Errorf("oware: %q", got)
	}
	if got := tictactoe.Descriptor().MoveNames(tictactoe.Start(), 0, 4); got != "a1 b2" {
		t.Errorf("tic-tac-toe: %q", got)
	}
}

func TestLineNamesFollowTheSideToMove(t *testing.T) {
	if got := oware.Descriptor().LineNames(oware.Start(oware.Abapa), []games.Move{5, 5, 4}); got != "FfE" {
		t.Errorf("oware: %q", got)
	}
}

func TestMovesOfTheOpponent(t *testing.T) {
	start := oware.Start(oware.Abapa)
	for text, want := range map[string]bool{"f": true, "fE": true, "F": false, "G": false, "": false} {
		if got := oware.Descriptor().OfOpponent(start, text); got != want {
			t.Errorf("oware, %q: %v", text, got)
		}
	}
	// Both sides name the squares alike.
	if tictactoe.Descriptor().OfOpponent(tictactoe.Start(), "b2") {
		t.Error("tic-tac-toe: b2 is the opponent's")
	}
	over, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-0-0-1-0-0-0-0-0-24-23-S")
	if err != nil {
		t.Fatal(err)
	}
	if oware.Descriptor().OfOpponent(over, "a") {
		t.Error("a side that cannot move has an opponent that moves next")
	}
}

func TestOutcomeIsWhatEachSideHasOrWhoWins(t *testing.T) {
	for text, want := range map[string]string{
		"b2 a1 c1 b1 a3":             "X wins",
		"a1 b2 b1 c1 c3 a3":          "O wins",
		"b2 a1 c1 a3 a2 c2 b1 b3 c3": "a draw",
	} {
		if got := ticTacToe(t, text).Outcome(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	p, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-0-0-2-0-0-0-0-0-23-23-S")
	if err != nil {
		t.Fatal(err)
	}
	if got := oware.Descriptor().NewLine(p).Outcome(); got != "South 23, North 25" {
		t.Errorf("oware: %q", got)
	}
}
