package regress

import (
	"context"
	"fmt"

	"kroo/datasets"
	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/revision"
)

// Tabulate computes the features of every labelled position of the dataset in
// and writes them to out. It returns the number of rows.
func Tabulate(ctx context.Context, in, out, setName string, progress func(done, total int64)) (int, error) {
	set, err := features.ByName(setName)
	if err != nil {
		return 0, err
	}
	meta, labels, err := datasets.ReadLabels(in)
	if err != nil {
		return 0, err
	}
	rules, err := oware.ParseRules(meta.Rules)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in, err)
	}
	if meta.Parent, err = datasets.FileHash(in); err != nil {
		return 0, err
	}
	meta.AllMoves = false
	meta.Kind, meta.FeatureSet, meta.Features, meta.Tool = "features", set.Name, set.Names(), revision.Get()

	rows := make([]datasets.FeatureRow, len(labels))
	own, opp := make([]int, set.Len()), make([]int, set.Len())
	for i, l := range labels {
		if i%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			progress(int64(i), int64(len(labels)))
		}
		p, err := oware.FromBookKey(rules, l.Key)
		if err != nil {
			return 0, fmt.Errorf("%s: row %d: %w", in, i, err)
		}
		set.Values(p, own, opp)
		rows[i] = datasets.FeatureRow{PositionRow: l.PositionRow, Label: l.Label, Depth: l.Depth, Exact: l.Exact, Own: bytesOf(own), Opp: bytesOf(opp)}
	}
	progress(int64(len(labels)), int64(len(labels)))
	return len(rows), datasets.WriteFeatures(out, meta, rows)
}

// bytesOf narrows feature values, which count seeds or houses.
func bytesOf(values []int) []uint8 {
	b := make([]uint8, len(values))
	for i, v := range values {
		b[i] = uint8(v)
	}
	return b
}
