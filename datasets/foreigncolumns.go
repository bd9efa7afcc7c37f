package datasets

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
)

// badColumn counts what is no number in a column that should hold some.
type badColumn struct {
	good, bad int64
	first     string // of those that are none
}

// numbers refuses a row in which a column that should hold a number has none.
func (f *foreign[P]) numbers(cells []string) error {
	var none error
	for i, name := range f.Columns {
		text, b := f.cell(cells, name), &f.bad[i]
		if v, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(v) <= maxValue {
			b.good++
			continue
		}
		if b.bad++; b.bad == 1 {
			b.first = text
		}
		if none == nil {
			none = fmt.Errorf("column %s is %.40q: expected a number within ±%g", name, text, maxValue)
		}
	}
	return none
}

// empty is an error if a column has no number in any row: it tells of each of them.
func (f *foreign[P]) empty() error {
	var bad []string
	for i, b := range f.bad {
		switch name := f.Columns[i]; {
		case b.good > 0 || b.bad == 0:
		case b.first == "":
			bad = append(bad, fmt.Sprintf("column %s has no value in %d rows", name, b.bad))
		default:
			bad = append(bad, fmt.Sprintf("column %s holds no number within ±%g in %d rows, the first is %.40q", name, maxValue, b.bad, b.first))
		}
	}
	if bad == nil {
		return nil
	}
	return errors.New(strings.Join(bad, "; "))
}

// negated changes the sign of a number.
func negated(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(0-v, 'g', -1, 64)
}

// Join writes the rows of a dataset of labels or of features, with how.Columns of a table
// that another program has written as further features: those of the row with the same board.
// Rows of the dataset that the table has no numbers for are left out, and counted among the
// strays. The meta is that of the dataset; made is what it says of the command.
func Join[P games.Position[P]](ctx context.Context, g *games.Game[P], dataset, path, out, made string, how Foreign) (Manifest, Strays, error) {
	t, err := Open(ctx, g.Info, dataset)
	if err != nil {
		return Manifest{}, Strays{}, err
	}
	defer t.Close()
	values, strays, err := valuesOf(ctx, g, t.Meta.Rules, path, how)
	if err != nil {
		return Manifest{}, strays, err
	}
	hash, err := FileHash(path)
	if err != nil {
		return Manifest{}, strays, err
	}
	meta := t.Meta
	meta.Kind, meta.AllMoves, meta.Columns = Features, false, append(meta.Columns, how.Columns...)
	meta.Parent, meta.Made = t.SHA256, made
	meta.Note = strings.TrimPrefix(fmt.Sprintf("%s; columns %s of %s, %s", meta.Note, strings.Join(how.Columns, ", "), filepath.Base(path), hash), "; ")
	j := joiner[P]{values, &strays, filepath.Base(path)}
	if t.Meta.Kind == Features {
		err = Write(g, out, meta, joined(j, Scan[FeatureRow[P]](ctx, g, t, Query{}), func(r FeatureRow[P]) FeatureRow[P] { return r }))
	} else {
		err = Write(g, out, meta, joined(j, Scan[LabelRow[P]](ctx, g, t, Query{}), func(r LabelRow[P]) FeatureRow[P] {
			return FeatureRow[P]{PositionRow: r.PositionRow, Label: r.Label, Depth: r.Depth, Exact: r.Exact, Weight: r.Weight}
		}))
	}
	if err != nil {
		return Manifest{}, strays, err
	}
	m, err := ReadManifest(out)
	return m, strays, err
}

// valuesOf reads the numbers of a table of another program, by position.
func valuesOf[P games.Position[P]](ctx context.Context, g *games.Game[P], rules, path string, how Foreign) (map[P][]float64, Strays, error) {
	how.Rules = rules
	t, err := stranger(ctx, path)
	if err != nil {
		return nil, Strays{}, err
	}
	f, err := begin(ctx, &foreign[P]{Foreign: how, Table: t, game: g, bare: true}, "")
	if err != nil {
		return nil, Strays{}, err
	}
	defer f.f.Close()
	values := map[P][]float64{}
	for r, err := range foreignRows[FeatureRow[P]](ctx, f) {
		if err != nil {
			return nil, *f.strays, err
		}
		if before, again := values[r.Position]; again && !slices.Equal(before, r.Values) {
			return nil, *f.strays, fmt.Errorf("%s: the board %s is there twice, with other numbers: expected one row a board", path, g.Print(r.Position))
		}
		values[r.Position] = r.Values
	}
	return values, *f.strays, nil
}

// joiner adds numbers to rows.
type joiner[P comparable] struct {
	values map[P][]float64
	strays *Strays
	from   string // the name of the table of the numbers
}

func joined[R Row[P, R], P games.Position[P]](j joiner[P], rows iter.Seq2[R, error], of func(R) FeatureRow[P]) iter.Seq2[FeatureRow[P], error] {
	return func(yield func(FeatureRow[P], error) bool) {
		row, some := 0, false
		for r, err := range rows {
			if err != nil {
				yield(FeatureRow[P]{}, err)
				return
			}
			values, ok := j.values[r.At().Position]
			if !ok {
				j.strays.add(fmt.Sprintf("row %d", row), fmt.Errorf("its board is not in %s", j.from))
			} else {
				x := of(r)
				x.Values = append(x.Values, values...)
				if some = true; !yield(x, nil) {
					return
				}
			}
			row++
		}
		if !some {
			yield(FeatureRow[P]{}, fmt.Errorf("%s has none of the boards", j.from))
		}
	}
}
