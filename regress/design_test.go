package regress

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
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
	set, err := patterns.Parse("store+houses")
	testkit.NoError(t, err)
	sum, err := WriteDesign(t.Context(), patterns.Sets, labels, out, "store+houses", "", nil)
	if err != nil || sum.Rows != 300 || sum.Columns != set.Len() {
		t.Fatalf("%+v, error %v", sum, err)
	}
	table := func(suffix string) [][]string {
		f, err := os.Open(strings.TrimSuffix(out, ".parquet") + suffix)
		testkit.NoError(t, err)
		defer f.Close()
		all, err := csv.NewReader(f).ReadAll()
		testkit.NoError(t, err)
		return all[1:]
	}
	rows, columns := table(".labels.csv"), table(".columns.csv")
	if len(rows) != 300 || len(columns) != set.Len() || columns[1][1] != set.ColumnName(1) || columns[0][2] != "store" {
		t.Fatalf("%d rows, columns %q", len(rows), columns[:2])
	}
	l, err := readLabelled(t.Context(), oware.Descriptor(), tablesOf(t, []string{labels}), "", "", nil)
	testkit.NoError(t, err)
	entries := int64(0)
	for i, r := range rows {
		p, err := oware.ParseBoard(oware.Abapa, r[2])
		testkit.NoError(t, err)
		if p != l.positions[i] {
			t.Fatalf("row %d: %s, want %s", i, p, l.positions[i])
		}
		if label, err := strconv.ParseFloat(r[0], 64); err != nil || math.Abs(label-tame(p)) > 1e-3 {
			t.Fatalf("row %d: label %s, want %v", i, r[0], tame(p))
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
