package datasets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/games"
	"kroo/internal/testkit"
)

// boardNumber returns one of many different boards.
func boardNumber(i int) string {
	return fmt.Sprintf("%d-4-4-4-4-4-4-4-4-4-4-4-%d-0-S", i%5, 4-i%5) // 48 seeds in total
}

// columnTable writes a CSV file with a column of boards and those of head, one line per row.
func columnTable(t *testing.T, head string, rows ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.csv")
	text := "board," + head + "\n"
	for i, r := range rows {
		text += boardNumber(i) + "," + r + "\n"
	}
	testkit.Write(t, path, []byte(text))
	return path
}

func TestColumnsOfAnotherProgramAreFeaturesInEveryFormat(t *testing.T) {
	path := columnTable(t, "label,mobility,tempo,weight", "10,1.5,-2,1", "20,-0.25,3,2.5", "-30,0,1e3,0")
	for _, ext := range extensions {
		out := filepath.Join(t.TempDir(), "f"+ext)
		m, rejected, err := Import(t.Context(), game, path, out, "", ImportOptions{Columns: []string{"mobility", "tempo"}})
		if err != nil || rejected.Rows != 0 || m.Meta.Kind != Features || !m.Meta.Weighted {
			t.Fatalf("%s: %+v, rejected %+v, error %v", ext, m, rejected, err)
		}
		_, rows, err := Read(game, out, Features)
		testkit.NoError(t, err)
		for i, want := range []tableRow{
			{Label: 10, Weight: 1, Values: []float64{1.5, -2}}, {Label: 20, Weight: 2.5, Values: []float64{-0.25, 3}}, {Label: -30, Values: []float64{0, 1000}},
		} {
			want.Position = rows[i].Position
			if diff := cmp.Diff(want, rows[i], samePosition); diff != "" {
				t.Errorf("%s, row %d: %s", ext, i, diff)
			}
		}
		again := filepath.Join(t.TempDir(), "again"+ext)
		if _, err := Convert(t.Context(), game.Info, Conversion{From: out, To: again}); err != nil || !slices.Equal(testkit.Read(t, out), testkit.Read(t, again)) {
			t.Errorf("%s: not the same bytes again, error %v", ext, err)
		}
	}
}

// One side's numbers change sign if the other side moves.
func TestColumnsOfOneSide(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv")
	testkit.Write(t, path, []byte("board,label,a\n"+startBoard+",1,3\n"+northBoard+",1,3\n"))
	out := filepath.Join(t.TempDir(), "f.csv")
	if _, _, err := Import(t.Context(), game, path, out, "", ImportOptions{Columns: []string{"a"}, ColumnsView: "South"}); err != nil {
		t.Fatal(err)
	}
	_, rows, err := Read(game, out, Features)
	if err != nil || rows[0].Values[0] != 3 || rows[1].Values[0] != -3 {
		t.Errorf("rows %+v, error %v", rows, err)
	}
	_, _, err = Import(t.Context(), game, path, out, "", ImportOptions{Columns: []string{"a"}, ColumnsView: "East"})
	wantError(t, err, "East", "South")
}

