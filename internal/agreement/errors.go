package agreement

import "math"

// Errors computes standard errors of a correlation and of a mean absolute error, for rows that
// may depend on each other within a cluster, such as the positions of a game. The zero value is
// empty.
//
// The errors follow from the influence of each cluster: a row with standardised prediction p and
// label y changes Pearson's R by p·y − R·(p²+y²)/2, divided by the number of rows, and the
// influences of a cluster's rows add up (the delta method, with the clusters of Liang and Zeger
// 1986). Errors takes some hundred bytes per cluster, and 24 per row that is its own.
type Errors struct {
	clusters map[uint64]*Sums
	alone    [][3]float64 // prediction, label and weight of independent rows
	all      Sums
}

// Add adds a row of a cluster.
func (e *Errors) Add(cluster uint64, pred, label, weight float64) {
	if e.clusters == nil {
		e.clusters = map[uint64]*Sums{}
	}
	s := e.clusters[cluster]
	if s == nil {
		s = new(Sums)
		e.clusters[cluster] = s
	}
	s.Add(pred, label, weight)
	e.all.Add(pred, label, weight)
}

// AddAlone adds a row that is independent of all others.
func (e *Errors) AddAlone(pred, label, weight float64) {
	e.alone = append(e.alone, [3]float64{pred, label, weight})
	e.all.Add(pred, label, weight)
}

// Clusters returns the number of clusters, including independent rows.
func (e *Errors) Clusters() int { return len(e.clusters) + len(e.alone) }

// Of returns the standard errors of the correlation and of the mean absolute error. They are NaN
// for fewer than two clusters; that of the correlation is also NaN if predictions or labels are
// constant.
func (e *Errors) Of() (r, mae float64) {
	a, groups := e.all, float64(e.Clusters())
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
