package regress

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"kroo/features"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
)

// finish computes statistics, standard errors and t values of models.
func (f *fitter) finish(ctx context.Context, all []*fitting) error {
	sums := make([]finishSum, len(all))
	bytes := int64(0)
	for i, m := range all {
		sums[i].squares = make([]float64, len(m.length))
		bytes += clusterBytes(len(m.length))
	}
	parts := f.clusters.parts(bytes)
	for part := range parts {
		for i, m := range all {
			sums[i].clusters = agreement.NewClusters(len(m.length))
		}
		if err := f.samples.pass(ctx, func() tally { return &finishTally{f: f, all: all, to: sums, parts: parts, part: part} }); err != nil {
			return err
		}
		for i, m := range all {
			sums[i].close(m)
		}
	}
	for i, m := range all {
		m.finish(f, &sums[i])
	}
	return nil
}

// finishSum is what the rows of a model come to.
type finishSum struct {
	stats    agreement.Sums
	clusters *agreement.Clusters // of the part that is being read
	count    int                 // of clusters
	squares  []float64           // of gradients of clusters: see agreement.Clusters
}

// close counts the clusters of a part.
func (s *finishSum) close(m *fitting) {
	s.count += s.clusters.Len()
	for j, v := range s.clusters.Squares(m.s.inverse) {
		s.squares[j] += v
	}
	s.clusters = nil
}

// finishTally adds up the rows of a group.
type finishTally struct {
	f           *fitter
	all         []*fitting
	to          []finishSum
	sums        []finishSum
	parts, part uint64 // of the clusters that are summed
}

func (t *finishTally) add(b *block) error {
	if t.sums == nil {
		t.sums = make([]finishSum, len(t.all))
		for i, m := range t.all {
			t.sums[i] = finishSum{clusters: agreement.NewClusters(len(m.length)), squares: make([]float64, len(m.length))}
		}
	}
	single := make([]bool, len(b.c))
	for i, c := range b.c {
		single[i] = t.f.clusters.alone(c)
	}
	for i, m := range t.all {
		x := columnsOf(b.x, m.Columns)
		pred := m.predict(x)
		if t.part == 0 {
			addStatistics(&t.sums[i].stats, pred, b.y[m.reading], b.w)
		}
		if b.c != nil {
			t.gradients(&t.sums[i], m, x, pred, b, single)
		}
	}
	return nil
}

// gradients adds the gradients of rows to those of their clusters.
func (t *finishTally) gradients(s *finishSum, m *fitting, x *mat.Dense, pred []float64, b *block, single []bool) {
	k := len(m.length)
	var alone []float64 // of clusters of one row
	gradient := make([]float64, k)
	for i, label := range b.y[m.reading] {
		weight := weightOf(b.w, i)
		if weight == 0 {
			continue // its cluster may have no other row
		}
		if single[i] && t.part > 0 || !single[i] && t.parts > 1 && checksum.Mix(b.c[i])>>32%t.parts != t.part {
			continue
		}
		for j, v := range x.RawRowView(i) {
			gradient[j] = weight * (label - pred[i]) * v / m.length[j]
		}
		if single[i] {
			alone = append(alone, gradient...)
		} else {
			s.clusters.Add(b.c[i], gradient...)
		}
	}
	if alone != nil {
		s.count += len(alone) / k
		agreement.AddSquares(s.squares, mat.NewDense(len(alone)/k, k, alone), mat.DenseCopyOf(m.s.inverse))
	}
}

func (t *finishTally) end() error {
	for i, s := range t.sums {
		to := &t.to[i]
		to.stats.Merge(s.stats)
		to.clusters.Merge(s.clusters)
		to.count += s.count
		for j, v := range s.squares {
			to.squares[j] += v
		}
	}
	return nil
}

// finish computes what the rows of a model come to.
func (m *fitting) finish(f *fitter, s *finishSum) {
	m.Stats = s.stats.Doubled()
	rows := float64(f.counting)
	free := rows - float64(len(m.Weights))
	m.Sigma = m.Stats.RMSE * math.Sqrt(rows/free)
	switch {
	case s.count == 0 || s.count == f.counting:
		m.Errors = features.Errors{Kind: features.OrdinaryErrors}
		// Those of independent rows with errors of one variance, divided by the row's weight.
		mean := f.weight / rows
		for j, length := range m.length {
			m.StdErr = append(m.StdErr, m.Sigma*math.Sqrt(mean*m.s.variance[j])/length)
		}
	case s.count <= len(m.length):
		m.Errors = features.Errors{Kind: features.NoErrors, Clusters: s.count}
		return
	default:
		// Those of agreement.Clusters, times √((n−1)/(n−k)) for n rows and k weights as is usual: with
		// clusters of one row these are MacKinnon and White's HC1 (1985).
		m.Errors = features.Errors{Kind: features.ClusteredErrors, Clusters: s.count}
		m.StdErr = agreement.ErrorsOf(s.squares, s.count)
		for j, length := range m.length {
			m.StdErr[j] *= math.Sqrt((rows-1)/free) / length
		}
	}
	m.T = make([]float64, len(m.length))
	for j := range m.length {
		switch {
		case m.StdErr[j] > 0:
			m.T[j] = m.Weights[j] / m.StdErr[j]
		case m.Weights[j] != 0: // a perfect fit
			m.T[j] = math.Copysign(math.MaxFloat64, m.Weights[j])
		}
	}
}
