package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"kroo/games"
)

// Read reads a table of a game. It refuses a file that does not match its manifest, a table
// of another kind or game, and any value out of its range; the error names the file and,
// where there is one, the row (counted from 0). It is for tables that are soon read: [Scan] can
// be stopped.
func Read[R Row[P, R], P games.Position[P]](g *games.Game[P], path string) (Meta, []R, error) {
	t, err := Open(context.Background(), g.Info, path)
	if err != nil {
		return Meta{}, nil, err
	}
	defer t.Close()
	var rows []R
	for r, err := range Scan[R](context.Background(), g, t, Query{}) {
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
func Scan[R Row[P, R], P games.Position[P]](ctx context.Context, g *games.Game[P], t *Table, q Query) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for r, err := range ScanNumbered[R](ctx, g, t, q) {
			if !yield(r.Row, err) {
				return
			}
		}
	}
}

// Numbered is a row with its number in the table, from 0.
type Numbered[R any] struct {
	Row    R
	Number int64
}

// ScanNumbered is [Scan] with the numbers of the rows.
func ScanNumbered[R Row[P, R], P games.Position[P]](ctx context.Context, g *games.Game[P], t *Table, q Query) iter.Seq2[Numbered[R], error] {
	return func(yield func(Numbered[R], error) bool) {
		var none Numbered[R]
		if t.Meta.Kind != none.Row.kind() {
			yield(none, fmt.Errorf("%s: holds %s, expected %s", t.path, t.Meta.Kind, none.Row.kind()))
			return
		}
		q.Columns = nil
		for b, err := range t.Batches(ctx, q) {
			if err != nil {
				yield(none, err)
				return
			}
			for i := range b.n {
				r, err := takeRow[R](g, b.columns, i, &t.Meta)
				if err != nil {
					yield(none, fmt.Errorf("%s: row %d: %w", t.path, b.Row(i), err))
					return
				}
				if !yield(Numbered[R]{r, b.Row(i)}, nil) {
					return
				}
			}
		}
	}
}

// takeRow builds a row, whose position must be one that its key, board and
// phase agree on.
func takeRow[R Row[P, R], P games.Position[P]](g *games.Game[P], cols []column, i int, m *Meta) (r R, err error) {
	board := cols[1].texts[i]
	p, err := positionOf(g, m.Rules, cols[0].ints[i], board)
	if err != nil {
		return r, err
	}
	if text := g.Print(p); board != "" && text != board {
		return r, fmt.Errorf("board is %.80q, the key's is %q", board, text)
	}
	if phase := cols[2].ints[i]; phase != int64(g.Phase(p)) {
		return r, fmt.Errorf("phase is %d, the board's is %d", phase, g.Phase(p))
	}
	at := PositionRow[P]{Position: p, Game: int32(cols[3].ints[i]), Ply: int32(cols[4].ints[i])}
	if m.Results {
		if at.Outcome, err = takeOutcome(cols[originColumns:], i, m); err != nil {
			return r, err
		}
	}
	if m.Grouped {
		at.setGroup(cols[m.positionColumns()-1].ints[i])
	}
	return r.take(at, cols[m.positionColumns():], i, g)
}

// positionOf is the position of a row: that of its key in a game that numbers
// its positions, else that of its board.
func positionOf[P games.Position[P]](g *games.Game[P], rules string, key int64, board string) (P, error) {
	if g.FromKey != nil {
		return g.FromKey(rules, key)
	}
	return g.Parse(rules, board)
}
