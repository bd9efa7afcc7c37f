package oware

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"kroo/games"
	"kroo/internal/testkit"
)

// Two annotated games of Sala Soler 2014, with captures.
const (
	shortGame = `1. E b 2. D f+2 3. B e+3 4. F f+2 5. C d+5 6. A+3 c+13`
	longGame  = `1. F f 2. E e 3. A a 4. E e 5. C c+2 6. B+2 b+2 7. F+2 c 8. D a 9. B c 10. D b 11. A c 12. B e+2
13. B f 14. F+4 d+3 15. A a 16. B f 17. F+3 e+2 18. E+2 a 19. D b 20. C e+2 21. B c 22. C b 23. F+2 b 24. B f+2
25. B e 26. E b 27. A d+2 28. C a 29. E d 30. A f+2 31. A e 32. A c 33. B d 34. F+2 a 35. D a 36. E c 37. C b
38. D f 39. A e+3 40. A f 41. A d 42. A e 43. E c 44. B d 45. D e 46. C f 47. E a 48. D b 49. C c 50. F+2 b
51. E a 52. D c 53. B e 54. A d 55. C b 56. E e 57. B c 58. D d 59. C e 60. D f 61. E a 62. C b 63. F+2 b
64. D c 65. E a 66. B d 67. C e 68. A b 69. D c 70. B d 71. C e 72. D f 73. E a 74. F+2 a 75. B b 76. C c
77. D d 78. A e 79. B f`
)

// parseOGN parses valid records.
func parseOGN(t testing.TB, text string) []games.Record[Position] {
	t.Helper()
	records, err := descriptor.ParseRecords(strings.NewReader(text), "test.ogn")
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return records
}

// letters returns the moves of a record.
func letters(rec games.Record[Position]) string {
	var b strings.Builder
	side := rec.Start.ToMove()
	for _, m := range rec.Moves {
		b.WriteString(MoveName(m.Move, side))
		side = side.Other()
	}
	return b.String()
}

func write(t testing.TB, rec games.Record[Position]) string {
	t.Helper()
	var b bytes.Buffer
	if err := descriptor.WriteRecord(&b, rec); err != nil {
		t.Fatalf("%v: %+v", err, rec)
	}
	return b.String()
}

func TestPublishedGamesReplay(t *testing.T) {
	for _, tt := range []struct {
		text         string
		plies        int
		reason       games.Reason
		south, north float64 // the published results
		captured     int     // the sum of the annotated captures
	}{
		{shortGame, 12, Majority, 3, 25, 28},
		{longGame, 158, NoMoves, 26, 22, 45},
	} {
		records := parseOGN(t, tt.text)
		if len(records) != 1 || len(records[0].Moves) != tt.plies || records[0].Start != Start(Abapa) {
			t.Fatalf("%d records, the first of %d plies from %v", len(records), len(records[0].Moves), records[0].Start)
		}
		g := testkit.Must(descriptor.Replay(records[0]))(t)
		checkOver(t, g, int(tt.south-tt.north), tt.reason, true, tt.south, tt.north)
		tw := twinOf(Start(Abapa))
		for _, m := range g.Moves() {
			tw, _ = tw.sow(int(m))
		}
		if p := g.Position(); p != tw.position() || p.Progress() != tt.captured {
			t.Errorf("ends with %d seeds captured in %v, want %d in %v", p.Progress(), p, tt.captured, tw.position())
		}
		// When written again, captures and numbers are those of the source.
		written := write(t, records[0])
		if _, moves, _ := strings.Cut(written, "\n\n"); strings.Join(strings.Fields(moves), " ") != strings.Join(strings.Fields(tt.text), " ")+" *" {
			t.Errorf("written as\n%s", written)
		}
		for _, line := range strings.Split(written, "\n") {
			if len(line) > 80 {
				t.Errorf("line of %d columns: %s", len(line), line)
			}
		}
	}
}

// The file was written by a version from before all games shared the code for records: both
// annotated games, and games under all rules from random boards.
func TestOGNOutputIsByteIdentical(t *testing.T) {
	want := testkit.Read(t, "testdata/records.ogn")
	records := parseOGN(t, string(want))
	if len(records) != 14 || letters(records[0]) != letters(parseOGN(t, shortGame)[0]) || letters(records[1]) != letters(parseOGN(t, longGame)[0]) {
		t.Errorf("%d records, of which the first two are not the annotated games", len(records))
	}
	var got strings.Builder
	for _, rec := range records {
		got.WriteString(write(t, rec))
	}
	testkit.Equal(t, got.String(), string(want), "written as")
}

