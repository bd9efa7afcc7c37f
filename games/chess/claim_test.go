package chess

import (
	"strings"
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
)

// A player has to claim a draw by repetition or by fifty moves without progress: a game that
// continued is read to its end, whatever its result.
func TestGamesMayContinueAfterAnUnclaimedDraw(t *testing.T) {
	again := "g1f3 g8f6 f3g1 f6g8 "
	text := strings.Repeat(again, 2) + "e2e4 e7e5 1-0\n\n[Result \"0-1\"]\n" + strings.Repeat(again, 30) + "0-1\n"
	records, err := Descriptor().ParseRecords(strings.NewReader(text), "x")
	if err != nil || len(records) != 2 || len(records[0].Moves) != 10 || len(records[1].Moves) != 120 || records[1].Result != games.SecondWins {
		t.Fatalf("%d games, error %v", len(records), err)
	}
	l := testkit.Must(Descriptor().Replay(records[0]))(t)
	if _, _, over := l.Over(); over {
		t.Error("over after moves that made progress")
	}
	l.Undo()
	if l.Undo(); l.Result() != games.DrawnGame {
		t.Errorf("at the third appearance the game is %s: expected a draw", l.Result())
	}
	const mate = "f2f3 e7e5 g2g4 d8h4 a2a3"
	_, err = Descriptor().ParseRecords(strings.NewReader(mate), "x")
	testkit.Refused(t, err, "after the end of the game (checkmate)")
}
