package profile

import (
	"context"
	"fmt"
	"math"

	"kroo/datasets"
)

// Repeats says how often situations come again: positions that are one under
// the game's symmetries, such as the players' names exchanged.
type Repeats struct {
	Situations int     `json:"situations"` // different ones
	Repeated   int     `json:"repeated"`   // rows whose situation came before
	Most       int     `json:"most"`       // rows of the most frequent situation
	Apart      float64 `json:"apart"`      // mean distance of a repeated row's label from the first one's, points
}

// repeats compares every row with the first of its situation.
func (t *table[P]) repeats() (r Repeats) {
	type first struct{ row, rows int }
	seen := make(map[int64]first, t.rows())
	labels := t.labels()
	for i, orbit := range t.orbits {
		f, again := seen[orbit]
		if !again {
			f.row = i
		} else {
			r.Repeated++
			if labels != nil {
				r.Apart += math.Abs(labels[i] - labels[f.row])
			}
		}
		f.rows++
		seen[orbit] = f
		r.Most = max(r.Most, f.rows)
	}
	r.Situations = len(seen)
	if r.Repeated > 0 {
		r.Apart /= float64(r.Repeated)
	}
	return r
}

// Leak says how much of a dataset is in another one too.
type Leak struct {
	File       string `json:"file"`
	Rows       int    `json:"rows"`       // of this dataset, whose situation is in the other
	Situations int    `json:"situations"` // that are in both
}

// leak looks for the table's situations in another dataset of the game.
func (t *table[P]) leak(ctx context.Context, path string) (l Leak, err error) {
	l.File = path
	count := make(map[int64]int, t.rows())
	for _, orbit := range t.orbits {
		count[orbit]++
	}
	m, err := datasets.Open(ctx, t.game.Info, path)
	if err != nil {
		return l, fmt.Errorf("against: %w", err)
	}
	defer m.Close()
	if err := m.Meta.CheckRules(t.game.Name, t.manifest.Meta.Rules); err != nil {
		return l, fmt.Errorf("against: %w", err)
	}
	each := func(orbit int64) {
		if n := count[orbit]; n > 0 {
			l.Rows += n
			l.Situations++
			delete(count, orbit)
		}
	}
	var positions []P
	for b, err := range m.Batches(ctx, datasets.Query{Columns: []string{datasets.PositionColumn(t.game)}}) {
		if err == nil {
			positions, err = datasets.AppendPositions(t.game, m.Meta.Rules, b, 0, positions[:0])
		}
		if err != nil {
			return l, err
		}
		for _, p := range positions {
			each(t.game.Orbit(p))
		}
	}
	return l, nil
}
