package datasets

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"kroo/games"
	"kroo/internal/wording"
)

// Join writes the rows of a dataset of labels or features with the columns how.Columns of another
// program's table as further features, matched by board. Rows without a match are left out and
// counted as rejected. The meta stays the dataset's; made is the command in it.
func Join[P games.Position[P]](
	ctx context.Context, g *games.Game[P], dataset, path, out, made string, how ImportOptions,
) (Manifest, Rejected, error) {
	t, err := Open(ctx, g.Info, dataset)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	defer t.Close()
	if t.Meta.Kind == Positions {
		return Manifest{}, Rejected{}, fmt.Errorf("%s: contains %s: expected labels or features", dataset, t.Meta.Kind)
	}
	if t.Meta.HasPredictions() {
		return Manifest{}, Rejected{}, fmt.Errorf("%s: contains predictions, from which a fit would learn the labels: "+
			"expected the dataset that was evaluated", dataset)
	}
	values, rejected, err := valuesOf(ctx, g, t.Meta.Rules, path, how)
	if err != nil {
		return Manifest{}, rejected, err
	}
	hash, err := FileHash(path)
	if err != nil {
		return Manifest{}, rejected, err
	}
	from := filepath.Base(path)
	meta := t.Meta
	meta.Kind = Features
	meta.Columns = append(meta.Columns, how.Columns...)
	meta.Parent = t.SHA256
	meta.Made = made
	note := fmt.Sprintf("%s; columns %s of %s, %s", meta.Note, strings.Join(how.Columns, ", "), from, hash)
	meta.Note = strings.TrimPrefix(note, "; ")
	err = Write(g, out, meta, joinRows(Scan(ctx, g, t, Query{}), values, &rejected, from))
	if err != nil {
		return Manifest{}, rejected, err
	}
	m, err := ReadManifest(out)
	return m, rejected, err
}

// joinRows yields the rows with the values of their positions, and counts those without in rejected.
// It is an error if no row has values.
func joinRows[P games.Position[P]](
	rows iter.Seq2[Row[P], error], values map[P][]float64, rejected *Rejected, from string,
) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		number := int64(0)
		some := false
		for r, err := range rows {
			if err != nil {
				yield(r, err)
				return
			}
			more, ok := values[r.Position]
			if ok {
				some = true
				r.Values = append(r.Values, more...)
				if !yield(r, nil) {
					return
				}
			} else {
				rejected.add(wording.Row(number), fmt.Errorf("its board is not in %s", from))
			}
			number++
		}
		if !some {
			yield(Row[P]{}, fmt.Errorf("%s has none of the boards", from))
		}
	}
}

// valuesOf reads the numbers of another program's table, by position.
func valuesOf[P games.Position[P]](
	ctx context.Context, g *games.Game[P], rules, path string, how ImportOptions,
) (map[P][]float64, Rejected, error) {
	how.Rules = rules
	f, err := openImport(ctx, g, path, how, true)
	if err != nil {
		return nil, Rejected{}, err
	}
	values := map[P][]float64{}
	for r, err := range f.scan(ctx) {
		if err != nil {
			return nil, f.Rejected, err
		}
		before, again := values[r.Position]
		if again && !slices.Equal(before, r.Values) {
			return nil, f.Rejected, fmt.Errorf("%s: the board %s appears twice, with different numbers: "+
				"expected one row per board", path, g.Print(r.Position))
		}
		values[r.Position] = r.Values
	}
	return values, f.Rejected, nil
}
