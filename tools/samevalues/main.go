// Samevalues compares two datasets row by row: positions, labels, depths,
// nodes and features, whatever version of the program wrote them. It is for
// changes that must not change values.
//
//	go run ./tools/samevalues OLD.parquet NEW.parquet
package main

import (
	"fmt"
	"os"
	"reflect"

	"kroo/datasets"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "samevalues: expected two datasets: OLD NEW")
		os.Exit(2)
	}
	rows, err := compare(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "samevalues:", err)
		os.Exit(1)
	}
	fmt.Println(rows, "rows with the same values")
}

// compare returns the number of rows, or what differs.
func compare(old, new string) (int, error) {
	a, err := datasets.Read(old)
	if err != nil {
		return 0, err
	}
	b, err := datasets.Read(new)
	if err != nil {
		return 0, err
	}
	switch {
	case a.Meta.Kind != b.Meta.Kind || a.Meta.Game != b.Meta.Game || a.Meta.Rules != b.Meta.Rules:
		return 0, fmt.Errorf("%s of %s under %s, and %s of %s under %s", a.Meta.Kind, a.Meta.Game, a.Meta.Rules, b.Meta.Kind, b.Meta.Game, b.Meta.Rules)
	case !reflect.DeepEqual(a.Meta.Features, b.Meta.Features):
		return 0, fmt.Errorf("the features %q, and %q", a.Meta.Features, b.Meta.Features)
	case a.Meta.Kind == datasets.Positions:
		return sameRows(a.Positions, b.Positions, func(r datasets.PositionRow) datasets.PositionRow { return place(r) })
	case a.Meta.Kind == datasets.Labels:
		return sameRows(a.Labels, b.Labels, func(r datasets.LabelRow) datasets.LabelRow {
			return datasets.LabelRow{PositionRow: place(r.PositionRow), Score: r.Score, Label: r.Label, Depth: r.Depth, Nodes: r.Nodes, Exact: r.Exact}
		})
	}
	return sameRows(a.Features, b.Features, func(r datasets.FeatureRow) datasets.FeatureRow {
		r.PositionRow = place(r.PositionRow)
		return r
	})
}

// place is what all versions say of a position.
func place(r datasets.PositionRow) datasets.PositionRow {
	return datasets.PositionRow{Key: r.Key, Board: r.Board}
}

// sameRows compares what common leaves of each row.
func sameRows[R any](a, b []R, common func(R) R) (int, error) {
	if len(a) != len(b) {
		return 0, fmt.Errorf("%d rows, and %d", len(a), len(b))
	}
	for i := range a {
		if x, y := common(a[i]), common(b[i]); !reflect.DeepEqual(x, y) {
			return 0, fmt.Errorf("row %d is %+v, and %+v", i, x, y)
		}
	}
	return len(a), nil
}
