package datasets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
	"github.com/google/go-cmp/cmp"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

var extensions = []string{".parquet", ".arrow", ".csv"}

func featureMeta(names ...string) Meta {
	return Meta{Kind: Features, Game: "oware", Rules: "abapa", FeatureSet: "test", Features: names}
}

// game is the default game of the tests' tables.
var game = oware.Descriptor()

type (
	tableRow = Row[oware.Position]
)

// samePosition compares positions, whose fields are unexported.
var samePosition = cmp.Comparer(func(a, b oware.Position) bool { return a == b })

func writePositions(path string, m Meta, rows []tableRow) error {
	return writeKind(Positions, path, m, rows)
}
func writeLabels(path string, m Meta, rows []tableRow) error { return writeKind(Labels, path, m, rows) }
func writeFeatures(path string, m Meta, rows []tableRow) error {
	return writeKind(Features, path, m, rows)
}

func writeKind(kind, path string, m Meta, rows []tableRow) error {
	m.Kind = kind
	return Write(game, path, m, Rows(rows))
}

// scanned opens a table and yields the rows that match a filter.
func scanned(ctx context.Context, path, where string) iter.Seq2[tableRow, error] {
	return func(yield func(tableRow, error) bool) {
		table, err := Open(ctx, game.Info, path)
		if err != nil {
			yield(tableRow{}, err)
			return
		}
		defer table.Close()
		for r, err := range Scan(ctx, game, table, Query{Where: where}) {
			if !yield(r, err) {
				return
			}
		}
	}
}

// readAny reads a table of any kind and counts its rows.
func readAny(path string) (rows int, err error) {
	_, r, err := Read(game, path, "")
	return len(r), err
}

// checkedRow refuses a row that is invalid in a table with this meta.
func checkedRow(m Meta, r tableRow) error {
	x := newRowCodec(game, &m)
	x.row = r
	return x.check()
}

// onBoard returns the position of a key, which must exist.
func onBoard(rules string, key int64) oware.Position {
	p, err := game.FromKey(rules, key)
	if err != nil {
		panic(err)
	}
	return p
}

func randomKey(rng *rand.Rand) int64 {
	key := rng.Int64N(oware.Ranks)
	if rng.IntN(2) == 0 {
		key += oware.SouthKey
	}
	return key
}

func randomPosition(rng *rand.Rand) tableRow {
	return tableRow{Position: onBoard("abapa", randomKey(rng)), Game: int32(rng.IntN(1000)), Ply: int32(rng.IntN(200))}
}

func randomPositions(rng *rand.Rand, n int) []tableRow {
	rows := make([]tableRow, n)
	for i := range rows {
		rows[i] = randomPosition(rng)
	}
	return rows
}

func randomLabels(rng *rand.Rand, n int) []tableRow {
	rows := make([]tableRow, n)
	for i := range rows {
		r := randomPosition(rng)
		r.Bound = Bound(rng.IntN(3))
		r.Score = int32(rng.IntN(2*maxScore+1) - maxScore)
		r.Label = rng.Float64()*2000 - 1000
		r.Depth = int32(rng.IntN(40))
		r.Nodes = rng.Int64N(1 << 40)
		r.Exact = rng.IntN(4) == 0
		rows[i] = r
	}
	return rows
}

func randomFeatures(rng *rand.Rand, n, features int) []tableRow {
	rows := make([]tableRow, n)
	for i := range rows {
		r := &rows[i]
		*r = randomPosition(rng)
		r.Label = float64(rng.IntN(2001) - 1000)
		r.Depth = int32(rng.IntN(40))
		r.Exact = rng.IntN(4) == 0
		for range features {
			r.Own = append(r.Own, uint8(rng.IntN(7)))
			r.Opp = append(r.Opp, uint8(rng.IntN(256)))
		}
	}
	return rows
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// labelsFile writes a small labels table and returns its path and bytes.
func labelsFile(t testing.TB, ext string) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "labels"+ext)
	testkit.NoError(t, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, randomLabels(newRand(), 30)))
	content, err := os.ReadFile(path)
	testkit.NoError(t, err)
	return path, content
}

// forge writes any content to path with a matching manifest.
func forge(t testing.TB, path string, content []byte, m Meta, rows int64) {
	t.Helper()
	testkit.Write(t, path, content)
	sum := sha256.Sum256(content)
	text, err := json.Marshal(Manifest{Format: ManifestFormat, Version: manifestVersion, File: "forged", Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Rows: rows, Meta: m})
	testkit.NoError(t, err)
	testkit.Write(t, ManifestPath(path), text)
}

// encoded returns a file with these columns and this meta, without checks.
func encoded(t testing.TB, ext string, m Meta, cols []column) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := formats[ext].encode(&out, allPairs(m, columnsFor(m, game.Info)), cols)
	if err == nil {
		err = w.write(cols)
	}
	if err == nil {
		err = w.close()
	}
	testkit.NoError(t, err)
	return out.Bytes()
}

// wantError checks for an error of one line that begins with the package's name and contains the
// words.
func wantError(t testing.TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", words)
		return
	}
	text := err.Error()
	if strings.Contains(text, "\n") {
		t.Errorf("error %q: want one line that begins with the package's name", text)
	}
	for _, w := range words {
		testkit.Contains(t, text, w)
	}
}

// parquetOf writes a Parquet file with values of any types. If levels is not nil, columns have
// values only where the level is 1.
func parquetOf(t *testing.T, codec compress.Compression, nodes schema.FieldList, levels []int16, columns ...[]any) string {
	t.Helper()
	root := schema.MustGroup(schema.NewGroupNode("root", parquet.Repetitions.Required, nodes, -1))
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithCompression(codec))))
	group := w.AppendRowGroup()
	for _, values := range columns {
		c := testkit.Must(group.NextColumn())(t)
		write := reflect.ValueOf(c).MethodByName("WriteBatch")
		batch := reflect.MakeSlice(write.Type().In(0), 0, len(values))
		for _, v := range values {
			batch = reflect.Append(batch, reflect.ValueOf(v).Convert(batch.Type().Elem()))
		}
		if err := write.Call([]reflect.Value{batch, reflect.ValueOf(levels), reflect.ValueOf([]int16(nil))})[1]; !err.IsNil() {
			t.Fatal(err)
		}
		testkit.NoError(t, c.Close())
	}
	testkit.NoError(t, group.Close(), w.Close())
	path := filepath.Join(t.TempDir(), "theirs.parquet")
	testkit.Write(t, path, out.Bytes())
	return path
}

// importRows yields positions and labels of another program's table.
func importRows(ctx context.Context, path string, how ImportOptions, rejected *Rejected) iter.Seq2[tableRow, error] {
	return func(yield func(tableRow, error) bool) {
		f, err := openImport(ctx, game, path, how, false)
		if err != nil {
			yield(tableRow{}, err)
			return
		}
		for r, err := range f.scan(ctx) {
			*rejected = f.Rejected
			if !yield(r, err) {
				return
			}
		}
		*rejected = f.Rejected
	}
}
