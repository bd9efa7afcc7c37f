package datasets

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// Copies contain the rows that a slow filter selects, in every format, and name their origin.
func TestFilteredCopiesHaveTheMatchingRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from := filepath.Join(dir, "labels.parquet")
	meta := Meta{Kind: Labels, Game: "oware", Rules: "abapa", Note: "mine"}
	rows := randomLabels(newRand(), 300)
	testkit.NoError(t, Write(game, from, meta, Rows(rows)))
	source, err := ReadManifest(from)
	testkit.NoError(t, err)
	want := slices.DeleteFunc(slices.Clone(rows), func(r tableRow) bool {
		return r.Exact || game.Phase(r.Position) < 20 || r.Label >= 0
	})
	if len(want) == 0 || len(want) == len(rows) {
		t.Fatalf("%d rows of %d fit: expected some", len(want), len(rows))
	}
	for _, name := range []string{"some.parquet", "some.arrow", "some.csv"} {
		to := filepath.Join(dir, name)
		m, err := Convert(t.Context(), game.Info, from, to, "exact=false, phase>=20, label<0", nil)
		if err != nil || m.Rows != int64(len(want)) || m.Meta.Parent != source.SHA256 ||
			m.Meta.Note != `mine; rows where "exact=false, phase>=20, label<0"` {
			t.Errorf("%s: %+v, error %v", name, m, err)
			continue
		}
		i := 0
		for r, err := range scanned(t.Context(), to, "") {
			testkit.NoError(t, err)
			if i < len(want) && !reflect.DeepEqual(r, want[i]) {
				t.Errorf("%s: row %d is %+v: want %+v", name, i, r, want[i])
			}
			i++
		}
	}
	to := filepath.Join(dir, "none.parquet")
	for where, want := range map[string]string{"phase>90": "none of the 300 rows", "mood=1": "no column", "phase": "is not a comparison"} {
		if _, err := Convert(t.Context(), game.Info, from, to, where, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v: want one with %q", where, err, want)
		}
	}
	if left, _ := filepath.Glob(to + "*"); left != nil {
		t.Errorf("%v are there", left)
	}
}
