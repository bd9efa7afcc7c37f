package profile

import (
	"context"
	"fmt"

	"kroo/datasets"
	"kroo/games"
)

// Copy writes the rows of a dataset that a filter wants, such as "phase>=20, exact=true",
// as another. Its meta tells the filter, and the dataset as its parent. It is an error if
// no row is wanted. progress is told of the rows read.
func Copy[P games.Position[P]](ctx context.Context, g *games.Game[P], from, to, where string, progress func(done, total int64)) (datasets.Manifest, error) {
	m, err := datasets.ReadManifest(from)
	if err != nil {
		return datasets.Manifest{}, err
	}
	meta := m.Meta
	meta.Parent = m.SHA256
	meta.Note = datasets.Noted(meta.Note, where)
	each := func(rows int) { progress(int64(rows), m.Rows) }
	switch meta.Kind {
	case datasets.Labels:
		err = write[datasets.LabelRow[P]](ctx, g, m, from, to, meta, where, each)
	case datasets.Features:
		err = write[datasets.FeatureRow[P]](ctx, g, m, from, to, meta, where, each)
	default:
		err = write[datasets.PositionRow[P]](ctx, g, m, from, to, meta, where, each)
	}
	if err != nil {
		return datasets.Manifest{}, err
	}
	return datasets.ReadManifest(to)
}

func write[R datasets.Row[P, R], P games.Position[P]](ctx context.Context, g *games.Game[P], m datasets.Manifest, from, to string, meta datasets.Meta, where string, each func(rows int)) error {
	if _, err := datasets.Where[R](g, m.Meta, where); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return datasets.Write(g, to, meta, func(yield func(R, error) bool) {
		some := false
		for r, err := range wanted[R](ctx, g, m.Meta, from, where, each) {
			some = true
			if !yield(r, err) {
				return
			}
		}
		if !some {
			var none R
			yield(none, fmt.Errorf("no row of %d in %s fits the filter", m.Rows, m.File))
		}
	})
}