func TestOGNHead(t *testing.T) {
	rec := parseOGN(t, `[Event "a \"great\" \\ day"] [ Rules   "Awari" ]
[FEN " `+cycleStart+` "][Site ""]
F a {why not} C {so} {there} f 1/2-1/2`)[0]
	want := games.Record[Position]{
		Tags:   []games.Tag{{Name: "Event", Value: `a "great" \ day`}, {Name: "Rules", Value: "Awari"}, {Name: "FEN", Value: " " + cycleStart + " "}, {Name: "Site", Value: ""}},
		Start:  board(t, Awari, cycleStart),
		Moves:  []games.MoveText{{Move: 5, Comment: ""}, {Move: 0, Comment: "why not"}, {Move: 2, Comment: "so there"}, {Move: 5, Comment: ""}},
		Result: games.DrawnGame,
	}
	if !reflect.DeepEqual(rec, want) {
		t.Errorf("got  %+v\nwant %+v", rec, want)
	}
	if rec.Tag("Event") != `a "great" \ day` || rec.Tag("Nothing") != "" {
		t.Errorf("tags %q, %q", rec.Tag("Event"), rec.Tag("Nothing"))
	}
}

func TestOGNIsTolerant(t *testing.T) {
	for _, text := range []string{
		"FfEe",
		"F f E e",
		"1. F f 2. E e *",
		"1.F f 2.E e",
		"1 F f 2 E e",
		"1. F 1... f 2. E 2... e",
		"7. F f 7. E e",
		"\ufeffF f E e",
		"F\r\n\tf\n\nE e\n",
		"F! f?? E!? $4 e $",
		"F f ; E d 12 (\nE e",
		"F f E e ;",
		"F (A a (b {)} B) 5. C) f (; )\na) E e",
		"{comment before any record} F f E e",
		"1 F 1 f 2 E 2 e",
	} {
		records := parseOGN(t, text)
		if len(records) != 1 || letters(records[0]) != "FfEe" || records[0].Result != games.Unknown {
			t.Errorf("%q: read as %+v", text, records)
		}
	}
}

func TestOGNResults(t *testing.T) {
	for text, want := range map[string]string{
		"F f 1-0":                  games.FirstWins,
		"F f 0 - 1":                games.SecondWins,
		"F f 1/2-1/2":              games.DrawnGame,
		"F f 1/2\n-\n1/2":          games.DrawnGame,
		"F f*":                     games.Unknown,
		"F f":                      games.Unknown,
		`[Result "1-0"] F f`:       games.FirstWins,
		`[Result "?"] F f`:         games.Unknown,
		`[Result "?"] F f 0-1`:     games.SecondWins,
		`[Result "1-0"] F f 1-0`:   games.FirstWins,
		`[Rules "simple"] *`:       games.Unknown,
		shortGame + " 0-1":         games.SecondWins,
		shortGame + " *":           games.Unknown,
		shortGame + " 3-25":        games.SecondWins,
		longGame + " 26-22":        games.FirstWins,
		"F f 25-11":                games.FirstWins,
		"F f 11 - 25":              games.SecondWins,
		"F f 24-24":                games.DrawnGame,
		`[Result "25-11"] F f`:     games.FirstWins,
		`[Result "25-11"] F f 1-0`: games.FirstWins,
		`[Result "*"] F f *`:       games.Unknown,
	} {
		if records := parseOGN(t, text); len(records) != 1 || records[0].Result != want {
			t.Errorf("%q: read as %+v, want result %s", text, records, want)
		}
	}
}

// Head and ending as the best-known oware program writes them: its roster of tags, the result in
// seeds, comments with blanks inside the braces.
func TestOGNOfAnotherProgram(t *testing.T) {
	rec := parseOGN(t, `[Variant "Oware Abapa"]
[Event "?"]
[Site "?"]
[Date "2014.05.03"]
[Round "?"]
[South "Ann"]
[North "Ben"]
[Result "3-25"]

`+strings.Replace(shortGame, "F f+2", "F { a mistake } f+2", 1)+" 3-25\n")[0]
	if rec.Result != games.SecondWins || rec.Tag("Date") != "2014.05.03" || rec.Moves[6].Comment != "a mistake" {
		t.Errorf("read as %+v", rec)
	}
	if got := write(t, rec); !strings.Contains(got, `[Result "3-25"]`) || !strings.HasSuffix(got, "c+13 3-25\n\n") {
		t.Errorf("written as\n%s", got)
	}
}

