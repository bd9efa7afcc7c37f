package datasets

import (
	"context"
	"fmt"

	"kroo/games"
	"kroo/internal/parallel"
)

// Convert writes the rows of a table that match a filter (parseFilter; "" for all) to another
// table, in the format of the output's extension. Without a filter, rows and meta stay the same:
// converting there and back gives the same bytes, unless an older version wrote the table. With a
// filter, the meta records the filter, and the table as parent; it is an error if no row matches. A
// CSV file has no meta and units; its manifest has them.
func Convert(ctx context.Context, g games.Info, from, to, where string, progress parallel.Progress) (Manifest, error) {
	t, err := Open(ctx, g, from)
	if err != nil {
		return Manifest{}, err
	}
	defer t.Close()
	meta := t.Meta
	if where != "" {
		meta.Parent, meta.Note = t.SHA256, Noted(meta.Note, where)
	}
	return writeColumns(g, to, meta, func(out []column, added func() error) error {
		some := where == ""
		for b, err := range t.Batches(ctx, Query{Where: where, Progress: progress}) {
			if err != nil {
				return sourceError{err}
			}
			some = true
			for from := 0; from < b.n; {
				to := min(b.n, from+chunkRows-out[0].len())
				for i := range out {
					out[i].appendRows(&b.columns[i], from, to)
				}
				if err := added(); err != nil {
					return err
				}
				from = to
			}
		}
		if !some {
			return sourceError{fmt.Errorf("none of the %d rows of %s matches the filter", t.Rows, t.File)}
		}
		return nil
	})
}
