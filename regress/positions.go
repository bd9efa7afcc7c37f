package regress

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/parallel"
)

// tables are open datasets of a game under the same rules.
type tables []*datasets.Table

func openTables(ctx context.Context, g games.Info, paths []string) (all tables, err error) {
	defer func() {
		if err != nil {
			all.close()
		}
	}()
	for _, path := range paths {
		t, err := datasets.Open(ctx, g, path)
		if err != nil {
			return all, err
		}
		all = append(all, t)
		if err := t.Meta.CheckRules(g.Name, all[0].Meta.Rules); err != nil {
			return all, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}

func (t tables) close() {
	for _, table := range t {
		table.Close()
	}
}

func (t tables) rows() (n int64) {
	for _, table := range t {
		n += table.Rows
	}
	return n
}

// kind returns the kind of rows that the first table has: features, or labels.
func (t tables) kind() string {
	if t[0].Meta.Kind == datasets.Features {
		return datasets.Features
	}
	return datasets.Labels
}

// texts returns the different texts of the tables that are not empty.
func (t tables) texts(of func(*datasets.Table) string) (all []string) {
	for _, table := range t {
		if text := of(table); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func hashOf(t *datasets.Table) string   { return t.SHA256 }
func limitsOf(t *datasets.Table) string { return t.Meta.Limits }

// tableRow is a row of one of several tables.
type tableRow[P games.Position[P]] struct {
	datasets.Row[P]
	file   uint32  // number of the table
	counts float64 // weight by which it counts, which the row has only if a column was named
}

// cluster returns the row's cluster.
func (r *tableRow[P]) cluster(g *games.Game[P]) uint64 {
	group := r.Group
	if group == 0 {
		group = datasets.GroupOf(g, r.Position, r.Game)
	}
	return datasets.ClusterOf(r.file, group)
}

// scan yields the rows of tables that match a filter. Rows count with their weight from a column; "" counts
// each row once. It reports the number of rows read, and ends with an error if none counts.
func scan[P games.Position[P]](
	ctx context.Context, g *games.Game[P], tables tables, q datasets.Query, progress parallel.Progress,
) iter.Seq2[tableRow[P], error] {
	return func(yield func(tableRow[P], error) bool) {
		work := progress.Tally(0, tables.rows())
		n := 0
		heaviest := 0.0
		for i, t := range tables {
			q.Progress = work.Pass()
			for r, err := range datasets.Scan(ctx, g, t, q) {
				row := tableRow[P]{Row: r, file: uint32(i), counts: 1}
				if q.Weight != "" {
					row.counts = r.Weight
				}
				if !yield(row, err) || err != nil {
					return
				}
				n++
				heaviest = max(heaviest, row.counts)
			}
		}
		switch {
		case n == 0:
			yield(tableRow[P]{}, noRows(strings.Join(tables.texts((*datasets.Table).Path), ", "), q.Where))
		case heaviest == 0:
			yield(tableRow[P]{}, noWeight(q.Weight))
		}
	}
}
