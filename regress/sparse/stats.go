package sparse

import (
	"context"
	"fmt"

	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// clampTo limits a prediction to ±limit; a limit of 0 is none.
func clampTo(pred, limit float64) float64 {
	if limit == 0 {
		return pred
	}
	return max(-limit, min(limit, pred))
}

// Evaluate streams rows and compares what weights (one a column) say of them
// with their labels. Predictions are clamped to ±clamp points, as labels are
// to ±1000; 0 does not clamp. workers is the number of goroutines, 0 one a
// processor; it changes no bit of the result.
func Evaluate(ctx context.Context, rows Rows, weights []float64, clamp float64, workers int) (agreement.Stats, error) {
	if len(weights) != rows.Columns() {
		return agreement.Stats{}, fmt.Errorf("cannot evaluate: %d weights for %d columns: expected as many", len(weights), rows.Columns())
	}
	workers = parallel.Workers(workers)
	blocks := make([]Block, workers)
	parts := make([]agreement.Sums, rows.Blocks())
	err := parallel.Do(ctx, workers, len(parts), func(_ context.Context, w, i int) error {
		b := &blocks[w]
		if err := read(rows, len(weights), i, b); err != nil {
			return err
		}
		for r := range b.rows() {
			parts[i].Add(clampTo(b.predict(r, weights), clamp), b.label[r], float64(b.weight[r]))
		}
		return nil
	})
	var all agreement.Sums
	for _, p := range parts {
		all.Merge(p)
	}
	return all.Stats(), err
}

// predict is the product of row r with weights.
func (b *Block) predict(r int, weights []float64) float64 {
	ones, col, val := b.row(r)
	u := 0.0
	for _, j := range ones {
		u += weights[j]
	}
	for k, j := range col {
		u += float64(val[k]) * weights[j]
	}
	return u
}
