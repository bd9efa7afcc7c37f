package games_test

import (
	"slices"
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

func TestWriteRecordWithoutGains(t *testing.T) {
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

func TestRecordStartingWithTheSecondSide(t *testing.T) {
	g := tictactoe.Descriptor()
	records := testkit.Must(g.ParseRecords(strings.NewReader(`[FEN "....X...."] a1c1`), "x"))(t)
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

// Variations and their comments survive reading and writing, and do not change the game around
// them.
func TestVariationsAreKept(t *testing.T) {
	g := tictactoe.Descriptor()
	const text = `[Rules "standard"]

1. b2 a1 {a corner} ({or} 1... b1 {an edge} (1... c1) 2. a1) ({last} 1... a2)
2. c1 (2. a3 {too} (2. a2) (2. b1)) 2... b1 3. a3 (3. c3) 1-0

`
	records, err := g.ParseRecords(strings.NewReader(text), "x")
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	reply := records[0].Moves[1]
	if len(records[0].Moves) != 5 || reply.Comment != "a corner" || len(reply.Variations) != 2 || len(reply.Variations[0]) != 2 ||
		reply.Variations[0][0].Comment != "or an edge" || len(reply.Variations[0][0].Variations) != 1 || reply.Variations[1][0].Comment != "last" {
		t.Errorf("read %+v", records[0])
	}
	var b strings.Builder
	want := strings.NewReplacer("({or} 1... b1 {an edge}", "(1... b1 {or an edge}", "({last} 1... a2)", "(1... a2 {last})").Replace(text)
	if err := g.WriteRecord(&b, records[0]); err != nil || strings.Join(strings.Fields(b.String()), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("written as\n%s\nerror %v, want\n%s", b.String(), err, want)
	}
}

// Glyphs are read as numbers or symbols, and written as numbers; other marks are ignored.
func TestGlyphsAreKept(t *testing.T) {
	g := tictactoe.Descriptor()
	const text = `! b2! $99999999999999999999 a1?? {a corner} (1... b1 !? (1... c1$6 $14)) 2. c1 $1 ?! b1!!! 3. a3 $ 1-0`
	records := testkit.Must(g.ParseRecords(strings.NewReader(text), "x"))(t)
	var b strings.Builder
	testkit.NoError(t, g.WriteRecord(&b, records[0]))
	const want = "1. b2 $1 a1 $4 {a corner} (1... b1 $5 (1... c1 $6)) 2. c1 $6 b1 3. a3 1-0"
	if _, moves, _ := strings.Cut(b.String(), "\n\n"); strings.Join(strings.Fields(moves), " ") != want {
		t.Errorf("written as\n%s\nwant\n%s", b.String(), want)
	}
	again := testkit.Must(g.ParseRecords(strings.NewReader(b.String()), "x"))(t)[0]
	testkit.Equal(t, again.Moves[1].Variations[0][0].Variations[0][0].Glyph, 6, "glyph read again")
	again.Moves[0].Glyph = 7
	testkit.ErrorContains(t, g.WriteRecord(&b, again), "glyph $7: expected $1 to $6 (ply 1)")
}

func TestInvalidVariationsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"(a1) b2":             "x:1:1: variation without a move before it: expected the move that it replaces",
		"a1 (b1 b1)":          `x:1:8: illegal move b1: expected`,
		"a1 (b1":              "x:1:4: unfinished variation: expected a closing parenthesis",
		"a1 (b1 [Event \"\"]": "x:1:4: unfinished variation: expected a closing parenthesis",
		"a1 ({so})":           "x:1:4: empty variation: expected a move",
		"a1 (b1) )":           "x:1:9: ",
		"a1 (b1 1-0) 0-1":     "",
		"a1 " + strings.Repeat("(a1 ", 101) + strings.Repeat(")", 101): "x:1:404: variations in variations: expected at most 100",
	} {
		_, err := tictactoe.Descriptor().ParseRecords(strings.NewReader(text), "x")
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %s", text, err, want)
		}
	}
	var b strings.Builder
	rec := games.Record[tictactoe.Position]{Moves: []games.MoveText{{Move: 4, Variations: [][]games.MoveText{{}}}}, Result: games.Unknown}
	if err := tictactoe.Descriptor().WriteRecord(&b, rec); err == nil || b.Len() > 0 {
		t.Errorf("an empty variation is written: %s", b.String())
	}
}

// A record of a byte or two takes hundreds in memory.
func TestTooManyRecordsAreRefused(t *testing.T) {
	defer games.AtMost(10)()
	for _, game := range []string{"*", "b2*"} {
		for n, ok := range map[int]bool{10: true, 11: false} {
			records, err := tictactoe.Descriptor().ParseRecords(strings.NewReader(strings.Repeat(game, n)), "many.ogn")
			if ok && (err != nil || len(records) != n) || !ok && (err == nil || !strings.Contains(err.Error(), "more than 10 games: split the file")) {
				t.Errorf("%d of %s: %d records, %v", n, game, len(records), err)
			}
		}
	}
}

func TestRosterTagsComeFirstInOrder(t *testing.T) {
	rec := testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(`[North "Ben"] [Rules "awari"] [Limits "nodes 9"] [Round "7"] {so} F {it begins} f 1-0`), "x"))(t)
	var b strings.Builder
	testkit.NoError(t, oware.Descriptor().WriteRecord(&b, oware.Descriptor().WithRoster(rec[0])))
	const want = `[Variant "Oware Awari"]
[Event "?"]
[Site "?"]
[Date "?"]
[Round "7"]
[South "?"]
[North "Ben"]
[Result "1-0"]
[Rules "awari"]
[Limits "nodes 9"]

1. F {so it begins} f 1-0

`
	testkit.Equal(t, b.String(), want, "written as")
	if rec[0].Comment != "so" || rec[0].Moves[0].Comment != "it begins" || len(rec[0].Tags) != 4 {
		t.Errorf("the record itself has changed: %+v", rec[0])
	}
}

func TestRosterKeepsVariantAndHasNoLeadingComment(t *testing.T) {
	g := tictactoe.Descriptor()
	rec := games.Record[tictactoe.Position]{Start: tictactoe.Start(), Comment: "no moves", Result: games.Unknown}
	if got := g.WithRoster(rec); got.Comment != "" || got.Tags[0].Value != "Tictactoe Standard" || len(got.Tags) != 8 {
		t.Errorf("%+v", got)
	}
	rec.Tags = []games.Tag{{Name: "Variant", Value: "noughts and crosses"}}
	if got := g.WithRoster(rec); !slices.Contains(got.Tags, rec.Tags[0]) || len(got.Tags) != 8 {
		t.Errorf("%+v", got.Tags)
	}
}

// A move has the number that a record gives it, whichever side began.
func TestMovesAreNumberedAsInRecords(t *testing.T) {
	for first, want := range [][]string{{"1.", "1...", "2.", "2..."}, {"1...", "2.", "2...", "3."}} {
		for plies, number := range want {
			testkit.Equal(t, games.MoveNumber(plies, first), number, "move after %d, begun by side %d", plies, first)
		}
	}
}
