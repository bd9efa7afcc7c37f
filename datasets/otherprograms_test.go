package datasets

import (
	"math"
	"path/filepath"
	"testing"
)

// other returns the path of a table of testdata written by another program.
func other(name string) string { return filepath.Join("testdata", "other", name) }

// wantLabels checks the labels of another program's table.
func wantLabels(t *testing.T, name string, labels ...float64) []tableRow {
	t.Helper()
	rows, _, err := labelsOf(t, other(name), Foreign{SkipBad: true})
	if err != nil || len(rows) != len(labels) {
		t.Errorf("%s: %d rows, error %v", name, len(rows), err)
		return nil
	}
	for i, r := range rows {
		if math.Abs(r.Label-labels[i]) > 1e-9 {
			t.Errorf("%s, row %d: label %v, want %v", name, i, r.Label, labels[i])
		}
	}
	return rows
}

func TestDecimalsOfDuckDBAreReadByTheirScale(t *testing.T) {
	wantLabels(t, "duckdb-decimal.parquet", 0.5, -12.5, 41.25)
	out := filepath.Join(t.TempDir(), "f.csv")
	if _, _, err := Adopt(t.Context(), game, other("duckdb-decimal.parquet"), out, "", Foreign{Columns: []string{"tempo"}}); err != nil {
		t.Fatal(err)
	}
	_, rows, err := Read(game, out, Features)
	if err != nil || len(rows) != 3 || rows[0].Values[0] != 0.5 || rows[2].Values[0] != 1.5 || rows[0].Weight != 2.5 {
		t.Errorf("%+v, error %v", rows, err)
	}
}

func TestUnsignedNumbersOfDuckDB(t *testing.T) {
	rows := wantLabels(t, "duckdb-uint.parquet", 42, 43, 43)
	if len(rows) == 3 && rows[2].Nodes != 1<<63-1 {
		t.Errorf("%d nodes", rows[2].Nodes)
	}
}

func TestDatesAndBitsOfDuckDBAreNotNumbers(t *testing.T) {
	for name, want := range map[string]string{"duckdb-bit.parquet": "its type is text: expected numbers", "duckdb-date.parquet": "its type is Date"} {
		_, _, err := labelsOf(t, other(name), Foreign{})
		wantError(t, err, name, `column "label"`, want)
	}
}

// The schema is in the footer only, the boards are a dictionary, and a stream ends before the
// footer.
func TestArrowFilesOfJavaScript(t *testing.T) {
	rows := wantLabels(t, "js-dictionary.arrow", 0.5, 41.25)
	if len(rows) == 2 && (rows[0].Position.String() != startBoard || rows[1].Nodes != 1<<32-1) {
		t.Errorf("%+v", rows)
	}
	_, _, err := labelsOf(t, other("js-stream.arrow"), Foreign{})
	wantError(t, err, "js-stream.arrow", "it is an arrow stream: expected an arrow file", "write it as a file")
}

// DuckDB's version 2 uses BYTE_STREAM_SPLIT for floats.
func TestEncodingsAndCodecsOfOtherPrograms(t *testing.T) {
	rows := wantLabels(t, "duckdb-v2.parquet", 0.5, 41.25)
	if len(rows) == 2 && (rows[1].Nodes != 3 || rows[1].Exact) {
		t.Errorf("%+v", rows)
	}
	out := filepath.Join(t.TempDir(), "f.csv")
	if _, _, err := Adopt(t.Context(), game, other("duckdb-v2.parquet"), out, "", Foreign{Columns: []string{"tempo"}, SkipBad: true}); err != nil {
		t.Fatal(err)
	}
	_, features, err := Read(game, out, Features)
	if err != nil || len(features) != 2 || features[0].Values[0] != 0.5 || features[1].Values[0] != 1.5 {
		t.Errorf("%+v, error %v", features, err)
	}
	wantLabels(t, "duckdb-lz4.parquet", 0.5, -12.5, 41.25)
	wantLabels(t, "wasm-v2.parquet", 0.5, -12.5, 41.25)
}

// A column of a type unknown to the library is refused if requested, and ignored otherwise.
func TestColumnsOfUnknownTypesDoNotAffectOthers(t *testing.T) {
	wantLabels(t, "duckdb-variant.parquet", 0.5, -12.5, 41.25)
	_, _, err := labelsOf(t, other("duckdb-variant.parquet"), Foreign{Score: "why.value"})
	wantError(t, err, `column "why.value"`, "its type is one that is newer than this program: expected numbers")
}
