package regress

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestDesignMatrixMatchesTheFit(t *testing.T) {
	labels := labelFile(t, 41, 300, tame)
	out := filepath.Join(t.TempDir(), "design.parquet")
	set := testkit.Must(patterns.Parse("store+houses"))(t)
	sum, err := WriteDesign(t.Context(), patterns.Sets, labels, out, "store+houses", "", nil)
	if err != nil || sum.Rows != 300 || sum.Columns != set.Len() {
		t.Fatalf("%+v, error %v", sum, err)
	}
	csvOf := func(suffix string) map[string][]string {
		return tableOf(t, strings.TrimSuffix(out, ".parquet")+suffix)
	}
	rows, columns := csvOf(".labels.csv"), csvOf(".columns.csv")
	if len(rows["board"]) != 300 || len(columns["name"]) != set.Len() || columns["name"][1] != set.ColumnName(1) || columns["family"][0] != "store" {
		t.Fatalf("%d rows, %d columns", len(rows["board"]), len(columns["name"]))
	}
	l := testkit.Must(readLabelled(t.Context(), oware.Descriptor(), tablesOf(t, []string{labels}), "", "", nil))(t)
	entries := int64(0)
	for i, label := range numbers(t, rows["label"]) {
		p := testkit.Must(oware.ParseBoard(oware.Abapa, rows["board"][i]))(t)
		if p != l.positions[i] || math.Abs(label-tame(p)) > 1e-3 {
			t.Fatalf("row %d: %s with label %g, want %s with %g", i, p, label, l.positions[i], tame(p))
		}
		var row sparseRow
		l.rows(set).read(i, &row)
		entries += int64(len(row.entries()))
	}
	if sum.Entries != entries {
		t.Errorf("%d entries, want %d", sum.Entries, entries)
	}
}

// A column that is listed twice counts twice; there are no zeros.
func TestEntriesOfARow(t *testing.T) {
	r := sparseRow{[]uint32{3, 1, 3}, []features.Entry{{Index: 2, Value: 0}, {Index: 1, Value: -1}, {Index: 3, Value: 0.5}}}
	if got := r.entries(); len(got) != 1 || got[3] != 2.5 {
		t.Errorf("%v: want 2.5 in column 3", got)
	}
}

// A matrix that replaces a dataset removes the manifest.
func TestAMatrixThatReplacesADatasetRemovesItsManifest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "l.parquet")
	labels := labelFile(t, 41, 300, tame)
	testkit.Write(t, out, testkit.Read(t, labels))
	testkit.Write(t, datasets.ManifestPath(out), testkit.Read(t, datasets.ManifestPath(labels)))
	_, err := WriteDesign(t.Context(), patterns.Sets, labels, out, "store", "", nil)
	testkit.NoError(t, err)
	if _, err := os.Stat(datasets.ManifestPath(out)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the manifest is still there: %v", err)
	}
}

func TestDesignMatricesAreParquet(t *testing.T) {
	_, err := DesignPaths("design.npz")
	testkit.Refused(t, err, "design.npz", ".parquet")
	paths, err := DesignPaths("a/design.parquet")
	if err != nil || fmt.Sprint(paths) != "[a/design.parquet a/design.labels.csv a/design.columns.csv]" {
		t.Errorf("%q, error %v", paths, err)
	}
}
