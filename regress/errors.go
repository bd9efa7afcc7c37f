package regress

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/features"
	"kroo/internal/agreement"
)

// finish computes statistics, standard errors and t values.
func (m *Model) finish(x *mat.Dense, y []float64, o Options, length []float64, s *solution) {
	pred := m.predict(x)
	m.Stats = statistics(pred, y, o.Weights)
	rows, free := m.rows(o, len(y))
	m.Sigma = m.Stats.RMSE * math.Sqrt(rows/free)
	clusters := clustersOf(o)
	switch {
	case clusters == 0:
		m.Errors = features.Errors{Kind: features.OrdinaryErrors}
		m.ordinaryErrors(o.Weights, length, s, rows)
	case clusters <= len(length):
		m.Errors = features.Errors{Kind: features.NoErrors, Clusters: clusters}
		return
	default:
		m.Errors = features.Errors{Kind: features.ClusteredErrors, Clusters: clusters}
		m.clusteredErrors(x, y, pred, o, length, s)
	}
	m.T = make([]float64, len(length))
	for j := range length {
		switch {
		case m.StdErr[j] > 0:
			m.T[j] = m.Weights[j] / m.StdErr[j]
		case m.Weights[j] != 0: // a perfect fit
			m.T[j] = math.Copysign(math.MaxFloat64, m.Weights[j])
		}
	}
}

// rows are how many of n count, and how many more than weights they are.
func (m *Model) rows(o Options, n int) (count, free float64) {
	count = float64(counting(o.Weights, n))
	return count, count - float64(len(m.Weights))
}

// ordinaryErrors are those of independent rows with errors of one variance, divided by the
// row's weight.
func (m *Model) ordinaryErrors(weights, length []float64, s *solution, rows float64) {
	mean := 1.0 // weight
	if weights != nil {
		mean = floats.Sum(weights) / rows
	}
	for j := range length {
		m.StdErr = append(m.StdErr, m.Sigma*math.Sqrt(mean*s.variance[j])/length[j])
	}
}

// clusteredErrors are those of agreement.Clusters, times √((n−1)/(n−k)) for n rows and k
// weights as is usual: with clusters of one row these are MacKinnon and White's HC1 (1985).
func (m *Model) clusteredErrors(x *mat.Dense, y, pred []float64, o Options, length []float64, s *solution) {
	gradients := agreement.NewClusters(len(length))
	gradient := make([]float64, len(length))
	for i, label := range y {
		weight := weightOf(o.Weights, i)
		if weight == 0 {
			continue // its cluster may have no other row
		}
		for j, v := range x.RawRowView(i) {
			gradient[j] = weight * (label - pred[i]) * v / length[j]
		}
		gradients.Add(o.Clusters[i], gradient...)
	}
	m.StdErr = gradients.Errors(s.inverse)
	rows, free := m.rows(o, len(y))
	for j := range length {
		m.StdErr[j] *= math.Sqrt((rows-1)/free) / length[j]
	}
}

// clustersOf counts the clusters of the rows that count, 0 if each row is one of its own.
func clustersOf(o Options) int {
	all, rows := map[uint64]bool{}, 0
	for i, c := range o.Clusters {
		if weightOf(o.Weights, i) > 0 {
			rows++
			all[c] = true
		}
	}
	if len(all) == rows {
		return 0
	}
	return len(all)
}
