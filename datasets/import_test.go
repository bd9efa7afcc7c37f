package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/google/go-cmp/cmp"

	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

// Our own tables can be read like another program's, in every format.
func TestImportedTablesOfOursKeepTheirRows(t *testing.T) {
	for _, from := range oneOfEach(t, t.TempDir()) {
		for _, ext := range extensions {
			path, out := filepath.Join(t.TempDir(), "t"+ext), filepath.Join(t.TempDir(), "o.csv")
			if _, err := Convert(t.Context(), game.Info, Conversion{From: from, To: path}); err != nil {
				t.Fatal(err)
			}
			m, rejected, err := Import(t.Context(), game, path, out, "", ImportOptions{})
			if err != nil || rejected.Rows != 0 || m.Rows != 12 {
				t.Fatalf("%s: %+v, rejected %+v, error %v", path, m, rejected, err)
			}
			want := filepath.Join(t.TempDir(), "w.csv")
			if _, err := Convert(t.Context(), game.Info, Conversion{From: from, To: want}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(testkit.Read(t, want)), string(testkit.Read(t, out))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		}
	}
}

// A file of another game or other rules, or an unreadable one, is refused.
func TestContradictionsAreRefused(t *testing.T) {
	path := oneOfEach(t, t.TempDir())[0]
	content, cut := testkit.Read(t, path), path+"cut.parquet"
	testkit.Write(t, cut, content[:len(content)-9])
	for _, c := range []struct {
		path  string
		rules string
		want  string
	}{
		{path, "simple", "its rules are abapa: expected simple"},
		{path + "x.csv", "", "no such file"},
		{path + ".txt", "", "expected one that ends in .parquet"},
		{cut, "", "cut.parquet: not a parquet file"},
	} {
		_, _, err := labelsOf(t, c.path, ImportOptions{Rules: c.rules})
		wantError(t, err, c.path, c.want)
	}
	_, err := openImport(t.Context(), tictactoe.Descriptor(), path, ImportOptions{}, false)
	wantError(t, err, path, "the game is \"oware\": expected tictactoe")
}

// labelsOf reads another program's table as labels.
func labelsOf(t *testing.T, path string, how ImportOptions) ([]tableRow, Rejected, error) {
	t.Helper()
	var rows []tableRow
	var rejected Rejected
	for r, err := range importRows(t.Context(), path, how, &rejected) {
		if err != nil {
			return nil, rejected, err
		}
		rows = append(rows, r)
	}
	return rows, rejected, nil
}

const (
	startBoard = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
	northBoard = "0-0-0-0-2-1-0-1-0-0-0-1-23-20-N"
)

func TestImportScores(t *testing.T) {
	for _, c := range []struct {
		head, row string
		how       ImportOptions
		label     float64
		score     int32
	}{
		{"board,score", northBoard + ",24", ImportOptions{}, 10, 24},
		{"board,score", northBoard + ",24", ImportOptions{Scores: Scores{Unit: 1}}, 1000, 2400},
		{"board,score", northBoard + ",12", ImportOptions{Scores: Scores{Unit: 24}}, 21, 50}, // whole points, as train label rounds
		{"board,score", northBoard + ",6", ImportOptions{}, 3, 6},                            // 2.5 points, rounded away from zero
		{"board,score", northBoard + ",-6", ImportOptions{}, -3, -6},
		{"board,score", northBoard + ",-1", ImportOptions{}, 0, -1}, // less than half a point keeps its score
		{"board,score", northBoard + ",0.314", ImportOptions{Scores: Scores{Unit: 1}}, 13, 31},
		{"board,score", northBoard + ",15000", ImportOptions{}, 1000, 15000}, // a proven win
		{"board,score", northBoard + ",30000", ImportOptions{}, 1000, 2400},
		{"board,score", northBoard + ",24", ImportOptions{Scores: Scores{View: "North"}}, 10, 24},
		{"board,score", northBoard + ",24", ImportOptions{Scores: Scores{Score: "score", View: "South"}}, -10, -24},
		{"Board , LABEL", northBoard + ",-5", ImportOptions{}, -5, -12},
		{"fen,e,label", northBoard + ",24,7", ImportOptions{Scores: Scores{Score: "e"}, Board: "fen"}, 10, 24},
		{"board,label,score", northBoard + ",24,58", ImportOptions{}, 24, 58},
		{"board,r", northBoard + ",1-0", ImportOptions{Scores: Scores{Result: "r"}}, -1000, -2400},
		{"board,label", northBoard + ",-0", ImportOptions{}, 0, 0},
		{"board,r", northBoard + ",1/2-1/2", ImportOptions{Scores: Scores{Result: "r"}}, 0, 0},
		{"board;r", startBoard + ";1-0", ImportOptions{Scores: Scores{Result: "r"}}, 1000, 2400},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		testkit.Write(t, path, []byte(c.head+"\n"+c.row+"\n"))
		rows, _, err := labelsOf(t, path, c.how)
		if err != nil || len(rows) != 1 {
			t.Errorf("%+v: %d rows, error %v", c, len(rows), err)
			continue
		}
		r := rows[0]
		if math.Abs(r.Label-c.label) > 1e-9 || r.Score != c.score {
			t.Errorf("%+v: label %v, score %d", c, r.Label, r.Score)
		}
		if r.Label == 0 && math.Signbit(r.Label) {
			t.Errorf("%+v: the label is -0", c)
		}
	}
}

// A label beyond a won game is clamped, with or without a score.
func TestLabelsNextToScoresAreClamped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv")
	testkit.Write(t, path, []byte("board,label,score\n"+startBoard+",1500,250\n"+startBoard+",-3e5,-12000\n"+startBoard+",40,96\n"))
	rows, rejected, err := labelsOf(t, path, ImportOptions{})
	if err != nil || len(rows) != 3 || rejected.Clamped != 1 {
		t.Fatalf("%+v, rejected %+v, error %v", rows, rejected, err)
	}
	for i, want := range []struct {
		label float64
		score int32
	}{{1000, 250}, {-1000, -12000}, {40, 96}} {
		if rows[i].Label != want.label || rows[i].Score != want.score {
			t.Errorf("row %d: %g, %d, expected %+v", i, rows[i].Label, rows[i].Score, want)
		}
	}
}

