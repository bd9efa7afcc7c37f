package datasets

import (
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// Files of R and DuckDB are read correctly with any separator and decimal mark.
func TestTextFilesOfOtherProgramsAreReadCorrectly(t *testing.T) {
	for _, name := range []string{"r.csv", "r_csv2.csv", "duck_semicolon.csv", "duck_tab.csv"} {
		out := filepath.Join(t.TempDir(), "o.parquet")
		_, rejected, err := Adopt(t.Context(), game, filepath.Join("testdata", "text", name), out, "", Foreign{Columns: []string{"tempo"}})
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
	_, _, err := labelsOf(t, filepath.Join("testdata", "text", "r_na.csv"), Foreign{})
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
		"sep=;\nboard;label\nB;5\n", "sep=,\r\nboard,label\r\nB,5\r\n", "\ufeffsep=|\nboard|label\nB|5\n", `"sep=;"` + "\nboard;label\nB;5\n",
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		testkit.Write(t, path, []byte(strings.ReplaceAll(text, "B", startBoard)))
		rows, rejected, err := labelsOf(t, path, Foreign{})
		if err != nil || len(rows) != 1 || rows[0].Label != 5 || rejected.Rows != 0 {
			t.Errorf("%q: rows %+v, error %v", text, rows, err)
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	testkit.Write(t, path, []byte("sep=\"\nboard;label\n"))
	_, _, err := labelsOf(t, path, Foreign{})
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
				_, _, err := Adopt(t.Context(), game, path, out, "", Foreign{Columns: []string{"a", "b"}, SkipBad: skip})
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
	rows, rejected, err := labelsOf(t, path, Foreign{SkipBad: true})
	if err != nil || len(rows) != 2 || rows[1].Label != -8 || rejected.Rows != 2 || rejected.First[1] != ":4: expected 2 values, one for each column" {
		t.Errorf("rows %+v, rejected %+v, error %v", rows, rejected, err)
	}
}
