package datasets

import (
	"os"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// Other programs open an Arrow file by its footer, which this package's own
// reader passes over: the library's reader must find the same table there.
func TestArrowFilesOpenByTheirFooter(t *testing.T) {
	path, _ := labelsFile(t, ".arrow")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := ipc.NewFileReader(f)
	if err != nil {
		t.Fatal(err)
	}
	m := Meta{Kind: Labels, Game: "oware", Rules: "abapa"}
	cols := columnsFor(m, game.Info)
	got := in.Schema().Metadata()
	for i, want := range allPairs(m, cols) {
		if got.Keys()[i] != want.key || got.Values()[i] != want.value {
			t.Errorf("metadata %d is %s: %s, want %v", i, got.Keys()[i], got.Values()[i], want)
		}
	}
	for i, want := range []string{"key int64", "board utf8", "phase uint8", "game int32", "ply int32", "score int32", "label float64", "depth int32", "exact bool", "nodes int64", "bound utf8", "best utf8"} {
		if f := in.Schema().Field(i); f.Name+" "+f.Type.String() != want || f.Nullable {
			t.Errorf("column %d is %v, want %s, never null", i, f, want)
		}
	}
	_, rows, err := Read[labelRow](game, path)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := in.RecordAt(0)
	if err != nil || in.NumRecords() != 1 {
		t.Fatalf("%d record batches, %v", in.NumRecords(), err)
	}
	defer rec.Release()
	keys, labels := rec.Column(0).(*array.Int64), rec.Column(6).(*array.Float64)
	if keys.Len() != len(rows) {
		t.Fatalf("%d rows, want %d", keys.Len(), len(rows))
	}
	for i, r := range rows {
		if keys.Value(i) != r.Position.BookKey() || labels.Value(i) != r.Label {
			t.Errorf("row %d: key %d, label %v, want %+v", i, keys.Value(i), labels.Value(i), r)
		}
	}
}
