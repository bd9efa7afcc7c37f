package profile

import (
	"context"
	"fmt"
	"iter"
	"strings"

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
	meta.Note = strings.TrimPrefix(fmt.Sprintf("%s; rows where %q", meta.Note, where), "; ")
	t := newTable(g, m)
	if _, err := parseFilter(where, t.fields); err != nil {
		return datasets.Manifest{}, fmt.Errorf("%s: %w", from, err)
	}
	each := func(rows int) { progress(int64(rows), m.Rows) }
	switch meta.Kind {
	case datasets.Labels:
		err = write(t, to, meta, wanted(ctx, t, from, where, each, t.labelValues))
	case datasets.Features:
		err = write(t, to, meta, wanted(ctx, t, from, where, each, featureValues[P]))
	default:
		err = write(t, to, meta, wanted(ctx, t, from, where, each, positionValues[P]))
	}
	if err != nil {
		return datasets.Manifest{}, err
	}
	return datasets.ReadManifest(to)
}

func write[P games.Position[P], R datasets.Row[P, R]](t *table[P], to string, meta datasets.Meta, rows iter.Seq2[valued[R], error]) error {
	return datasets.Write(t.game, to, meta, func(yield func(R, error) bool) {
		some := false
		for r, err := range rows {
			some = true
			if !yield(r.row, err) {
				return
			}
		}
		if !some {
			var none R
			yield(none, fmt.Errorf("no row of %d in %s fits the filter", t.manifest.Rows, t.manifest.File))
		}
	})
}
