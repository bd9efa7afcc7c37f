package regress

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/games"
)

// checkColumns refuses columns of another program that are the same in every row, or the
// same as another feature. It tells of all of them.
func checkColumns(x *mat.Dense, names, columns []string) error {
	rows, _ := x.Dims()
	var bad []string
	for j, name := range names {
		if !slices.Contains(columns, name) {
			continue
		}
		v := mat.Col(make([]float64, rows), j, x)
		if constant(v) {
			bad = append(bad, fmt.Sprintf("column %s is %g in every row", name, v[0]))
			continue
		}
		for k, other := range names {
			if (k < j || k > j && !slices.Contains(columns, other)) && slices.Equal(v, mat.Col(make([]float64, rows), k, x)) {
				bad = append(bad, fmt.Sprintf("column %s is the same as %s in every row", name, other))
				break
			}
		}
	}
	if bad == nil {
		return nil
	}
	return errors.New(strings.Join(bad, "; ") + ": leave out such columns (--columns)")
}

// asymmetry counts pairs of rows in which a column is not what symmetry calls for.
type asymmetry struct {
	pairs, bad int
	first      string
}

// checkSymmetry refuses columns of another program that are not the side's to move less the
// other's, as far as the rows show it: with the other side to move the same board has the
// value with the other sign, and with the sides exchanged the same value.
func checkSymmetry[P games.Position[P]](g *games.Game[P], rows []datasets.FeatureRow[P], m datasets.Meta, names []string) error {
	if g.Exchange == nil || m.Columns == nil {
		return nil
	}
	at := make(map[P]int, len(rows))
	for i, r := range rows {
		at[r.Position] = i
	}
	found := make([]asymmetry, len(m.Columns))
	for i, r := range rows {
		for _, want := range []struct {
			position P
			sign     float64
			how      string
		}{{g.Pass(r.Position), -1, "with the other side to move"}, {g.Exchange(r.Position), 1, "with the sides exchanged"}} {
			k, ok := at[want.position]
			if !ok || k == i || len(r.Values) != len(m.Columns) || len(rows[k].Values) != len(m.Columns) {
				continue
			}
			for c := range m.Columns {
				found[c].add(r.Values[c], rows[k].Values[c], want.sign, func() string {
					return fmt.Sprintf("%g on %s and, %s, %g", r.Values[c], g.Print(r.Position), want.how, rows[k].Values[c])
				})
			}
		}
	}
	for c, f := range found {
		if f.bad > 0 && slices.Contains(names, m.Columns[c]) {
			return fmt.Errorf("column %s is not the side's to move less the other's in %d of %d pairs of rows: %s; give it so, or say whose it is (adopt --columns-view)",
				m.Columns[c], f.bad, f.pairs, f.first)
		}
	}
	return nil
}

// add compares two values, the second of which should be the first times the sign.
func (a *asymmetry) add(v, other, sign float64, pair func() string) {
	const tolerance = 1e-6 // of what has been rounded to seven digits or more
	a.pairs++
	if math.Abs(v*sign-other) > tolerance*max(1, math.Abs(v), math.Abs(other)) {
		if a.bad++; a.bad == 1 {
			a.first = pair()
		}
	}
}
