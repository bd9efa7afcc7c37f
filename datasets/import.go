package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"kroo/games"
	"kroo/internal/wording"
)

// ImportOptions describes how to read a table written by another program. Columns can be in any order,
// among others, and all but the board are optional. Their names default to those of our own tables.
type ImportOptions struct {
	Rules string `name:"rules" help:"rules of the positions, if the file does not name them: {rules}"` // "" means those of the file, else the game's default
	Board string `name:"board" help:"column of the boards (default board)"`
	Scores
	Set         string   `name:"set" help:"feature set of a features table, if the file does not name it"`
	SetNames    []string // names of its features, in order; nil without a set
	Columns     []string `name:"columns" help:"columns of numbers to take as features for train fit"`
	ColumnsView string   `name:"columns_view" help:"with --columns: whose view these are: mover or a side, such as South (default mover)"`
	Weight      string   `name:"weight" help:"column of row weights (default weight, if present)"`
	SkipBad     bool     `name:"skip_bad_rows" help:"leave out rows that cannot be read, and list the first of them"`

	decoding decoding
}

// Scores describes the labels of a table written by another program.
type Scores struct {
	Score  string  `name:"score_column" flag:"score" group:"Tables of other programs" help:"column of the scores of a table (default label, in points, else score)"`
	Unit   float64 `name:"score_unit" range:"1e-6..1e6" group:"Tables of other programs" help:"how much of a score one seed is worth (disc, pawn): 1 if scores are seeds (default 100, hundredths)"`
	View   string  `name:"score_view" group:"Tables of other programs" help:"whose view scores are: mover or a side, such as South (default mover)"`
	Result string  `name:"result_column" flag:"result" group:"Tables of other programs" help:"column of results (1-0, 0-1 or 1/2-1/2) to use as labels (default none)"`
}

// BadRow is the error for an unreadable row if no row may be left out.
type BadRow struct{ error }

func (b BadRow) Unwrap() error { return b.error }

// BadBoard is the error for a board that the game does not read.
type BadBoard struct{ Err error }

func (b BadBoard) Error() string { return b.Err.Error() }

func (b BadBoard) Unwrap() error { return b.Err }

// Rejected counts the rows that were left out or changed.
type Rejected struct {
	Rows    int64    // that could not be read
	First   []string // place and reason of the first of them
	Clamped int64    // labels limited to ±MaxPoints
}

const (
	listedRejected = 5
	defaultUnit    = 100
	provenScore    = 10_000 // and beyond, in hundredths, is a proven result
)

// importTable is a table written by another program. Its meta is that of our own table with its
// rows.
type importTable[P games.Position[P]] struct {
	ImportOptions
	Rejected // of the last scan
	meta     Meta
	path     string
	game     *games.Game[P]
	codec    *rowCodec[P] // of our own table

	names       []string       // of the file's columns
	selected    []string       // of those that are read
	at          map[string]int // index into selected, by requested name
	duplicate   string         // a requested name that two columns have
	side        int            // whose view the scores are; -1 is the side to move
	columnsSide int            // whose view Columns are, likewise

	isValued     bool // rows have labels
	decimalComma bool // a comma in a number is a decimal mark
}