func TestBadColumnsAreReportedInOneLine(t *testing.T) {
	for _, c := range []struct {
		head, rows string
		how        ImportOptions
		want       []string
	}{
		{"label,a,b", "1,x,;2,y,", ImportOptions{SkipBad: true, Columns: []string{"a", "b"}}, []string{"none of 2 rows can be read: ", `:2: column a contains "x": expected`}},
		{"label", "1_000", ImportOptions{}, []string{`"label" is "1_000": expected a number`}},
		{"label", "0x1p3", ImportOptions{}, []string{`"label" is "0x1p3": expected a number`}},
		{"label,a", "1,1_000", ImportOptions{Columns: []string{"a"}}, []string{`column a contains "1_000"`}},
		{"label,a", "1,NaN;2,", ImportOptions{SkipBad: true, Columns: []string{"a"}}, []string{"none of 2 rows can be read: ", `:2: a is NaN: expected -1e+09 to 1e+09`}},
		{"label,a,a", "1,1,2", ImportOptions{Columns: []string{"a"}}, []string{`two columns "a"`}},
		{"label,Label,a", "1,1,2", ImportOptions{Columns: []string{"a"}, Scores: Scores{Score: "LABEL"}}, []string{`two columns "LABEL"`}},
		{"label,a", "1,1", ImportOptions{Scores: Scores{Unit: 1e-320, Score: "a"}}, []string{"expected 1e-6 to 1e6"}},
		{"label,a", "1,1e10;2,", ImportOptions{SkipBad: true, Columns: []string{"a"}}, []string{"a is 10000000000: expected -1e+09 to 1e+09"}},
		{"label,a", "1,1", ImportOptions{Columns: []string{"b"}}, []string{`no column "b"`, "board, label, a"}},
		{"label,a", "1,1", ImportOptions{Columns: []string{"a", "A"}}, []string{`column "A" is named twice`}},
		{"label,ply", "1,1", ImportOptions{Columns: []string{"ply"}}, []string{"Kroo's own columns"}},
		{"label,a b", "1,1", ImportOptions{Columns: []string{"a b"}}, []string{"letters, digits"}},
		{"a", "1", ImportOptions{Columns: []string{"a"}}, []string{"column label or score"}},
		{"label,w", "1,-1;2,NaN", ImportOptions{Weight: "w"}, []string{"weight is -1: expected 0"}},
		{"label,w", "1,NaN", ImportOptions{Weight: "w"}, []string{"weight is NaN: expected 0"}},
		{"label,w", "1,x", ImportOptions{Weight: "w"}, []string{"column weight contains"}},
	} {
		path, out := columnTable(t, c.head, strings.Split(c.rows, ";")...), filepath.Join(t.TempDir(), "f.parquet")
		_, _, err := Import(t.Context(), game, path, out, "", c.how)
		wantError(t, err, append(c.want, path)...)
		if _, err := ReadManifest(out); err == nil {
			t.Errorf("%+v: something is written", c)
		}
	}
}

// A table without rows or in another encoding is refused.
func TestEmptyAndBadlyEncodedTextIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"board,label\n":        "no rows",
		"":                     "it is empty: expected a line of column names",
		"\n\n":                 "it is empty",
		"board,label\r4-4\r":   "carriage return alone",
		"board|label\n4|4\n":   "commas, semicolons or tabs separate columns",
		"fen,label\n4,4\n":     "--board names the one",
		"position\n4-4\n":      "--board names the one",
		startBoard + ",4\n":    "the first line has to name the columns",
		"board,label\n\"4,4\n": "line 2: extraneous or missing",
		"board,label\n\n\n" + startBoard + ",5\n5\n": ":5: expected 2 values, one for each column",
		"b\x00\x01,\xff\n4,4\n":                      `its columns are b??, ?`,
		"\xff\xfeb\x00o\x00a\x00r\x00":               "UTF-16",
		"\xfe\xff\x00b\x00o\x00a\x00r\x00d":          "UTF-16",
		"b\x00o\x00a\x00r\x00d\x00":                  "UTF-16",
		"\x1f\x8b\x08\x00\x00\x00\r":                 "compressed with gzip",
		"PK\x03\x04\x14\x00":                         "a spreadsheet's workbook",
	} {
		path := filepath.Join(t.TempDir(), "mine.csv")
		testkit.Write(t, path, []byte(text))
		_, _, err := Import(t.Context(), game, path, filepath.Join(t.TempDir(), "f.parquet"), "", ImportOptions{})
		wantError(t, err, path, want)
	}
}

// Rows without a number can be left out and counted; the others are kept.
func TestRowsWithoutANumberAreCountedAsRejected(t *testing.T) {
	path, out := columnTable(t, "label,a", "1,5", "2,", "3,x", "4,7"), filepath.Join(t.TempDir(), "f.parquet")
	m, rejected, err := Import(t.Context(), game, path, out, "", ImportOptions{Columns: []string{"a"}, SkipBad: true})
	if err != nil || m.Rows != 2 || rejected.Rows != 2 || !strings.Contains(rejected.First[1], `:4: column a contains "x": expected a value of type float64`) {
		t.Errorf("%d rows, rejected %+v, error %v", m.Rows, rejected, err)
	}
}

