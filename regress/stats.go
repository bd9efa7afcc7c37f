package regress

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"kroo/internal/agreement"
)

// evaluate measures models on other rows than they were fitted to, which have the same columns. It
// is nil without rows.
func evaluate(ctx context.Context, models []*Model, s samples) ([]agreement.Doubled, error) {
	to := make([]agreement.Sums, len(models))
	rows := 0
	err := s.pass(ctx, func() tally { return &evaluateTally{models: models, to: to, counted: &rows} })
	if err != nil || rows == 0 {
		return nil, err
	}
	all := make([]agreement.Doubled, len(models))
	for i := range all {
		all[i] = to[i].Doubled()
	}
	return all, nil
}

type evaluateTally struct {
	models   []*Model
	to, sums []agreement.Sums
	rows     int
	counted  *int
}

func (t *evaluateTally) add(b *block) error {
	if t.sums == nil {
		t.sums = make([]agreement.Sums, len(t.models))
	}
	for i, label := range b.y[0] {
		if row := b.x.RawRowView(i); !sensible(label) || !(floats.Norm(row, math.Inf(1)) <= largest) {
			return fmt.Errorf("cannot evaluate: label %g, features %v in row %d: expected -%g to %g", label, row, b.row(i), largest, largest)
		}
		t.rows++
	}
	for i, m := range t.models {
		addStatistics(&t.sums[i], m.predict(columnsOf(b.x, m.Columns)), b.y[m.reading], b.w)
	}
	return nil
}

func (t *evaluateTally) end() error {
	for i, s := range t.sums {
		t.to[i].Merge(s)
	}
	*t.counted += t.rows
	return nil
}

// addStatistics adds predictions over doubled rows.
func addStatistics(s *agreement.Sums, pred, y, weights []float64) {
	for i, p := range pred {
		s.Add(p, y[i], weightOf(weights, i))
	}
}