func TestInvalidTablesAreNotImported(t *testing.T) {
	for _, c := range []struct {
		how  ImportOptions
		want string
	}{
		{ImportOptions{Scores: Scores{View: "West"}}, "expected mover, South or North"},
		{ImportOptions{ColumnsView: "West"}, "expected mover, South or North"},
		{ImportOptions{Scores: Scores{Unit: math.NaN()}}, "1e-6 to 1e6"},
		{ImportOptions{Rules: "chess"}, "unknown rules"},
		{ImportOptions{Scores: Scores{Result: "r", Score: "s"}}, "one of them"},
		{ImportOptions{Scores: Scores{Result: "r", View: "South"}}, "one of them"},
		{ImportOptions{Scores: Scores{View: "south", Unit: 24}, ColumnsView: "MOVER", Rules: "awari"}, ""},
	} {
		if err := c.how.Check(game.Info); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, expected %s", c.how, err, c.want)
		}
	}
}

func TestRejectedRowsAreCountedListedOrErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	var text strings.Builder
	text.WriteString("exact,ply,board,label\nTrue,3.0," + startBoard + ",2000\n")
	for range 6 {
		text.WriteString("False,,5-5,1\n")
	}
	text.WriteString("maybe,3," + startBoard + ",3000\n") // left out, so its label is not clamped
	text.WriteString(",NA," + northBoard + ",NaN\n")
	testkit.Write(t, path, []byte(text.String()))
	rows, rejected, err := labelsOf(t, path, ImportOptions{SkipBad: true})
	if err != nil || len(rows) != 1 || !rows[0].Exact || rows[0].Ply != 3 || rows[0].Label != 1000 {
		t.Errorf("rows %+v, error %v", rows, err)
	}
	if rejected.Rows != 8 || rejected.Clamped != 1 || len(rejected.First) != listedRejected || !strings.HasPrefix(rejected.First[0], path+":3: ") {
		t.Errorf("rejected %+v", rejected)
	}
	_, _, err = labelsOf(t, path, ImportOptions{})
	wantError(t, err, "t.csv:3: ", "fields")
	if _, bad := errors.AsType[BadRow](err); !bad {
		t.Errorf("%v is not a BadRow", err)
	}
	testkit.Write(t, path, []byte("board\n5-5\n"))
	_, _, err = Import(t.Context(), game, path, filepath.Join(t.TempDir(), "o.csv"), "", ImportOptions{SkipBad: true})
	wantError(t, err, "none of 1 rows can be read")
	for _, how := range []ImportOptions{{Board: "fen"}, {Scores: Scores{Score: "eval"}}, {Scores: Scores{View: "East"}}, {Scores: Scores{Unit: -1}}, {Rules: "x"}, {Set: "thesis"}} {
		if _, err := openImport(t.Context(), game, path, how, false); err == nil {
			t.Errorf("%+v is no error", how)
		}
	}
}