func TestColumnsAreJoinedToLabelsByBoard(t *testing.T) {
	labels := filepath.Join(t.TempDir(), "labels.parquet")
	if _, _, err := Import(t.Context(), game, columnTable(t, "label,depth", "1,3", "2,4", "3,5"), labels, "", ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	path, out := filepath.Join(t.TempDir(), "mine.csv"), filepath.Join(t.TempDir(), "f.parquet")
	testkit.Write(t, path, []byte("a,board\n7.5,"+boardNumber(2)+"\n-1,"+boardNumber(0)+"\n3,"+northBoard+"\n"))
	m, rejected, err := Join(t.Context(), game, labels, path, out, "", ImportOptions{Columns: []string{"a"}})
	if err != nil || m.Rows != 2 || rejected.Rows != 1 || !strings.Contains(rejected.First[0], "row 2: its board is not in mine.csv") {
		t.Fatalf("%+v, rejected %+v, error %v", m, rejected, err)
	}
	_, rows, err := Read(game, out, Features)
	if err != nil || rows[0].Values[0] != -1 || rows[0].Label != 1 || rows[1].Values[0] != 7.5 || rows[1].Label != 3 || rows[1].Depth != 5 {
		t.Errorf("rows %+v, error %v", rows, err)
	}
	if parent, _ := FileHash(labels); m.Meta.Parent != parent || !strings.Contains(m.Meta.Note, "columns a of mine.csv") {
		t.Errorf("meta %+v", m.Meta)
	}
	// More columns are joined to existing ones.
	more := filepath.Join(t.TempDir(), "more.csv")
	testkit.Write(t, more, []byte("board,b\n"+boardNumber(0)+",1\n"+boardNumber(2)+",2\n"))
	both := filepath.Join(t.TempDir(), "g.arrow")
	m, _, err = Join(t.Context(), game, out, more, both, "", ImportOptions{Columns: []string{"b"}})
	if err != nil || !slices.Equal(m.Meta.Columns, []string{"a", "b"}) {
		t.Errorf("%+v, error %v", m, err)
	}
	_, _, err = Join(t.Context(), game, both, more, filepath.Join(t.TempDir(), "h.arrow"), "", ImportOptions{Columns: []string{"b"}})
	wantError(t, err, `column "b" is named twice`)
	testkit.Write(t, path, []byte("a,board\n7.5,"+boardNumber(2)+"\n-1,"+boardNumber(2)+"\n"))
	_, _, err = Join(t.Context(), game, labels, path, out, "", ImportOptions{Columns: []string{"a"}})
	wantError(t, err, "appears twice, with different numbers")
	testkit.Write(t, path, []byte("a,board\n7.5,"+northBoard+"\n"))
	_, _, err = Join(t.Context(), game, labels, path, filepath.Join(t.TempDir(), "i.arrow"), "", ImportOptions{Columns: []string{"a"}})
	wantError(t, err, "has none of the boards")
}

// docs/formats.md lists every column, with its type and in the order of the files.
func TestFormatsDocListsTheColumns(t *testing.T) {
	var want []string
	for _, d := range allDefinitions(games.Info{}, &Meta{Kind: Features, Features: []string{"NAME"}}) {
		if name := strings.Replace(d.name, "name", "NAME", 1); strings.HasPrefix(name, "opp_") {
			want[len(want)-1] = fmt.Sprintf("| `own_NAME`, `%s` | %s |", name, d.typ)
		} else {
			want = append(want, fmt.Sprintf("| `%s` | %s |", name, d.typ))
		}
	}
	_, section, _ := strings.Cut(testkit.Text(t, filepath.Join("..", "docs", "formats.md")), want[0])
	lines := strings.Split(want[0]+section, "\n")
	for i, w := range want {
		if i >= len(lines) || !strings.HasPrefix(lines[i], w) {
			t.Fatalf("line %d of the columns in docs/formats.md: want one that begins with %s", i+1, w)
		}
	}
}

// Files of R and DuckDB are read correctly with any separator and decimal mark.
func TestTextFilesOfOtherProgramsAreReadCorrectly(t *testing.T) {
	for _, name := range []string{"r.csv", "r_csv2.csv", "duck_semicolon.csv", "duck_tab.csv"} {
		out := filepath.Join(t.TempDir(), "o.parquet")
		_, rejected, err := Import(t.Context(), game, filepath.Join("testdata", "text", name), out, "", ImportOptions{Columns: []string{"tempo"}})
		if err != nil || rejected.Rows != 0 {
			t.Errorf("%s: rejected %+v, error %v", name, rejected, err)
			continue
		}
		_, rows, err := Read(game, out, Features)
		if err != nil || len(rows) != 2 {
			t.Fatalf("%s: %d rows, error %v", name, len(rows), err)
		}
		for i, want := range []struct {
			board        string
			label, tempo float64
		}{{startBoard, 12.5, 1.25}, {northBoard, -3, 7}} {
			if r := rows[i]; r.Position.String() != want.board || r.Label != want.label || r.Values[0] != want.tempo {
				t.Errorf("%s, row %d: %+v, expected %+v", name, i, r, want)
			}
		}
	}
}

// R's missing values are errors with column and line.
func TestMissingValuesNameTheirColumn(t *testing.T) {
	_, _, err := labelsOf(t, filepath.Join("testdata", "text", "r_na.csv"), ImportOptions{})
	wantError(t, err, `r_na.csv:3: column "label" has no value`)
}

func TestTheHeaderDeterminesTheSeparator(t *testing.T) {
	for _, text := range []string{
		"board,label\nB,5\n", "board;label\nB;5\n", "board\tlabel\nB\t5\n",
		`"board";"label"` + "\n" + `"B";5` + "\n",
		`board;"label"` + "\nB;5\n", `"board";label` + "\r\n" + `"B";"5"` + "\r\n",
		`"board"` + "\t" + `"label"` + "\nB\t5\n",
		`"a;b;c",board,label` + "\n0,B,5\n", `"a,b,c"` + ";board;label\n0;B;5\n",
		"board;label;score, in seeds\nB;5;\n",
		"sep=;\nboard;label\nB;5\n", "sep=,\r\nboard,label\r\nB,5\r\n", "\ufeffsep=|\nboard|label\nB|5\n", "sep=\t\r\nboard\tlabel\r\nB\t5\r\n", `"sep=;"` + "\nboard;label\nB;5\n",
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		testkit.Write(t, path, []byte(strings.ReplaceAll(text, "B", startBoard)))
		rows, rejected, err := labelsOf(t, path, ImportOptions{})
		if err != nil || len(rows) != 1 || rows[0].Label != 5 || rejected.Rows != 0 {
			t.Errorf("%q: rows %+v, error %v", text, rows, err)
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	testkit.Write(t, path, []byte("sep=\"\nboard;label\n"))
	_, _, err := labelsOf(t, path, ImportOptions{})
	wantError(t, err, path)
}

// A comma in a number is a decimal mark if the whole column agrees; ambiguous columns are errors,
// even if bad rows are left out.
func TestTheColumnDeterminesTheDecimalMark(t *testing.T) {
	for _, c := range []struct {
		a      string // values of a column, one per row
		b      string // of another column
		want   []float64
		refuse string
	}{
		{a: "5|-12,5", want: []float64{5, -12.5}},
		{a: "5|12.5", want: []float64{5, 12.5}},
		{a: "1,234|0,5", want: []float64{1.234, 0.5}},
		{a: ",5|1,5e2|7,", want: []float64{0.5, 150, 7}},
		{a: "0,123", want: []float64{0.123}},
		{a: "1,5|1,25", b: "2.5|3", want: []float64{1.5, 1.25}},
		{a: "7|1,234", refuse: `t.csv:3: column a contains "1,234": the comma may separate decimals or thousands; write numbers with a decimal point`},
		{a: "1,5|2.5", refuse: `t.csv:2: column a contains "1,5": expected a decimal point, as in "2.5"`},
		{a: "1.5|1,234", refuse: `t.csv:3: column a contains "1,234": expected a decimal point, as in "1.5"`},
		{a: "1,234,567|1", refuse: `t.csv:2: column a contains "1,234,567": expected a number without thousands separators`},
		{a: "1,5|1.234,5", refuse: `t.csv:3: column a contains "1.234,5": expected a number without thousands separators`},
		{a: "1,5|2", b: "1.234|3", refuse: `t.csv:2: column b contains "1.234": the point may separate thousands`},
	} {
		for _, comma := range []string{";", "\t", ","} {
			as, bs := strings.Split(c.a, "|"), strings.Split(c.b, "|")
			text := strings.Join([]string{"board", "label", "a", "b"}, comma) + "\n"
			for i, a := range as {
				b := "0"
				if c.b != "" {
					b = bs[i]
				}
				text += strings.Join([]string{boardNumber(i), "1", `"` + a + `"`, b}, comma) + "\n"
			}
			path, out := filepath.Join(t.TempDir(), "t.csv"), filepath.Join(t.TempDir(), "o.parquet")
			testkit.Write(t, path, []byte(text))
			for _, skip := range []bool{false, true} {
				_, _, err := Import(t.Context(), game, path, out, "", ImportOptions{Columns: []string{"a", "b"}, SkipBad: skip})
				if c.refuse != "" {
					wantError(t, err, path, c.refuse)
					continue
				}
				_, rows, readErr := Read(game, out, Features)
				if err != nil || readErr != nil || len(rows) != len(c.want) {
					t.Errorf("%q by %q: %d rows, errors %v, %v", c.a, comma, len(rows), err, readErr)
					continue
				}
				for i, want := range c.want {
					if rows[i].Values[0] != want {
						t.Errorf("%q by %q: row %d is %g, expected %g", c.a, comma, i, rows[i].Values[0], want)
					}
				}
			}
		}
	}
}

// A row with too few or too many values is like any other bad row.
func TestRowsOfWrongLengthAreBadRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	testkit.Write(t, path, []byte("board,label\n"+startBoard+",5\n"+startBoard+"\n"+northBoard+",6,7\n"+northBoard+",-8\n"))
	rows, rejected, err := labelsOf(t, path, ImportOptions{SkipBad: true})
	if err != nil || len(rows) != 2 || rows[1].Label != -8 || rejected.Rows != 2 || rejected.First[1] != path+":4: expected 2 values, one for each column" {
		t.Errorf("rows %+v, rejected %+v, error %v", rows, rejected, err)
	}
}

// A quote that is not closed does not read the rest of a large file into memory.
func TestAnUnclosedQuoteEndsWithItsRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv")
	text := "board,label\n" + firstBoard + ",1\n\"" + firstBoard + ",2\n"
	more := nextBoard + ",3\n"
	testkit.Write(t, path, []byte(text+strings.Repeat(more, (maxLine+1<<20)/len(more))))
	_, _, err := Import(t.Context(), game, path, filepath.Join(t.TempDir(), "o.csv"), "", ImportOptions{})
	wantError(t, err, path, "after line 2: a row of more than 16777216 bytes")
}

// View and unit of scores would be ignored for a label.
func TestTheViewAndUnitOfALabelAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv")
	testkit.Write(t, path, []byte("board,label,score\n"+firstBoard+",5,12\n"))
	for _, scores := range []Scores{{View: "South"}, {Unit: 24}} {
		out := filepath.Join(t.TempDir(), "o.csv")
		_, _, err := Import(t.Context(), game, path, out, "", ImportOptions{Scores: scores})
		wantError(t, err, path, "name it with --score; a label is in points for the side to move")
		scores.Score = "score"
		_, _, err = Import(t.Context(), game, path, out, "", ImportOptions{Scores: scores})
		testkit.NoError(t, err)
	}
}
