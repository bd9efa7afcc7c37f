package datasets

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/games/oware"
)

// The files in testdata/version1 were written by commit 803cf08:
//
//	train sample --method pps --n 40 --seed 3 -o positions.parquet
//	train label positions.parquet --nodes 2000 --hash 1 -o labels.parquet
//	train features labels.parquet --set thesis4 -o features.parquet
func version1File(name string) string { return filepath.Join("testdata", "version1", name) }

func TestVersion1Opens(t *testing.T) {
	meta, positions, err := Read[positionRow](game, version1File("positions.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if meta.Game != "oware" || meta.Method != "pps" || meta.Seed != 3 || len(positions) != 40 {
		t.Errorf("%d positions, meta %+v", len(positions), meta)
	}
	_, labels, err := Read[labelRow](game, version1File("labels.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	_, again, err := Read[labelRow](game, version1File("labels.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(labels, again, samePosition); diff != "" {
		t.Error(diff)
	}
	// As commit 803cf08's own reader has it.
	want := labelRow{PositionRow: positionRow{Position: onBoard("abapa", 14422281952393)}, Score: 500, Label: 208, Depth: 7, Nodes: 2000}
	if diff := cmp.Diff(want, labels[0], samePosition); diff != "" {
		t.Error(diff)
	}
	meta, features, err := Read[featureRow](game, version1File("features.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range features {
		if r.Position != positions[i].Position || r.Position != labels[i].Position || r.Label != labels[i].Label || r.Depth != labels[i].Depth {
			t.Errorf("row %d is %+v, its label %+v", i, r, labels[i])
		}
		checkThesis4(t, meta, r)
	}
}

// checkThesis4 counts the features captures, <1, <3 and >12 again.
func checkThesis4(t *testing.T, meta Meta, r featureRow) {
	t.Helper()
	p := r.Position
	if diff := cmp.Diff([]string{"captures", "<1", "<3", ">12"}, meta.Features); diff != "" {
		t.Fatal(diff)
	}
	own, opp := []uint8{uint8(p.Store()), 0, 0, 0}, []uint8{uint8(p.OpponentStore()), 0, 0, 0}
	for house := range 12 {
		side := own
		if house >= oware.Houses {
			side = opp
		}
		n := p.House(house)
		for i, counts := range []bool{n < 1, n < 3, n > 12} {
			if counts {
				side[1+i]++
			}
		}
	}
	if diff := cmp.Diff(own, r.Own) + cmp.Diff(opp, r.Opp); diff != "" {
		t.Errorf("%v: %s", p, diff)
	}
}

func TestColumnNamesNeedNoQuoting(t *testing.T) {
	for feature, want := range map[string]string{"<1": "lt_1", ">12": "gt_12", "captures": "captures", "A b-3": "a_b_3"} {
		if got := ColumnName(feature); got != want {
			t.Errorf("%s is column %s: want %s", feature, got, want)
		}
	}
}
