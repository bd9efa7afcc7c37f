package regress

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/revision"
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

// DesignSummary is the size of a design matrix.
type DesignSummary struct {
	Rows    int   `json:"rows"`
	Columns int   `json:"columns"`
	Entries int64 `json:"entries"` // nonzero entries
}

// WriteDesign writes the matrix of a set's features as a Parquet file of row, column and value, with
// one row per position of a dataset of labels that matches a filter. It also writes two CSV files: for
// each row its label in points, its group (rows of one game or situation, which belong in one part of
// a split) and its board; for each column its name and family.
func WriteDesign[P games.Position[P]](
	ctx context.Context, of features.Sets[P], labels, out, setName, where string, progress parallel.Progress,
) (s DesignSummary, err error) {
	paths, err := DesignPaths(out)
	if err != nil {
		return s, err
	}
	tables, err := openTables(ctx, of.Game.Info, []string{labels})
	if err != nil {
		return s, err
	}
	defer tables.close()
	set, err := of.Patterns.Parse(setName)
	if err != nil {
		return s, err
	}
	l := &labelledRows[P]{game: of.Game, tables: tables, where: where, work: progress.Tally(0, 2*tables.rows())}
	s = DesignSummary{Columns: set.Len()}
	writeMatrix := func(to io.Writer) (err error) {
		s.Entries, err = datasets.WriteTriplets(to, triplets(ctx, l.checkedRows().sparse(set)))
		return err
	}
	writeLabels := func(to io.Writer) (err error) {
		s.Rows, err = l.writeLabels(ctx, to)
		return err
	}
	writeColumns := func(to io.Writer) error { return csv.NewWriter(to).WriteAll(columnsOf(set)) }
	for i, write := range []func(io.Writer) error{writeMatrix, writeLabels, writeColumns} {
		if err := datasets.WriteOther(paths[i], write); err != nil {
			return s, err
		}
	}
	return s, nil
}

// writeLabels writes the label, group and board of each row, and returns the number of rows.
func (l *labelledRows[P]) writeLabels(ctx context.Context, to io.Writer) (rows int, err error) {
	c := csv.NewWriter(to)
	c.Write([]string{"label", "group", "board"})
	for b, err := range l.read(ctx) {
		if err != nil {
			return rows, err
		}
		for i, p := range b.positions {
			label := strconv.FormatFloat(float64(b.labels[i]), 'g', -1, 32)
			c.Write([]string{label, fmt.Sprint(b.cluster(i)), l.game.Print(p)})
		}
		rows += b.len()
	}
	c.Flush()
	return rows, c.Error()
}

// columnsOf returns the number, name and family of each column of a set, after a heading.
func columnsOf[P games.Position[P]](set features.ColumnSet[P]) [][]string {
	all := [][]string{{"column", "name", "family"}}
	for _, f := range set.Families() {
		for i := f.From; i < f.To; i++ {
			all = append(all, []string{fmt.Sprint(i), set.ColumnName(i), f.Name})
		}
	}
	return all
}

// triplets returns the entries of rows that are not 0, ordered by row and column.
func triplets(ctx context.Context, rows *sparseRows) iter.Seq2[datasets.Triplet, error] {
	return func(yield func(datasets.Triplet, error) bool) {
		var r sparseRow
		row := int64(0)
		for b, err := range rows.batches(ctx, inBlocks) {
			if err != nil {
				yield(datasets.Triplet{}, err)
				return
			}
			for i := range b.labels {
				b.read(i, &r)
				all := r.entries()
				for _, j := range slices.Sorted(maps.Keys(all)) {
					entry := datasets.Triplet{Row: row, Column: int64(j), Value: float64(all[j])}
					if !yield(entry, nil) {
						return
					}
				}
				row++
			}
		}
	}
}

// entries returns the values of a row that are not 0, by column.
func (r *sparseRow) entries() map[uint32]float32 {
	all := map[uint32]float32{}
	for _, j := range r.ones {
		all[j]++
	}
	for _, e := range r.vals {
		all[e.Index] += e.Value
	}
	maps.DeleteFunc(all, func(_ uint32, v float32) bool { return v == 0 })
	return all
}

// Tabulation is a table of features to make.
type Tabulation struct {
	In, Out string // datasets of labels and of features
	Set     string // of features, by name
	Where   string // filter of the rows (train help filters); "" means all
	Made    string // the command, to record in the table; may be ""
}

// Tabulate computes the features of labelled positions and returns the number of rows. It streams them.
func Tabulate[P games.Position[P]](
	ctx context.Context, sets features.Sets[P], f Tabulation, progress parallel.Progress,
) (int, error) {
	m, err := datasets.Open(ctx, sets.Game.Info, f.In)
	if err != nil {
		return 0, err
	}
	defer m.Close()
	if err := datasets.CheckOutput(f.Out); err != nil {
		return 0, err
	}
	set, err := sets.ByName(f.Set)
	if err != nil {
		return 0, err
	}
	meta := m.Meta
	meta.Kind = datasets.Features
	meta.FeatureSet = set.Name
	meta.Features = set.Names()
	meta.Grouped = true
	meta.Parent = m.SHA256
	meta.Made = f.Made
	meta.Note = datasets.NoteOf(meta.Note, f.Where)
	meta.Tool = revision.Get()
	own := make([]int, set.Len())
	opp := make([]int, set.Len())
	rows := 0
	err = datasets.Write(sets.Game, f.Out, meta, func(yield func(datasets.Row[P], error) bool) {
		q := datasets.Query{Kind: datasets.Labels, Where: f.Where, Progress: progress}
		for l, err := range datasets.Scan(ctx, sets.Game, m, q) {
			if err != nil {
				yield(l, err)
				return
			}
			rows++
			set.Values(l.Position, own, opp)
			err := checkValues(set.Info, own)
			if err == nil {
				err = checkValues(set.Info, opp)
			}
			if err != nil {
				yield(l, fmt.Errorf("%s: %w", sets.Game.Print(l.Position), err))
				return
			}
			l.Own = bytesOf(own)
			l.Opp = bytesOf(opp)
			if !yield(l, nil) {
				return
			}
		}
		if rows == 0 && f.Where != "" {
			yield(datasets.Row[P]{}, noRows(f.In, f.Where))
		}
	})
	return rows, err
}

// checkValues refuses values that do not fit a table.
func checkValues(set features.Info, values []int) error {
	for i, v := range values {
		if v < 0 || v > math.MaxUint8 {
			return fmt.Errorf("the feature %s is %d: expected 0 to %d", set.Features[i], v, math.MaxUint8)
		}
	}
	return nil
}

// bytesOf narrows values that checkValues accepts.
func bytesOf(values []int) []uint8 {
	b := make([]uint8, len(values))
	for i, v := range values {
		b[i] = uint8(v)
	}
	return b
}