func TestVariantTagDeterminesRules(t *testing.T) {
	for head, want := range map[string]Rules{
		`[Variant "Oware Awari"]`:                  Awari,
		`[Variant "simple"]`:                       Simple,
		`[Variant "Oware Awari"] [Rules "simple"]`: Simple,
		`[Variant "Oware Abapa"]`:                  Abapa,
		`[Variant "?"]`:                            Abapa,
		`[Variant ""]`:                             Abapa,
	} {
		if rec := parseOGN(t, head+" F f *")[0]; rec.Start.Rules() != want {
			t.Errorf("%s: %v, want %v", head, rec.Start.Rules(), want)
		}
	}
}

func TestOGNConsecutiveRecords(t *testing.T) {
	records := parseOGN(t, `F f 1-0 {South was late} [Event "2"] {headed} E e {last}
[Event "3"]
[Rules "awari"]
D d 1/2-1/2 * `)
	if len(records) != 4 {
		t.Fatalf("%d records: %+v", len(records), records)
	}
	for i, want := range []string{
		`[] abapa "" Ff 1-0`, `[{Event 2}] abapa "headed" Ee *`, `[{Event 3} {Rules awari}] awari "" Dd 1/2-1/2`, `[] abapa ""  *`,
	} {
		rec := records[i]
		testkit.Equal(t, fmt.Sprintf("%v %v %q %s %s", rec.Tags, rec.Start.Rules(), rec.Comment, letters(rec), rec.Result), want, "record %d", i)
	}
	testkit.Equal(t, records[1].Moves[1].Comment, "last", "comment")
	for _, text := range []string{"", " \n", "{nothing}", "; nothing", "1. 2. ...", "\ufeff"} {
		if got := parseOGN(t, text); len(got) != 0 {
			t.Errorf("%q: read as %+v", text, got)
		}
	}
}

func TestParseOGNRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"F f\nE x", `test.ogn:2:3: 'x' is not a move: expected A to F`},
		{"F f\nE E", `test.ogn:2:3: move E, but it is N to move`},
		{"f", `test.ogn:1:1: move f, but it is S to move`},
		{"F f F", `test.ogn:1:5: illegal move F: expected A, B, C, D, E`},
		{"F+2", `test.ogn:1:2: capture noted as "+2": expected +0`},
		{"E b D f + 3", `test.ogn:1:9: capture noted as "+3": expected +2`},
		{"E b D f+", `test.ogn:1:8: capture noted as "+": expected +2`},
		{"F+99999999999999999999", `capture noted as "+9999`},
		{"F f 25-24", `test.ogn:1:5: result "25-24": expected 1-0, 0-1, 1/2-1/2 or *`},
		{"F f 2-3-4", `test.ogn:1:5: result "2-3-4": expected`},
		{shortGame + " 25-3", `result 1-0 of a game that ended 0-1`},
		{`[Result "25-3"]` + shortGame, `tag Result: result 1-0 of a game that ended 0-1`},
		{`[Result "25-3"] F f 0-1`, `tag Result: 1-0, but the record ends with 0-1`},
		{"F f 1-", `result "1-": expected`},
		{shortGame + " 1-0", `result 1-0 of a game that ended 0-1`},
		{shortGame + " A", `move A after the end of the game (majority)`},
		{`[Result "1-0"] F f 0-1`, `test.ogn:1:10: tag Result: 1-0, but the record ends with 0-1`},
		{`[Result "1-0"]` + shortGame, `tag Result: result 1-0 of a game that ended 0-1`},
		{`[Rules "kalah"] F`, `test.ogn:1:9: tag Rules: unknown rules "kalah": expected abapa`},
		{"[Rules \"awari\"]\n[Rules \"abapa\"] F", `test.ogn:2:9: second tag Rules in a record: expected one`},
		{`[FEN "4-4"] F`, `test.ogn:1:7: tag FEN: board "4-4" has 2 fields`},
		{`[FEN "4-4"]`, `test.ogn:1:7: tag FEN`},
		{`[`, `test.ogn:1:1: bad tag: expected [Name "value"]`},
		{`["x"]`, `bad tag`},
		{`[Event x]`, `bad tag`},
		{"[Event \"x\n\"]", `test.ogn:1:1: unfinished value of tag "Event"`},
		{`[Event "x`, `unfinished value of tag "Event"`},
		{`[Event "x\`, `unfinished value of tag "Event"`},
		{`[Event "x" F`, `unfinished tag "Event": expected a closing bracket`},
		{"F\n {never closed", `test.ogn:2:2: unfinished comment: expected a closing brace`},
		{"F (A {", `test.ogn:1:6: unfinished comment`},
		{"F (a)", `test.ogn:1:4: move a, but it is S to move`},
		{"F (A", `test.ogn:1:3: unfinished variation: expected a closing parenthesis`},
		{"F )", `test.ogn:1:3: closing parenthesis without an opening one: expected a move`},
		{"F f }", `'}' is not a move`},
		{"F \x80", `test.ogn:1:3: "\x80" is not a move`},
		{"F Ф", `test.ogn:1:3: "Ф" is not a move`},
		{"F f ½", `test.ogn:1:5: "½" is not a move`},
		{"F %", `'%' is not a move`},
		{"1. 6 6 *", `test.ogn:1:4: '6' is not a move: expected A to F`},
		{"[Result \"1-0\"]\n6 6 5 5", `test.ogn:2:3: '6' is not a move`},
		{"F f 2. 5 1-0", `test.ogn:1:8: '5' is not a move`},
		{"[South \"a\"] 1. E f 1-0 2. B b 1-0", `test.ogn:1:24: moves after the result: expected a tag, or a new game from move 1`},
		{"[South \"a\"] E f 1-0 B b 1-0", `test.ogn:1:21: moves after the result`},
		{"1. E f 1-0 B b", `test.ogn:1:12: moves after the result`},
		{"1. E f * 2 B b", `test.ogn:1:10: moves after the result`},
		{"[Result \"1-0\"] F f *", `test.ogn:1:10: tag Result: 1-0, but the record ends with *`},
		{"F f\n % F", `'%' is not a move`},
		{"\x1f\x8b\x08\x00", `test.ogn: compressed with gzip: expected text`},
		{"\xff\xfeF\x00", `test.ogn: text in UTF-16: expected UTF-8`},
	} {
		records, err := descriptor.ParseRecords(strings.NewReader(tt.text), "test.ogn")
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "test.ogn:") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one with %q", tt.text, err, tt.want)
		}
		if records != nil {
			t.Errorf("%q: records and an error: %+v", tt.text, records)
		}
	}
	broken := errors.New("disk on fire")
	if _, err := descriptor.ParseRecords(iotest.ErrReader(broken), "test.ogn"); !errors.Is(err, broken) || !strings.Contains(err.Error(), "test.ogn") {
		t.Errorf("error %v, want one that wraps %v and names the file", err, broken)
	}
	file := &fs.PathError{Op: "read", Path: "test.ogn", Err: broken}
	if _, err := descriptor.ParseRecords(iotest.ErrReader(file), "test.ogn"); !errors.Is(err, broken) || strings.Count(err.Error(), "test.ogn") != 1 {
		t.Errorf("error %v, want one that names the file once", err)
	}
}

// Every prefix of a valid text is either read or refused with an error.
func TestParseOGNTruncated(t *testing.T) {
	text := `[Rules "awari"] [FEN "` + cycleStart + `"] {x} 1. F (C {y} f) a 1/2-1/2`
	for n := range text {
		records, err := descriptor.ParseRecords(strings.NewReader(text[:n]), "cut.ogn")
		if err == nil && len(records) > 1 {
			t.Errorf("%q: read as %+v", text[:n], records)
		}
	}
}

func TestWriteAddsRequiredTags(t *testing.T) {
	g := descriptor.NewLine(board(t, Awari, cycleStart).Swap())
	play(t, g, "fF")
	rec := g.Record(games.Tag{Name: "Event", Value: `"x\`}, games.Tag{Name: "FEN", Value: "wrong"}, games.Tag{Name: "FEN", Value: "twice"}, games.Tag{Name: "Result", Value: "wrong"})
	rec.Comment, rec.Moves[0].Comment = " a \n b ", "c"
	want := `[Event "\"x\\"]
[FEN "0-0-1-0-0-1-0-0-0-0-0-1-22-23-N"]
[Result "*"]
[Rules "awari"]

{a b} 1... f {c} 2. F *

`
	testkit.Equal(t, write(t, rec), want, "written as")
	if len(rec.Tags) != 4 || rec.Tags[1].Value != "wrong" {
		t.Errorf("writing changed the record: %+v", rec.Tags)
	}
}

func TestWriteRefuses(t *testing.T) {
	good := func() games.Record[Position] {
		g := descriptor.NewLine(Start(Abapa))
		play(t, g, "EbDf")
		return g.Record(games.Tag{Name: "Event", Value: "x"})
	}
	if got := write(t, good()); !strings.Contains(got, "1. E b 2. D f+2 *") {
		t.Errorf("written as\n%s", got)
	}
	for want, spoil := range map[string]func(*games.Record[Position]){
		`tag name "a b"`:                 func(r *games.Record[Position]) { r.Tags[0].Name = "a b" },
		`tag name ""`:                    func(r *games.Record[Position]) { r.Tags[0].Name = "" },
		"expected a single line":         func(r *games.Record[Position]) { r.Tags[0].Value = "a\nb" },
		"braces are not allowed (ply 2)": func(r *games.Record[Position]) { r.Moves[1].Comment = "a } b" },
		"braces are not allowed":         func(r *games.Record[Position]) { r.Comment = "{" },
		"illegal move E: expected":       func(r *games.Record[Position]) { r.Moves[2].Move = 4 },
		`result "": expected 1-0`:        func(r *games.Record[Position]) { r.Result = "" },
		"expected 1-0, 0-1, 1/2-1/2":     func(r *games.Record[Position]) { r.Result = "2-0" },
	} {
		rec := good()
		spoil(&rec)
		var b bytes.Buffer
		if err := descriptor.WriteRecord(&b, rec); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || b.Len() > 0 {
			t.Errorf("error %v after %d bytes, want one with %q", err, b.Len(), want)
		}
	}
	broken := errors.New("disk on fire")
	if err := descriptor.WriteRecord(failingWriter{broken}, good()); !errors.Is(err, broken) {
		t.Errorf("error %v, want one that wraps %v", err, broken)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// Aualé annotates the last move with the total that its side gets: its capture, and the seeds
// collected at the end of the game, here by a repetition.
func TestOGNTotalOfTheLastMove(t *testing.T) {
	for noted, ok := range map[string]bool{"": true, "+0": true, "+1": true, "+2": false, "+17": false} {
		if _, err := descriptor.ParseRecords(strings.NewReader(`[FEN "`+cycleStart+`"] `+cycleMoves+noted), "f"); (err == nil) != ok {
			t.Errorf("e%s: error %v", noted, err)
		}
	}
}

// Writing keeps a score given instead of the result, variations and comments.
func TestOGNKeepsTheScore(t *testing.T) {
	rec := parseOGN(t, "[Variant \"Oware Abapa\"]\n[Result \"25-11\"]\n\n1. F f 25-11\n")[0]
	if text := write(t, rec); !strings.Contains(text, "F f 25-11\n") || rec.Result != games.FirstWins || rec.Score != "25-11" {
		t.Errorf("%+v is written as %s", rec, text)
	}
	rec.Result = games.SecondWins
	if text := write(t, rec); !strings.Contains(text, "F f 0-1\n") {
		t.Errorf("written as %s", text)
	}
}

// An invalid game is reported, and the others are read.
func TestParseGoodSkipsInvalidGames(t *testing.T) {
	const good = "[Round \"1\"]\n[Result \"*\"]\n\n1. F f *\n\n"
	for _, bad := range []string{
		"[Round \"2\"]\n\n1. F F *\n\n", "[Round \"2]\n[Result \"*\"]\n\n1. F f *\n", "[Rules \"none\"]\n[Result \"*\"]\n\n1. F f *\n",
		"[Round \"2\"]\n\n1. F {open f *\n\n", "[Result \"1-0\"]\n\n1. F f 0-1\n", "[Round \"2\"]\n\n1. F+3 f *\n2. D\n\n",
		"[Termination \"time\"]\n\n1. F f\n\n",
	} {
		for _, text := range []string{good + bad + good, bad + good + good, good + good + bad} {
			var reported []error
			records, err := Descriptor().ParseGood(strings.NewReader(text), "f", func(err error) { reported = append(reported, err) })
			if err != nil || len(records) != 2 || len(reported) != 1 || !strings.HasPrefix(reported[0].Error(), "f:") {
				t.Errorf("%q: %d records, reported %v, error %v", text, len(records), reported, err)
			}
		}
		if _, err := Descriptor().ParseGood(strings.NewReader(bad), "f", func(error) {}); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func FuzzParseOGN(f *testing.F) {
	for _, s := range []string{
		shortGame + " 0-1", longGame, shortGame + " 3-25", `[Variant "Oware Awari"] [Result "25-11"] F f`,
		`[Rules "awari"] [FEN "` + cycleStart + `"] {x} 1. F (C {y} f) a $1 ! ; z` + "\n1/2-1/2 [A \"\\\"\"] 1... F+0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		records, err := descriptor.ParseRecords(strings.NewReader(text), "fuzz.ogn")
		good, badErr := descriptor.ParseGood(strings.NewReader(text), "fuzz.ogn", func(err error) {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("error %q", err)
			}
		})
		if badErr == nil && len(good) < len(records) {
			t.Errorf("%d good games of %d", len(good), len(records))
		}
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || !strings.HasPrefix(err.Error(), "fuzz.ogn:") {
				t.Errorf("error %q", err)
			}
			return
		}
		for _, rec := range records {
			written := write(t, rec)
			again := parseOGN(t, written)
			if len(again) != 1 {
				t.Fatalf("%q: %d records, written as\n%s", text, len(again), written)
			}
			if rewritten := write(t, again[0]); rewritten != written {
				t.Fatalf("%q: written as\n%s\nand then as\n%s", text, written, rewritten)
			}
			again[0].Tags, again[0].NoResult = rec.Tags, rec.NoResult
			if !reflect.DeepEqual(again[0], rec) {
				t.Fatalf("%q: read as\n%+v\nwritten and read again as\n%+v", text, rec, again[0])
			}
		}
	})
}

// Comments survive reading and writing, wherever they are: before the head, to the end of a line, around
// variations, and after the result.
func TestCommentsOfEveryPlaceAreKept(t *testing.T) {
	for text, want := range map[string]string{
		`{a} [South "x"] ; b
{c} 1. E f *`: `{a b c} 1. E f *`,
		"1. E ; alpha {note}\nf {beta} 2. B b 1-0 {gamma} ; delta": `1. E {alpha (note)} f {beta} 2. B b {gamma delta} 1-0`,
		"1. E ; a\n{b} (; c\nA {d} ; e\n) {f}\n(B) ; g\n f *":      `1. E {a b f g} (1. A {c d e}) (1. B) 1... f *`,
		"1. E *\n; at the end\n{of the text}":                      `1. E {at the end of the text} *`,
		"; no head\n1. {here} E *":                                 `{no head here} 1. E *`,
		"* {no moves}":                                             `{no moves} *`,
	} {
		records := parseOGN(t, text)
		if len(records) != 1 {
			t.Fatalf("%q: %d records", text, len(records))
		}
		_, moves, _ := strings.Cut(write(t, records[0]), "\n\n")
		testkit.Equal(t, strings.Join(strings.Fields(moves), " "), want, "%q written as", text)
	}
	records := parseOGN(t, "1. E * {of the first}\n{of the second}\n[South \"b\"] 1. F *")
	testkit.Equal(t, records[0].Moves[0].Comment, "of the first", "comment on the line of a result")
	testkit.Equal(t, records[1].Comment, "of the second", "comment before a head")
}

// Lines that begin with a percent sign are PGN's escape, and skipped, except inside a comment.
func TestEscapedLinesAreSkipped(t *testing.T) {
	records := parseOGN(t, "% a line { of another program\n[South \"a\"]\n% (\n1. F\n%* 1-0\nf {is\n% kept} *\n%")
	testkit.Equal(t, len(records), 1, "records")
	testkit.Equal(t, letters(records[0])+" "+records[0].Moves[1].Comment, "Ff is % kept", "read")
}

// A text that gives the end of a game, or that ends in a head, is truncated if the result is
// missing. Other games may lack one.
func TestTruncatedOGN(t *testing.T) {
	for text, want := range map[string]string{
		`[Termination "move limit"] F f`:                "game 1 is truncated",
		`F f 1-0 [Termination "move limit"] F f`:        "game 2 is truncated",
		`[Termination "t"] F f [Termination "t"] F f *`: "game 1 is truncated",
		`F f * [South "a"]`:                             "game 2 is truncated",
		`[South "a"] [North "b"]`:                       "game 1 is truncated",
		`[South "a"] F f [North "b"]`:                   "game 2 is truncated",
		`[Termination "move limit"] [Result "1-0"] F f`: "game 1 is truncated",
	} {
		_, err := descriptor.ParseRecords(strings.NewReader(text), "test.ogn")
		testkit.ErrorContains(t, err, want, "test.ogn:1:")
	}
	records := parseOGN(t, `[South "a"] F f [South "b"] F f 1-0 [South "c"] F`)
	for i, cut := range []bool{true, false, true} {
		testkit.Equal(t, records[i].NoResult, cut, "record %d: %+v", i, records[i])
	}
}
