package datasets

import (
	"context"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
)

// badColumn counts the values of a column that are not numbers.
type badColumn struct {
	good, bad int64
	first     string // of those values
}

// numbers refuses a row in which a column of Columns has no number.
func (f *ForeignTable[P]) numbers(cells []string) error {
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

// empty returns an error if no row could be read (some is false) or a column has no number in any row;
// it lists all such columns.
func (f *ForeignTable[P]) empty(some bool) error {
	var bad []string
	for i, b := range f.bad {
		switch name := f.Columns[i]; {
		case b.good > 0 || b.bad == 0:
		case b.first == "":
			bad = append(bad, fmt.Sprintf("column %s has no value in %d rows", name, b.bad))
		default:
			bad = append(bad, fmt.Sprintf("column %s has no number within ±%g in %d rows, the first is %.40q", name, maxValue, b.bad, b.first))
		}
	}
	switch {
	case bad != nil:
		return fmt.Errorf("%s: %s", f.path, strings.Join(bad, "; "))
	case !some && f.Rejected.Rows > 0:
		return fmt.Errorf("%s: none of %d rows can be read: %s", f.path, f.Rejected.Rows, f.First[0])
	case !some:
		return fmt.Errorf("%s: it has no rows: expected at least one", f.path)
	}
	return nil
}

// negated changes the sign of a number.
func negated(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(0-v, 'g', -1, 64)
}

// Join writes the rows of a dataset of labels or features with the columns how.Columns of another
// program's table as further features, matched by board. Rows without a match are left out and
// counted as rejected. The meta is that of the dataset; made is the command in it.
func Join[P games.Position[P]](ctx context.Context, g *games.Game[P], dataset, path, out, made string, how Foreign) (Manifest, Rejected, error) {
	t, err := Open(ctx, g.Info, dataset)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	defer t.Close()
	if t.Meta.Kind == Positions {
		return Manifest{}, Rejected{}, fmt.Errorf("%s: contains %s: expected labels or features", dataset, t.Meta.Kind)
	}
	values, rejected, err := valuesOf(ctx, g, t.Meta.Rules, path, how)
	if err != nil {
		return Manifest{}, rejected, err
	}
	hash, err := FileHash(path)
	if err != nil {
		return Manifest{}, rejected, err
	}
	meta := t.Meta
	meta.Kind, meta.Columns = Features, append(meta.Columns, how.Columns...)
	meta.Parent, meta.Made = t.SHA256, made
	meta.Note = strings.TrimPrefix(fmt.Sprintf("%s; columns %s of %s, %s", meta.Note, strings.Join(how.Columns, ", "), filepath.Base(path), hash), "; ")
	if err := Write(g, out, meta, joined(Scan(ctx, g, t, Query{}), values, &rejected, filepath.Base(path))); err != nil {
		return Manifest{}, rejected, err
	}
	m, err := ReadManifest(out)
	return m, rejected, err
}

// valuesOf reads the numbers of another program's table, by position.
func valuesOf[P games.Position[P]](ctx context.Context, g *games.Game[P], rules, path string, how Foreign) (map[P][]float64, Rejected, error) {
	how.Rules = rules
	f, err := openForeign(ctx, g, path, how, true)
	if err != nil {
		return nil, Rejected{}, err
	}
	values := map[P][]float64{}
	for r, err := range f.Scan(ctx) {
		if err != nil {
			return nil, f.Rejected, err
		}
		if before, again := values[r.Position]; again && !slices.Equal(before, r.Values) {
			return nil, f.Rejected, fmt.Errorf("%s: the board %s appears twice, with different numbers: expected one row per board", path, g.Print(r.Position))
		}
		values[r.Position] = r.Values
	}
	return values, f.Rejected, nil
}

// joined appends to each row the numbers of its position.
func joined[P games.Position[P]](rows iter.Seq2[Row[P], error], values map[P][]float64, rejected *Rejected, from string) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		row, some := 0, false
		for r, err := range rows {
			if err != nil {
				yield(r, err)
				return
			}
			more, ok := values[r.Position]
			if !ok {
				rejected.add(fmt.Sprintf("row %d", row), fmt.Errorf("its board is not in %s", from))
			} else {
				r.Values = append(r.Values, more...)
				if some = true; !yield(r, nil) {
					return
				}
			}
			row++
		}
		if !some {
			yield(Row[P]{}, fmt.Errorf("%s has none of the boards", from))
		}
	}
}