// otherParquet writes boards and labels like other programs: in another order, with missing
// values, narrow types, another codec, extra columns and no meta.
func otherParquet(t *testing.T, codec compress.Compression, boards []string, labels []float32) string {
	t.Helper()
	optional := parquet.Repetitions.Optional
	column := func(name string, logical schema.LogicalType, physical parquet.Type) schema.Node {
		return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, optional, logical, physical, -1, -1))
	}
	levels, columns := make([]int16, len(boards)), make([][]any, 3)
	for i := 1; i < len(boards); i++ { // the first row has no value
		levels[i] = 1
		columns[0], columns[1], columns[2] = append(columns[0], labels[i]), append(columns[1], 0), append(columns[2], boards[i])
	}
	return parquetOf(t, codec, schema.FieldList{
		schema.NewFloat32Node("label", optional, -1), column("note", schema.NewDecimalLogicalType(9, 2), parquet.Types.Int32),
		column("board", schema.StringLogicalType{}, parquet.Types.ByteArray),
	}, levels, columns...)
}

func TestImportParquetOfAnyCodec(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	boards, labels := make([]string, 2500), make([]float32, 2500)
	for i := range boards {
		boards[i], labels[i] = randomPosition(rng).Position.String(), float32(rng.IntN(2000)-1000)/4
	}
	check := func(name, path string, boards []string) {
		rows, rejected, err := labelsOf(t, path, ImportOptions{SkipBad: true})
		if err != nil || rejected.Rows != 1 || len(rows) != len(boards)-1 {
			t.Fatalf("%s: %d rows, %+v, error %v", name, len(rows), rejected, err)
		}
		for i, r := range rows {
			if r.Position.String() != boards[i+1] || r.Label != float64(labels[i+1]) {
				t.Fatalf("%s: row %d is %+v", name, i, r)
			}
		}
	}
	codecs := compress.Codecs
	for _, codec := range []compress.Compression{codecs.Uncompressed, codecs.Snappy, codecs.Gzip, codecs.Zstd} {
		check(codec.String(), otherParquet(t, codec, boards, labels), boards)
	}
	// Kroo does not write Brotli: the file was written by otherParquet with andybalholm/brotli
	// v1.2.8, from the first 300 boards.
	check("brotli", filepath.Join("testdata", "brotli.parquet"), boards[:300])
}

func TestImportArrowWithOtherTypes(t *testing.T) {
	sch := arrow.NewSchema([]arrow.Field{
		{Name: "score", Type: arrow.PrimitiveTypes.Int16, Nullable: true},
		{Name: "board", Type: arrow.BinaryTypes.LargeString},
	}, nil)
	var out bytes.Buffer
	w, err := ipc.NewFileWriter(&offsetWriter{w: &out}, ipc.WithSchema(sch), ipc.WithZstd())
	testkit.NoError(t, err)
	build := array.NewRecordBuilder(memory.DefaultAllocator, sch)
	build.Field(0).(*array.Int16Builder).AppendValues([]int16{24, 0}, []bool{true, false})
	build.Field(1).(*array.LargeStringBuilder).AppendValues([]string{startBoard, startBoard}, nil)
	if err := w.Write(build.NewRecord()); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "polars.arrow")
	testkit.Write(t, path, out.Bytes())
	rows, rejected, err := labelsOf(t, path, ImportOptions{SkipBad: true})
	if err != nil || len(rows) != 1 || rows[0].Score != 24 || rejected.Rows != 1 {
		t.Errorf("rows %+v, %+v, error %v", rows, rejected, err)
	}
}

