package regress

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
)

// designFormat is the extension of a design matrix.
const designFormat = ".parquet"

// DesignPaths returns the files of a design matrix: the matrix, its rows' labels and its columns'
// names.
func DesignPaths(out string) (all []string, err error) {
	name, ok := strings.CutSuffix(out, designFormat)
	if !ok || filepath.Base(out) == designFormat {
		return nil, fmt.Errorf("%s: expected a name that ends in %s", out, designFormat)
	}
	return []string{out, name + ".labels.csv", name + ".columns.csv"}, nil
}

// DesignRequest describes a design matrix to write.
type DesignRequest struct {
	Labels   []string // datasets of labels
	Where    string   // filter of their rows; "" means all
	Set, Out string   // a set of pattern features; the file to write, NAME.parquet
}

// DesignSummary is the size of a design matrix.
type DesignSummary struct {
	Rows    int   `json:"rows"`
	Columns int   `json:"columns"`
	Entries int64 `json:"entries"` // nonzero entries
}

// WriteDesign writes the matrix of a set's features, with one row per labelled position, as a
// Parquet file of row, column and value. It also writes two CSV files: for each row its label in
// points, its group (rows of one game or situation, which belong in one part of a split) and its
// board; for each column its name and family.
func WriteDesign[P games.Position[P]](ctx context.Context, of features.Patterns[P], rules string, req DesignRequest, progress parallel.Progress) (s DesignSummary, err error) {
	paths, err := DesignPaths(req.Out)
	if err != nil {
		return s, err
	}
	set, err := of.Parse(rules, req.Set)
	if err != nil {
		return s, err
	}
	tables, err := openTables(ctx, of.Game.Info, req.Labels)
	if err != nil {
		return s, err
	}
	defer tables.close()
	l, err := readLabelled(ctx, of.Game, tables, req.Where, "", progress)
	if err != nil {
		return s, err
	}
	s = DesignSummary{Rows: len(l.positions), Columns: set.Len()}
	for i, write := range []func(io.Writer) error{
		func(to io.Writer) (err error) { s.Entries, err = writeEntries(ctx, to, l.rows(set)); return err },
		func(to io.Writer) error {
			return writeCSV(to, "label,group,board", func(write func(...string)) {
				for i, p := range l.positions {
					write(strconv.FormatFloat(float64(l.labels[i]), 'g', -1, 32), strconv.FormatUint(uint64(l.group[i]), 10), l.game.Print(p))
				}
			})
		},
		func(to io.Writer) error {
			return writeCSV(to, "column,name,family", func(write func(...string)) {
				for _, f := range set.Families() {
					for i := f.From; i < f.To; i++ {
						write(strconv.Itoa(i), set.ColumnName(i), f.Name)
					}
				}
			})
		},
	} {
		if err := datasets.WriteOther(paths[i], write); err != nil {
			return s, err
		}
	}
	return s, nil
}

// writeEntries writes the entries of rows, ordered by row and column, without duplicates, and
// returns their number.
func writeEntries(ctx context.Context, to io.Writer, rows *sparseRows) (n int64, err error) {
	var r sparseRow
	err = datasets.WriteTriplets(to, func(add func(row, column int64, value float64) error) error {
		for i := range rows.len() {
			if i%blockRows == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for _, e := range rows.entries(i, &r) {
				if err := add(int64(i), int64(e.Index), float64(e.Value)); err != nil {
					return err
				}
				n++
			}
		}
		return nil
	})
	return n, err
}

// entries returns the nonzero entries of a row, ordered by column, without duplicates. They are
// valid until r is read again.
func (s *sparseRows) entries(i int, r *sparseRow) []features.Entry {
	s.read(i, r)
	for _, column := range r.ones {
		r.vals = append(r.vals, features.Entry{Index: column, Value: 1})
	}
	slices.SortFunc(r.vals, func(a, b features.Entry) int { return cmp.Compare(a.Index, b.Index) })
	n := 0
	for k, e := range r.vals {
		if k > 0 && e.Index == r.vals[n-1].Index {
			r.vals[n-1].Value += e.Value
			continue
		}
		r.vals[n] = e
		n++
	}
	return slices.DeleteFunc(r.vals[:n], func(e features.Entry) bool { return e.Value == 0 })
}

// writeCSV writes a CSV file with the given header.
func writeCSV(to io.Writer, header string, rows func(write func(cells ...string))) error {
	c := csv.NewWriter(to)
	c.Write(strings.Split(header, ","))
	rows(func(cells ...string) { c.Write(cells) })
	c.Flush()
	return c.Error()
}
