package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"kroo/games"
	"kroo/internal/vfs"
)

// Read reads a table of a game. It refuses a file that does not match its manifest, a table
// of another kind or game, and any value out of its range; the error names the file and,
// where there is one, the row (counted from 0). It is for tables that are soon read: [Scan] can
// be stopped.
func Read[R Row[P, R], P games.Position[P]](g *games.Game[P], path string) (Meta, []R, error) {
	var rows []R
	for r, err := range Scan[R](context.Background(), g, path) {
		if err != nil {
			return Meta{}, nil, err
		}
		rows = append(rows, r)
	}
	m, err := ReadManifest(path)
	return m.Meta, rows, err
}

// errEnough ends the decoding of a file whose rows are no longer wanted.
var errEnough = errors.New("no more rows are wanted")

// Scan yields the rows of a table as [Read] does; it holds a chunk of
// them in memory. An error ends the sequence, and so does the end of the context.
func Scan[R Row[P, R], P games.Position[P]](ctx context.Context, g *games.Game[P], path string) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		err := scanFile(ctx, g, path, func(chunk []R) error {
			for _, r := range chunk {
				if !yield(r, nil) {
					return errEnough
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			var none R
			yield(none, err)
		}
	}
}

func scanFile[R Row[P, R], P games.Position[P]](ctx context.Context, g *games.Game[P], path string, each func(chunk []R) error) error {
	t, err := open(ctx, path)
	if err != nil {
		return err
	}
	defer t.f.Close()
	var none R
	if got := t.Meta.Kind; got != none.kind() {
		return fmt.Errorf("%s: holds %s, expected %s", path, got, none.kind())
	}
	if err := t.checkGame(g.Info); err != nil {
		return fmt.Errorf("%s: %w", ManifestPath(path), err)
	}
	return scan(ctx, g, t, each)
}

// table is a verified file, ready to be decoded.
type table struct {
	Manifest
	path   string
	format format
	f      *vfs.File
}

// open finds the format and checks the file against its manifest, so that what
// is decoded later is what was written.
func open(ctx context.Context, path string) (*table, error) {
	t, err := orphan(path)
	if err != nil {
		return nil, err
	}
	if t.Manifest, err = ReadManifest(path); err == nil {
		err = t.verify(ctx, t.f)
	}
	if err != nil {
		t.f.Close()
		return nil, err
	}
	return t, nil
}

// scan decodes and checks the rows and hands them over a chunk at a time, valid during
// the call only.
func scan[R Row[P, R], P games.Position[P]](ctx context.Context, g *games.Game[P], t *table, each func(rows []R) error) error {
	cols := columnsFor(t.Meta, g.Info)
	pairs := t.Meta.pairs() // not what the file says of columns in words
	var seen int64
	var chunk []R
	err := decode(ctx, t.format, t.f, pairs, cols, func(cols []column) error {
		n, err := sameLength(cols)
		if err != nil {
			return err
		}
		if t.Rows != unknownRows && seen+int64(n) > t.Rows {
			return fmt.Errorf("more than the %d rows its manifest tells of", t.Rows)
		}
		if chunk, err = takeRows(g, chunk[:0], cols, n, seen, &t.Meta); err != nil {
			return err
		}
		seen += int64(n)
		return each(chunk)
	})
	if err == nil && t.Rows != unknownRows && seen != t.Rows {
		err = fmt.Errorf("%d rows, its manifest says %d", seen, t.Rows)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return nil
}

// takeRows builds checked rows of n values of every column; first is the
// number of the first row in its table.
func takeRows[R Row[P, R], P games.Position[P]](g *games.Game[P], rows []R, cols []column, n int, first int64, m *Meta) ([]R, error) {
	for i := range n {
		r, err := takeRow[R](g, cols, i, m)
		if err == nil {
			err = r.check(m)
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", first+int64(i), err)
		}
		rows = append(rows, r)
	}
	return rows, nil
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
		if at.Outcome, err = takeOutcome(cols[originColumns:], i); err != nil {
			return r, err
		}
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
