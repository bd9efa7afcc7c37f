package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"kroo/games"
)

// Read reads a table of a game, of one kind. It refuses a file that does not match its manifest, a table
// of another kind or game, and any value out of its range; the error names the file and,
// where there is one, the row (counted from 0). It is for tables that are soon read: [Scan] can
// be stopped.
func Read[P games.Position[P]](g *games.Game[P], path, kind string) (Meta, []Row[P], error) {
	t, err := Open(context.Background(), g.Info, path)
	if err != nil {
		return Meta{}, nil, err
	}
	defer t.Close()
	var rows []Row[P]
	for r, err := range Scan(context.Background(), g, t, Query{Kind: kind}) {
		if err != nil {
			return Meta{}, nil, err
		}
		rows = append(rows, r)
	}
	return t.Meta, rows, nil
}

// errEnough ends the decoding of a file whose rows are no longer wanted.
var errEnough = errors.New("no more rows are wanted")

// Scan yields the rows of a query, with all columns, as [Read] does; some of them are in memory at
// a time. An error ends the sequence, and so does the end of the context.
func Scan[P games.Position[P]](ctx context.Context, g *games.Game[P], t *Table, q Query) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		q.Columns = nil
		x := newRowCodec(g, &t.Meta)
		for b, err := range t.Batches(ctx, q) {
			if err != nil {
				yield(Row[P]{}, err)
				return
			}
			for i := range b.n {
				r, err := x.take(b.columns, i)
				if err != nil {
					yield(Row[P]{}, t.badRow(b, i, err))
					return
				}
				if !yield(*r, nil) {
					return
				}
			}
		}
	}
}

func (t *Table) badRow(b *Batch, i int, err error) error {
	return fmt.Errorf("%s: row %d: %w", t.path, b.Row(i), err)
}

// CheckRows appends the positions of some rows of a batch of all columns, which it checks as [Scan] does.
func CheckRows[P games.Position[P]](g *games.Game[P], t *Table, b *Batch, from, to int, dst []P) ([]P, error) {
	x := newRowCodec(g, &t.Meta)
	for i := from; i < to; i++ {
		r, err := x.take(b.columns, i)
		if err != nil {
			return dst, t.badRow(b, i, err)
		}
		dst = append(dst, r.Position)
	}
	return dst, nil
}
