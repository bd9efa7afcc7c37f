package agreement

import "math"

// Errors computes standard errors of a correlation and of a mean absolute error, for rows that
// may depend on each other within a cluster, such as the positions of a game. The zero value is
// empty.
//
// The errors follow from the influence of each cluster: a row with standardised prediction p and
// label y changes Pearson's R by p·y − R·(p²+y²)/2, divided by the number of rows, and the
// influences of a cluster's rows add up (the delta method, with the clusters of Liang and Zeger
// 1986). Errors takes a few numbers of memory per cluster, and none for rows that are clusters
// of their own.
type Errors struct {
	clusters map[uint64]*Sums
	alone    int
	// For independent rows: sums of weight² · p^i · y^j for i+j ≤ 4, of weight² · |error| and of
	// weight² · error².
	powers        [5][5]float64
	error, square float64
	all           Sums
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
	e.alone++
	e.all.Add(pred, label, weight)
	px := weight * weight
	for i := range e.powers {
		v := px
		for j := 0; i+j < len(e.powers); j++ {
			e.powers[i][j] += v
			v *= label
		}
		px *= pred
	}
	e.error += weight * weight * math.Abs(pred-label)
	e.square += weight * weight * (pred - label) * (pred - label)
}

// Clusters returns the number of clusters, including independent rows.
func (e *Errors) Clusters() int { return len(e.clusters) + e.alone }

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
	for _, s := range e.clusters {
		pp := (s.pp - 2*mp*s.p + s.n*mp*mp) / vp
		yy := (s.yy - 2*my*s.y + s.n*my*my) / vy
		py := (s.py - mp*s.y - my*s.p + s.n*mp*my) / sp / sy
		influence := py - rho*(pp+yy)/2
		squares += influence * influence
		off := s.ae - s.n*meanError
		errors += off * off
	}
	squares += e.aloneSquares(mp, my, sp, sy, rho)
	errors += e.square - 2*meanError*e.error + meanError*meanError*e.powers[0][0]
	scale := math.Sqrt(groups/(groups-1)) / a.n
	return math.Sqrt(max(0, squares)) * scale, math.Sqrt(max(0, errors)) * scale
}

// aloneSquares returns the sum of squared influences of the independent rows. The influence is a
// polynomial of prediction and label, so the sums of powers suffice.
func (e *Errors) aloneSquares(mp, my, sp, sy, rho float64) (sum float64) {
	var c [3][3]float64 // coefficients of p^i · y^j
	term := func(scale float64, p, y [3]float64) {
		for i := range c {
			for j := range c {
				c[i][j] += scale * p[i] * y[j]
			}
		}
	}
	one := [3]float64{1}
	term(1/sp/sy, [3]float64{-mp, 1}, [3]float64{-my, 1})
	term(-rho/2/sp/sp, [3]float64{mp * mp, -2 * mp, 1}, one)
	term(-rho/2/sy/sy, one, [3]float64{my * my, -2 * my, 1})
	for i := range c {
		for j := range c {
			for k := range c {
				for l := range c {
					if i+j <= 2 && k+l <= 2 {
						sum += c[i][j] * c[k][l] * e.powers[i+k][j+l]
					}
				}
			}
		}
	}
	return sum
}
