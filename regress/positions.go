package regress

import (
	"context"
	"fmt"
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

// scan calls each with the rows of tables that match a filter, and the number of a row's file. A row's
// weight is from a column; "" weighs each row 1. It reports the number of rows read.
func scan[P games.Position[P]](
	ctx context.Context, g *games.Game[P], tables tables, kind, where, weight string, progress parallel.Progress, each func(file uint32, r datasets.Row[P]) error,
) error {
	work := progress.Tally(0, tables.rows())
	n, heaviest := 0, 0.
	for i, t := range tables {
		for r, err := range datasets.Scan(ctx, g, t,
			datasets.Query{Kind: kind, Where: where, Weight: weight, Progress: work.Pass()}) {
			if err != nil {
				return err
			}
			if weight == "" {
				r.Weight = 1
			} else if err := checkWeight(weight, r.Weight, n); err != nil {
				return fmt.Errorf("%s: %w", t.Path(), err)
			}
			n, heaviest = n+1, max(heaviest, r.Weight)
			if err := each(uint32(i), r); err != nil {
				return err
			}
		}
	}
	switch {
	case n == 0:
		return noRows(strings.Join(tables.texts((*datasets.Table).Path), ", "), where)
	case heaviest == 0:
		return fmt.Errorf("the weight %s is 0 in every row: expected a number above 0", weight)
	}
	return nil
}
