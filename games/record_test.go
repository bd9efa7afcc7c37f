package games_test

import (
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/tictactoe"
)

func TestRecordOfAGameWithoutGains(t *testing.T) {
	rec := ticTacToe(t, "b2 a1 c1 b1 a3").Record(games.Tag{Name: "Event", Value: "club"}, games.Tag{Name: games.TagResult})
	rec.Comment, rec.Moves[1].Comment = "the centre first", "a corner"
	const want = `[Event "club"]
[Result "1-0"]
[Rules "standard"]

{the centre first} 1. b2 a1 {a corner} 2. c1 b1 3. a3 1-0

`
	var b strings.Builder
	if err := tictactoe.Descriptor().WriteRecord(&b, rec); err != nil || b.String() != want {
		t.Errorf("written as\n%s\nerror %v, want\n%s", b.String(), err, want)
	}
}

func TestRecordFromAnotherPositionBeginsWithItsNumber(t *testing.T) {
	g := tictactoe.Descriptor()
	records, err := g.ParseRecords(strings.NewReader(`[FEN "....X...."] a1c1`), "x")
	if err != nil {
		t.Fatal(err)
	}
	const want = "[FEN \"....X....\"]\n[Rules \"standard\"]\n\n1... a1 2. c1 *\n\n"
	var b strings.Builder
	if err := g.WriteRecord(&b, records[0]); err != nil || b.String() != want {
		t.Errorf("written as\n%s\nerror %v, want\n%s", b.String(), err, want)
	}
	l, err := g.Replay(records[0])
	if err != nil || l.Position().String() != "O.X.X...." {
		t.Errorf("replayed to %s, error %v", l.Position(), err)
	}
}

func TestRecordsOfAnotherGameAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`[Rules "abapa"] F f`:          `x:1:9: tag Rules: unknown rules "abapa": expected standard`,
		`[FEN "4-4"] a1`:               `x:1:7: tag FEN: board has 3 characters: expected 9`,
		"a1\nF":                        `x:2:1: "F" is no square: expected a column a to c and a row 1 to 3 from the top, as b2`,
		"a1 b1+2":                      `x:1:6: capture noted as "+2": expected +0, as the move captures`,
		"a1 b1 a2 b2 a3 0-1":           `x:1:16: result 0-1 of a game that ended 1-0`,
		"a1 b1 a2 b2 a3 b3":            `x:1:16: move b3 after the end of the game (three in a row)`,
		`[Result "1-0"] a1 b1 1/2-1/2`: `x:1:10: tag Result: 1-0, but the record ends with 1/2-1/2`,
	} {
		records, err := tictactoe.Descriptor().ParseRecords(strings.NewReader(text), "x")
		if err == nil || err.Error() != want || records != nil {
			t.Errorf("%q: %d records, error %v, want %s", text, len(records), err, want)
		}
	}
}

func TestReplayNamesThePly(t *testing.T) {
	g := tictactoe.Descriptor()
	rec := games.Record[tictactoe.Position]{Moves: []games.MoveText{{Move: 4}, {Move: 4}}, Result: games.Unknown}
	if _, err := g.Replay(rec); err == nil || !strings.HasSuffix(err.Error(), "(ply 2)") {
		t.Errorf("Replay: error %v", err)
	}
	var b strings.Builder
	if err := g.WriteRecord(&b, rec); err == nil || !strings.HasSuffix(err.Error(), "(ply 2)") || b.Len() > 0 {
		t.Errorf("WriteRecord: error %v after %d bytes", err, b.Len())
	}
}
