package sparse

import (
	"context"
	"fmt"
	"math"

	"kroo/internal/parallel"
)

// Stats say how predictions agree with labels, both in points, over rows as
// they are labelled: from the view of the side to move, none doubled, each
// counted by its weight.
type Stats struct {
	Rows int     `json:"n"`
	R    float64 `json:"r"`    // Pearson's correlation; 0 where one side does not vary
	MAE  float64 `json:"mae"`  // mean absolute error, points
	RMSE float64 `json:"rmse"` // root of the mean squared error, points
}

// Moments are the sums that Stats are made of. The zero value is of no rows.
type Moments struct {
	rows                    int
	n, p, y, pp, yy, py, ae float64
}

// Add counts a row: prediction and label in points, and weight.
func (m *Moments) Add(pred, label, weight float64) {
	m.rows++
	m.n += weight
	m.p += weight * pred
	m.y += weight * label
	m.pp += weight * pred * pred
	m.yy += weight * label * label
	m.py += weight * pred * label
	m.ae += weight * math.Abs(pred-label)
}

// Merge counts the rows of o too.
func (m *Moments) Merge(o Moments) {
	m.rows += o.rows
	m.n += o.n
	m.p += o.p
	m.y += o.y
	m.pp += o.pp
	m.yy += o.yy
	m.py += o.py
	m.ae += o.ae
}

// Stats of the rows added. Without any weight all of it is zero.
func (m *Moments) Stats() Stats {
	s := Stats{Rows: m.rows}
	if m.n == 0 {
		return s
	}
	s.MAE = m.ae / m.n
	s.RMSE = math.Sqrt(max(0, m.pp-2*m.py+m.yy) / m.n)
	vp, vy := m.pp-m.p*m.p/m.n, m.yy-m.y*m.y/m.n
	const noise = 1e-12 // of rounding, relative
	if vp > noise*m.pp && vy > noise*m.yy {
		s.R = max(-1, min(1, (m.py-m.p*m.y/m.n)/math.Sqrt(vp)/math.Sqrt(vy)))
	}
	return s
}

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
func Evaluate(ctx context.Context, rows Rows, weights []float64, clamp float64, workers int) (Stats, error) {
	if len(weights) != rows.Columns() {
		return Stats{}, fmt.Errorf("cannot evaluate: %d weights for %d columns: expected as many", len(weights), rows.Columns())
	}
	workers = parallel.Workers(workers)
	blocks := make([]Block, workers)
	parts := make([]Moments, rows.Blocks())
	err := parallel.Do(ctx, workers, len(parts), func(_ context.Context, w, i int) error {
		b := &blocks[w]
		if err := read(rows, len(weights), i, b); err != nil {
			return err
		}
		for r := range b.Rows() {
			parts[i].Add(clampTo(b.predict(r, weights), clamp), b.label[r], float64(b.weight[r]))
		}
		return nil
	})
	var all Moments
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
