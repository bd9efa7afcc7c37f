package regress

import (
	"context"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// Tabulate computes a set's features for the labelled positions of dataset in that match the filter
// where ("" means all), writes them to out, and returns the number of rows. It streams the rows.
func Tabulate[P games.Position[P]](ctx context.Context, sets features.Sets[P], in, out, setName, where string, progress parallel.Progress) (int, error) {
	m, err := datasets.Open(ctx, sets.Game.Info, in)
	if err != nil {
		return 0, err
	}
	defer m.Close()
	if err := datasets.CheckOutput(out); err != nil {
		return 0, err
	}
	set, err := sets.ByName(setName)
	if err != nil {
		return 0, err
	}
	meta := m.Meta
	meta.Parent = m.SHA256
	meta.Grouped, meta.Made, meta.Note = true, "", datasets.Noted(meta.Note, where)
	meta.Kind, meta.FeatureSet, meta.Features, meta.Tool = datasets.Features, set.Name, set.Names(), revision.Get()
	own, opp := make([]int, set.Len()), make([]int, set.Len())
	rows := 0
	err = datasets.Write(sets.Game, out, meta, func(yield func(datasets.Row[P], error) bool) {
		for l, err := range datasets.Scan(ctx, sets.Game, m, datasets.Query{Kind: datasets.Labels, Where: where, Progress: progress}) {
			if err != nil {
				yield(datasets.Row[P]{}, err)
				return
			}
			rows++
			set.Values(l.Position, own, opp)
			l.Own, l.Opp = bytesOf(own), bytesOf(opp)
			if !yield(l, nil) {
				return
			}
		}
		if rows == 0 && where != "" {
			yield(datasets.Row[P]{}, noRows(in, where))
		}
	})
	return rows, err
}

// bytesOf narrows feature values, which count seeds or houses.
func bytesOf(values []int) []uint8 {
	b := make([]uint8, len(values))
	for i, v := range values {
		b[i] = uint8(v)
	}
	return b
}