// openImport opens a table and works out its content from its metadata and the names of its
// columns. With boardsOnly, it reads only the boards and how.Columns, which are joined to labels
// elsewhere.
func openImport[P games.Position[P]](
	ctx context.Context, g *games.Game[P], path string, how ImportOptions, boardsOnly bool,
) (*importTable[P], error) {
	about, err := request{Path: path, decoding: how.decoding}.describe(ctx)
	if err != nil {
		return nil, err
	}
	f := &importTable[P]{ImportOptions: how, path: path, game: g, names: about.Names, at: map[string]int{}}
	if err := f.resolve(about, boardsOnly); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Check refuses a description that contradicts itself or does not fit the game.
func (f ImportOptions) Check(g games.Info) error {
	for _, view := range []string{f.View, f.ColumnsView} {
		if sideOf(g, view) == noSide {
			return fmt.Errorf("the view is %.40q: %s", view, wording.Expect(view, []string{mover, g.Sides[0], g.Sides[1]}))
		}
	}
	switch {
	case f.Unit != 0 && !(f.Unit >= 1e-6 && f.Unit <= 1e6):
		return fmt.Errorf("the unit of scores is %g: expected 1e-6 to 1e6", f.Unit)
	case f.Result != "" && (f.Score != "" || f.Unit != 0 || f.View != ""):
		return errors.New("both results and scores are named as labels: name one of them")
	case f.Rules != "":
		return g.CheckRules(f.Rules)
	}
	return nil
}

// cells yields the cells of the selected columns. An error names the file and ends the sequence.
func (f *importTable[P]) cells(ctx context.Context) iter.Seq2[cellRow, error] {
	return request{Path: f.path, Names: f.selected, decoding: f.decoding}.rows(ctx)
}

// complete refuses a row with another number of values than the file has columns.
func (f *importTable[P]) complete(cells []string) error {
	if cells == nil {
		return fmt.Errorf("expected %s, one for each column", wording.Count(len(f.names), "value"))
	}
	return nil
}

// scan yields the rows, and counts the rows left out in Rejected. An error ends the sequence.
func (f *importTable[P]) scan(ctx context.Context) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		f.Rejected = Rejected{}
		some := false
		for row, err := range f.cells(ctx) {
			if err == nil {
				err = f.withDecimalPoints(ctx, row.Cells)
			}
			if err != nil {
				yield(Row[P]{}, err)
				return
			}
			r, clamped, err := f.row(row.Cells)
			switch {
			case err != nil && f.SkipBad:
				f.Rejected.add(f.path+row.Place, err)
				continue
			case err != nil:
				yield(Row[P]{}, BadRow{fmt.Errorf("%s%s: %w", f.path, row.Place, err)})
				return
			case clamped:
				f.Clamped++
			}
			some = true
			if !yield(r, nil) {
				return
			}
		}
		if !some {
			yield(Row[P]{}, f.noRows())
		}
	}
}

// noRows is the error for a table without a row that can be read.
func (f *importTable[P]) noRows() error {
	if f.Rejected.Rows > 0 {
		return fmt.Errorf("none of %d rows can be read: %s", f.Rejected.Rows, f.First[0])
	}
	return fmt.Errorf("%s: it has no rows: expected at least one", f.path)
}

func (s *Rejected) add(place string, err error) {
	s.Rows++
	if len(s.First) < listedRejected {
		s.First = append(s.First, place+": "+err.Error())
	}
}

// row converts cells to a row of our own and checks it. It reports whether the label is clamped.
func (f *importTable[P]) row(cells []string) (r Row[P], clamped bool, err error) {
	if err := f.complete(cells); err != nil {
		return r, false, err
	}
	p, err := f.game.Parse(f.meta.Rules, cells[f.at[f.Board]])
	if err != nil {
		return r, false, BadBoard{Err: err}
	}
	f.codec.reset()
	f.codec.row.Position = p
	var v valuation
	if f.isValued {
		v, err = f.valueOf(p, cells)
		if err != nil {
			return r, false, err
		}
	}
	for i := range f.codec.defs {
		d := &f.codec.defs[i]
		if d.derived {
			continue
		}
		if err := f.setColumn(p, d, cells, v); err != nil {
			return r, false, err
		}
	}
	return f.codec.row, v.clamped, f.codec.complete()
}

// Import converts a table written by another program to one of our own, with its manifest, at out.
// The meta names the source file; made is the command in it.
func Import[P games.Position[P]](
	ctx context.Context, g *games.Game[P], path, out, made string, how ImportOptions,
) (Manifest, Rejected, error) {
	f, err := openImport(ctx, g, path, how, false)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	meta := f.meta
	meta.Made = made
	isGroup := func(name string) bool { return strings.EqualFold(name, GroupColumn) }
	meta.Grouped = meta.Kind != Positions && !slices.ContainsFunc(meta.Columns, isGroup)
	meta.Parent, err = FileHash(path)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	if err := Write(g, out, meta, f.scan(ctx)); err != nil {
		return Manifest{}, f.Rejected, err
	}
	m, err := ReadManifest(out)
	return m, f.Rejected, err
}
