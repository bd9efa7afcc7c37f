package regress

import (
	"context"
	"errors"

	"kroo/datasets"
	"kroo/internal/revision"
)

// Tabulate computes the features of every labelled position of the dataset in
// and writes them to out. It holds a chunk of rows at a time. It returns the
// number of rows.
func Tabulate(ctx context.Context, in, out, setName string, progress func(done, total int64)) (int, error) {
	m, err := datasets.ReadManifest(in)
	if err != nil {
		return 0, err
	}
	if err := datasets.CheckOutput(out); err != nil {
		return 0, err
	}
	meta := m.Meta
	g, err := gameOf(meta.Game)
	if err != nil {
		return 0, err
	}
	set, err := g.set(setName)
	if err != nil {
		return 0, err
	}
	if meta.Parent, err = datasets.FileHash(in); err != nil {
		return 0, err
	}
	meta.AllMoves = false
	meta.Kind, meta.FeatureSet, meta.Features, meta.Tool = datasets.Features, set.Name, set.Names(), revision.Get()
	report := func(done int64) { progress(done, m.Rows) }
	return int(m.Rows), g.tabulate(ctx, in, out, meta, report)
}

// errStopped ends a scan whose rows are no longer wanted.
var errStopped = errors.New("stopped")

func (f fitted[P]) tabulate(ctx context.Context, in, out string, meta datasets.Meta, progress func(done int64)) error {
	set, err := f.all.ByName(meta.FeatureSet)
	if err != nil {
		return err
	}
	own, opp := make([]int, set.Len()), make([]int, set.Len())
	return datasets.Write(out, meta, func(yield func(datasets.FeatureRow, error) bool) {
		done := int64(0)
		_, err := datasets.Scan(in, func(chunk []datasets.LabelRow) error {
			for _, l := range chunk {
				p, err := datasets.PositionOf(f.game, meta.Rules, l.Key, l.Board)
				if err != nil {
					return err
				}
				set.Values(p, own, opp)
				r := datasets.FeatureRow{PositionRow: l.PositionRow, Label: l.Label, Depth: l.Depth, Exact: l.Exact, Own: bytesOf(own), Opp: bytesOf(opp)}
				if !yield(r, nil) {
					return errStopped
				}
			}
			done += int64(len(chunk))
			progress(done)
			return ctx.Err()
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(datasets.FeatureRow{}, err)
		}
	})
}

// bytesOf narrows feature values, which count seeds or houses.
func bytesOf(values []int) []uint8 {
	b := make([]uint8, len(values))
	for i, v := range values {
		b[i] = uint8(v)
	}
	return b
}
