// Package agreement computes how well predictions agree with labels: correlation, errors and
// their standard errors. Add rows to a [Sums], and get [Stats] or [Doubled] from it.
package agreement

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Stats are statistics of predictions and labels, both in points from the view of the side to
// move, over rows that each count with their weight.
type Stats struct {
	Rows int     `json:"n"`
	R    float64 `json:"r"`    // Pearson's correlation; 0 if predictions or labels are constant
	MAE  float64 `json:"mae"`  // mean absolute error, points
	RMSE float64 `json:"rmse"` // root of the mean squared error, points
}

// Doubled are the same statistics with every row counted from both sides: once as it is and once
// with prediction and label negated. The errors are the same, and both means are zero, so the
// correlation is about zero.
type Doubled struct {
	Rows int     `json:"rows"` // before doubling
	R    float64 `json:"r"`    // 0 if all predictions or all labels are 0
	R2   float64 `json:"r2"`   // share of the labels' variance explained
	MAE  float64 `json:"mae"`  // mean absolute error, points
	RMSE float64 `json:"rmse"` // root of the mean squared error, points
}

// noise is the relative rounding error; smaller variances count as 0.
const noise = 1e-12

// Sums accumulates rows. The zero value is empty.
type Sums struct {
	rows                        int
	n, p, y, pp, yy, py, ae, ee float64
	worst                       float64
}

// Add adds a row: prediction and label in points, and weight.
func (s *Sums) Add(pred, label, weight float64) {
	e := math.Abs(pred - label)
	s.rows++
	s.n += weight
	s.p += weight * pred
	s.y += weight * label
	s.pp += weight * pred * pred
	s.yy += weight * label * label
	s.py += weight * pred * label
	s.ae += weight * e
	s.ee += weight * e * e
	s.worst = max(s.worst, e)
}

// Merge adds the rows of o.
func (s *Sums) Merge(o Sums) {
	s.rows += o.rows
	s.n += o.n
	s.p += o.p
	s.y += o.y
	s.pp += o.pp
	s.yy += o.yy
	s.py += o.py
	s.ae += o.ae
	s.ee += o.ee
	s.worst = max(s.worst, o.worst)
}

// Correlation returns Pearson's correlation, 0 if x or y is constant.
func Correlation(x, y []float64) float64 {
	if r := stat.Correlation(x, y, nil); !math.IsNaN(r) {
		return r
	}
	return 0
}

// Weight returns the sum of the weights of all rows.
func (s *Sums) Weight() float64 { return s.n }

// Stats returns the statistics of the rows, all zero if their total weight is zero.
func (s *Sums) Stats() Stats {
	t := Stats{Rows: s.rows}
	if s.n == 0 {
		return t
	}
	t.MAE = s.ae / s.n
	t.RMSE = math.Sqrt(max(0, s.pp-2*s.py+s.yy) / s.n)
	t.R, _ = s.R()
	return t
}

// R returns the correlation; 0 and false if predictions or labels are constant.
func (s *Sums) R() (r float64, varies bool) {
	vp, vy := s.pp-s.p*s.p/s.n, s.yy-s.y*s.y/s.n
	if !(vp > noise*s.pp && vy > noise*s.yy) {
		return 0, false
	}
	return max(-1, min(1, (s.py-s.p*s.y/s.n)/math.Sqrt(vp)/math.Sqrt(vy))), true
}

// Bias returns the mean of label minus prediction, 0 without rows.
func (s *Sums) Bias() float64 {
	if s.n == 0 {
		return 0
	}
	return (s.y - s.p) / s.n
}

// Deviation returns the standard deviation of label minus prediction about the bias. All weights
// must be 1. It is NaN for fewer than two rows.
func (s *Sums) Deviation() float64 {
	if s.n < 2 {
		return math.NaN()
	}
	squares := s.ee - s.n*s.Bias()*s.Bias()
	if squares <= noise*s.ee {
		return 0
	}
	return math.Sqrt(squares / (s.n - 1))
}

// Worst returns the largest error.
func (s *Sums) Worst() float64 { return s.worst }

// Doubled returns the statistics with every row counted from both sides.
func (s *Sums) Doubled() Doubled {
	d := Doubled{Rows: s.rows, MAE: s.ae / s.n, RMSE: math.Sqrt(s.ee / s.n)}
	if s.yy > 0 {
		d.R2 = 1 - s.ee/s.yy
	}
	if s.pp > 0 && s.yy > 0 {
		d.R = max(-1, min(1, s.py/math.Sqrt(s.pp)/math.Sqrt(s.yy)))
	}
	return d
}
