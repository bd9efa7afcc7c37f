package profile

import (
	"context"
	"fmt"
	"iter"

	"kroo/datasets"
	"kroo/games"
)

// Repeats counts repeated situations: positions that are equal under the game's symmetries, such as
// exchanging the players' names.
type Repeats struct {
	Situations int     `json:"situations"` // distinct situations
	Repeated   int     `json:"repeated"`   // rows whose situation occurred before
	Most       int     `json:"most"`       // rows of the most frequent situation
	Apart      float64 `json:"apart"`      // mean absolute difference between a repeated row's label and the first one's, points
}

// Leak counts the rows of a dataset whose situations also occur in another one.
type Leak struct {
	File       string `json:"file"`
	Rows       int    `json:"rows"`       // rows of this dataset
	Situations int    `json:"situations"` // situations in both
}

// leak looks for the situations in another dataset of the game.
func (s *survey[P]) leak(ctx context.Context, path string) (l Leak, err error) {
	l.File = path
	from, err := datasets.Open(ctx, s.game.Info, path)
	if err != nil {
		return l, fmt.Errorf("against: %w", err)
	}
	defer from.Close()
	if err := from.Meta.CheckRules(s.game.Name, s.manifest.Meta.Rules); err != nil {
		return l, fmt.Errorf("against: %w", err)
	}
	theirs := newCounts(sortRoom)
	err = addOrbits(ctx, s.game, from, theirs)
	if err == nil {
		err = l.count(ctx, s.situations, theirs)
	}
	if closed := theirs.Close(); err == nil {
		err = closed
	}
	return l, err
}

// count merges the situations of both datasets in order.
func (l *Leak) count(ctx context.Context, ours, theirs *sorter) error {
	next, stop := iter.Pull2(theirs.all(ctx))
	defer stop()
	their, err, more := next()
	last, first := uint64(0), true
	for r, err := range ours.all(ctx) {
		if err != nil {
			return err
		}
		for more && err == nil && their[0] < r[0] {
			their, err, more = next()
		}
		if err != nil {
			return err
		}
		if more && their[0] == r[0] {
			if l.Rows++; first || last != r[0] {
				l.Situations++
			}
			last, first = r[0], false
		}
	}
	return err
}

// addOrbits adds a dataset's situations.
func addOrbits[P games.Position[P]](ctx context.Context, g *games.Game[P], from *datasets.Table, to *sorter) error {
	var positions []P
	for b, err := range from.Batches(ctx, datasets.Query{Columns: []string{datasets.PositionColumn(g)}}) {
		if err == nil {
			positions, err = datasets.AppendPositions(g, from.Meta.Rules, b, 0, positions[:0])
		}
		if err != nil {
			return err
		}
		for _, p := range positions {
			if err := to.Add(uint64(g.Orbit(p)), 1); err != nil {
				return err
			}
		}
	}
	return nil
}
