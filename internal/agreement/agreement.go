// Package agreement computes how well predictions agree with labels: correlation, errors and
// their standard errors. Add rows to a [Sums], and get [Stats] or [Doubled] from it.
package agreement

import (
	"math"

	"gonum.org/v1/gonum/mat"
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

// Significant is the number of standard errors from which a difference is more than noise, and the half-width of a
// 95 % interval: chance alone exceeds it in one of twenty comparisons. It is not corrected for their number.
const Significant = 1.96

// noise is the relative rounding error; smaller variances count as 0.
const noise = 1e-12

// Sums accumulates rows. The zero value is empty.
type Sums struct {
	rows                        int
	n, p, y, pp, yy, py, ae, ee float64
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
	if vp, vy := s.pp-s.p*s.p/s.n, s.yy-s.y*s.y/s.n; vp > noise*s.pp && vy > noise*s.yy {
		t.R = max(-1, min(1, (s.py-s.p*s.y/s.n)/math.Sqrt(vp)/math.Sqrt(vy)))
	}
	return t
}

// Bias returns the mean of label minus prediction, 0 without rows.
func (s *Sums) Bias() float64 {
	if s.n == 0 {
		return 0
	}
	return (s.y - s.p) / s.n
}

// CountBothSides returns the statistics with every row counted from both sides, all zero if the rows'
// total weight is zero.
func (s *Sums) CountBothSides() Doubled {
	d := Doubled{Rows: s.rows}
	if s.n == 0 {
		return d
	}
	d.MAE = s.ae / s.n
	d.RMSE = math.Sqrt(s.ee / s.n)
	if s.yy > 0 {
		d.R2 = 1 - s.ee/s.yy
	}
	if s.pp > 0 && s.yy > 0 {
		d.R = max(-1, min(1, s.py/math.Sqrt(s.pp)/math.Sqrt(s.yy)))
	}
	return d
}

// Clusters sums the gradients of rows by cluster. Rows of one cluster, such as the positions of
// a game, may depend on each other in any way; clusters are independent.
type Clusters struct {
	at    map[uint64]int // row of sums for each cluster
	names []uint64       // cluster of each row of sums
	size  int
	sums  []float64
}

// NewClusters returns an empty Clusters for gradients of the given size.
func NewClusters(size int) *Clusters { return &Clusters{at: map[uint64]int{}, size: size} }

// Add adds the gradient of a row.
func (c *Clusters) Add(cluster uint64, gradient ...float64) {
	row, known := c.at[cluster]
	if !known {
		row = len(c.at)
		c.at[cluster] = row
		c.names = append(c.names, cluster)
		c.sums = append(c.sums, make([]float64, c.size)...)
	}
	sum := c.sums[row*c.size:]
	for i, g := range gradient {
		sum[i] += g
	}
}

// Merge adds the rows of o. New clusters follow those of c.
func (c *Clusters) Merge(o *Clusters) {
	for i, cluster := range o.names {
		c.Add(cluster, o.sums[i*o.size:(i+1)*o.size]...)
	}
}

// Total returns the sum of all gradients.
func (c *Clusters) Total() []float64 {
	total := make([]float64, c.size)
	for i, v := range c.sums {
		total[i%c.size] += v
	}
	return total
}

// Len returns the number of clusters.
func (c *Clusters) Len() int { return len(c.names) }

// clusterBlock is the number of clusters multiplied at a time.
const clusterBlock = 4096

// Squares returns the diagonal of H⁻¹·(Σ gg')·H⁻¹, summed over the clusters, given the inverse
// of H, the second derivatives of the loss.
func (c *Clusters) Squares(inverse mat.Matrix) []float64 {
	squares := make([]float64, c.size)
	for from := 0; from < len(c.names); from += clusterBlock {
		to := min(from+clusterBlock, len(c.names))
		AddSquares(squares, mat.NewDense(to-from, c.size, c.sums[from*c.size:to*c.size]), inverse)
	}
	return squares
}

// AddSquares adds the contribution of clusters to Squares; each row of gradients is a cluster.
func AddSquares(squares []float64, gradients, inverse mat.Matrix) {
	var block mat.Dense
	block.Mul(gradients, inverse)
	n, _ := block.Dims()
	for i := range n {
		for j, v := range block.RawRowView(i) {
			squares[j] += v * v
		}
	}
}

// Errors returns standard errors that allow for any dependence within a cluster: [ErrorsOf] of
// Squares.
func (c *Clusters) Errors(inverse mat.Matrix) []float64 {
	return ErrorsOf(c.Squares(inverse), len(c.names))
}

// ErrorsOf returns the square roots of squares·n/(n−1), where n is the number of clusters (Liang
// and Zeger 1986). The errors are NaN for fewer than two clusters.
func ErrorsOf(squares []float64, n int) []float64 {
	errs := make([]float64, len(squares))
	for j, v := range squares {
		errs[j] = math.Sqrt(v * float64(n) / float64(n-1))
	}
	return errs
}

// Errors computes standard errors of a correlation and of a mean absolute error, for rows that
// may depend on each other within a cluster, such as the positions of a game. The zero value is
// empty.
//
// The errors follow from the influence of each cluster: a row with standardised prediction p and
// label y changes Pearson's R by p·y − R·(p²+y²)/2, divided by the number of rows, and the
// influences of a cluster's rows add up (the delta method, with the clusters of Liang and Zeger
// 1986). Errors takes some hundred bytes per cluster, and 24 per row that is its own.
type Errors struct {
	Sums                    // of all rows
	at       map[uint64]int // index of each cluster in clusters
	clusters []*Sums        // in the order of their first rows
	alone    [][3]float64   // prediction, label and weight of independent rows
}

// Add adds a row of a cluster.
func (e *Errors) Add(cluster uint64, pred, label, weight float64) {
	if e.at == nil {
		e.at = map[uint64]int{}
	}
	i, known := e.at[cluster]
	if !known {
		i = len(e.clusters)
		e.at[cluster] = i
		e.clusters = append(e.clusters, new(Sums))
	}
	e.clusters[i].Add(pred, label, weight)
	e.Sums.Add(pred, label, weight)
}

// AddAlone adds a row that is independent of all others.
func (e *Errors) AddAlone(pred, label, weight float64) {
	e.alone = append(e.alone, [3]float64{pred, label, weight})
	e.Sums.Add(pred, label, weight)
}

// Clusters returns the number of clusters, including independent rows.
func (e *Errors) Clusters() int { return len(e.clusters) + len(e.alone) }

// Of returns the standard errors of the correlation and of the mean absolute error. They are NaN
// for fewer than two clusters; that of the correlation is also NaN if predictions or labels are
// constant.
func (e *Errors) Of() (r, mae float64) {
	a, groups := e.Sums, float64(e.Clusters())
	if groups < 2 || a.n == 0 {
		return math.NaN(), math.NaN()
	}
	mp, my := a.p/a.n, a.y/a.n
	vp, vy := a.pp/a.n-mp*mp, a.yy/a.n-my*my
	sp, sy := math.Sqrt(vp), math.Sqrt(vy)
	rho := (a.py/a.n - mp*my) / sp / sy
	meanError := a.ae / a.n
	var squares, errors float64
	add := func(s *Sums) {
		pp := (s.pp - 2*mp*s.p + s.n*mp*mp) / vp
		yy := (s.yy - 2*my*s.y + s.n*my*my) / vy
		py := (s.py - mp*s.y - my*s.p + s.n*mp*my) / sp / sy
		influence := py - rho*(pp+yy)/2
		squares += influence * influence
		off := s.ae - s.n*meanError
		errors += off * off
	}
	for _, s := range e.clusters {
		add(s)
	}
	for _, row := range e.alone {
		var s Sums
		s.Add(row[0], row[1], row[2])
		add(&s)
	}
	scale := math.Sqrt(groups/(groups-1)) / a.n
	return math.Sqrt(squares) * scale, math.Sqrt(errors) * scale
}