func FuzzImport(f *testing.F) {
	dir := f.TempDir()
	for i, ext := range extensions {
		path := filepath.Join(dir, "t"+ext)
		testkit.NoError(f, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, randomLabels(rand.New(rand.NewPCG(3, 4)), 3)))
		data, err := os.ReadFile(path)
		testkit.NoError(f, err)
		f.Add(i, data)
	}
	for i, ext := range extensions {
		paths, err := filepath.Glob(other("*" + ext))
		testkit.NoError(f, err)
		for _, path := range paths {
			data, err := os.ReadFile(path)
			testkit.NoError(f, err)
			f.Add(i, data)
		}
	}
	f.Add(2, []byte("board,score\n"+startBoard+",2\n"))
	f.Add(2, []byte("board,depth,score,a,weight\n"+startBoard+",2,3,0.5,1\n"))
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("t%s", extensions[uint(kind)%3]))
		testkit.Write(t, path, data)
		how := ImportOptions{decoding: decoding{inProcess: true}}
		for r, err := range importRows(t.Context(), path, how, new(Rejected)) {
			if err != nil && strings.Contains(err.Error(), "\n") || err == nil && !(r.Label >= -maxLabel && r.Label <= maxLabel) {
				t.Errorf("%+v, error %v", r, err)
			}
		}
		// The same with a column as a feature, written and read again.
		out := filepath.Join(t.TempDir(), "f.csv")
		how.Columns = []string{"a"}
		m, _, err := Import(t.Context(), game, path, out, "", how)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v", err)
			}
			return
		}
		if _, rows, err := Read(game, out, Features); err != nil || int64(len(rows)) != m.Rows {
			t.Errorf("%d rows of %d, error %v", len(rows), m.Rows, err)
		}
	})
}

// other returns the path of a table of testdata written by another program.
func other(name string) string { return filepath.Join("testdata", "other", name) }

// wantLabels checks the labels of another program's table.
func wantLabels(t *testing.T, name string, labels ...float64) []tableRow {
	t.Helper()
	rows, _, err := labelsOf(t, other(name), ImportOptions{SkipBad: true})
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
	if _, _, err := Import(t.Context(), game, other("duckdb-decimal.parquet"), out, "", ImportOptions{Columns: []string{"tempo"}}); err != nil {
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
		_, _, err := labelsOf(t, other(name), ImportOptions{})
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
	_, _, err := labelsOf(t, other("js-stream.arrow"), ImportOptions{})
	wantError(t, err, "js-stream.arrow", "it is an arrow stream: expected an arrow file", "write it as a file")
}

// DuckDB's version 2 uses BYTE_STREAM_SPLIT for floats.
func TestEncodingsAndCodecsOfOtherPrograms(t *testing.T) {
	rows := wantLabels(t, "duckdb-v2.parquet", 0.5, 41.25)
	if len(rows) == 2 && (rows[1].Nodes != 3 || rows[1].Exact) {
		t.Errorf("%+v", rows)
	}
	out := filepath.Join(t.TempDir(), "f.csv")
	if _, _, err := Import(t.Context(), game, other("duckdb-v2.parquet"), out, "", ImportOptions{Columns: []string{"tempo"}, SkipBad: true}); err != nil {
		t.Fatal(err)
	}
	_, features, err := Read(game, out, Features)
	if err != nil || len(features) != 2 || features[0].Values[0] != 0.5 || features[1].Values[0] != 1.5 {
		t.Errorf("%+v, error %v", features, err)
	}
	wantLabels(t, "duckdb-lz4.parquet", 0.5, -12.5, 41.25)
	wantLabels(t, "wasm-v2.parquet", 0.5, -12.5, 41.25)
	_, err = decompressor(compress.Codecs.Lz4)
	wantError(t, err, "LZ4: expected zstd, snappy, gzip, brotli, LZ4_RAW or nothing; write it")
	err = parquetGroup{number: 3}.readNamed(&column{name: "x"}, func() error { panic("snappy: corrupt input") })
	wantError(t, err, `row group 3, column "x": snappy: corrupt input; if it is not damaged, write it again with data pages of version 1`)
}

// A column of a type unknown to the library is refused if requested, and ignored otherwise.
func TestColumnsOfUnknownTypesDoNotAffectOthers(t *testing.T) {
	wantLabels(t, "duckdb-variant.parquet", 0.5, -12.5, 41.25)
	_, _, err := labelsOf(t, other("duckdb-variant.parquet"), ImportOptions{Scores: Scores{Score: "why.value"}})
	wantError(t, err, `column "why.value"`, "its type is one that is newer than this program: expected numbers")
}
