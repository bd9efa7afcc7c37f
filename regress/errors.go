package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/features"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
)

// finish computes statistics, standard errors and t values of models.
func (f *fitter) finish(ctx context.Context, all []*model) error {
	bytes := int64(0)
	for _, m := range all {
		bytes += clusterBytes(len(m.length))
	}
	sums := newFinishSums(all)
	for p := (part{of: f.clusters.parts(bytes)}); p.number < p.of; p.number++ {
		if err := f.samples.pass(ctx, func() sink {
			group := newFinishSums(all)
			add := func(b *block) error {
				single := make([]bool, len(b.c))
				for i, c := range b.c {
					single[i] = f.clusters.alone(c)
				}
				for i, m := range all {
					group[i].add(m, b, single, p)
				}
				return nil
			}
			return sink{add, func() {
				for i, s := range group {
					sums[i].merge(s)
				}
			}}
		}); err != nil {
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

// part is one of several parts of the clusters, whose sums are in memory together.
type part struct{ number, of uint64 }

// finishSum accumulates the results of a model over rows.
type finishSum struct {
	stats    agreement.Sums
	clusters *agreement.Clusters // of the current part
	count    int                 // number of clusters
	squares  []float64           // of the clusters' gradients: see agreement.Clusters
}

func newFinishSums(all []*model) (sums []finishSum) {
	for _, m := range all {
		sums = append(sums, finishSum{clusters: agreement.NewClusters(len(m.length)), squares: make([]float64, len(m.length))})
	}
	return sums
}

// close counts the clusters of a part.
func (s *finishSum) close(m *model) {
	s.count += s.clusters.Len()
	floats.Add(s.squares, s.clusters.Squares(m.inverse))
	s.clusters = agreement.NewClusters(len(m.length))
}

// add adds rows, and the gradients of those in the part to their clusters.
func (s *finishSum) add(m *model, b *block, single []bool, p part) {
	x, y := columnsOf(b.x, m.Columns), b.y[m.reading]
	pred := m.predict(x)
	if p.number == 0 {
		addStatistics(&s.stats, pred, y, b.w)
	}
	k := len(m.length)
	var alone []float64 // gradients of single-row clusters
	gradient := make([]float64, k)
	for i, label := range y {
		weight := weightOf(b.w, i)
		if weight == 0 {
			continue // the cluster may have other rows
		}
		if single[i] && p.number > 0 || !single[i] && p.of > 1 && checksum.Mix(b.c[i])>>32%p.of != p.number {
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
		agreement.AddSquares(s.squares, mat.NewDense(len(alone)/k, k, alone), mat.DenseCopyOf(m.inverse))
	}
}

// merge adds later rows.
func (s *finishSum) merge(o finishSum) {
	s.stats.Merge(o.stats)
	s.clusters.Merge(o.clusters)
	s.count += o.count
	floats.Add(s.squares, o.squares)
}

// finish computes a model's results from the sums over rows.
func (m *model) finish(f *fitter, s *finishSum) {
	m.Stats = s.stats.Doubled()
	rows := float64(f.counting)
	free := rows - float64(len(m.Weights))
	m.Sigma = m.Stats.RMSE * math.Sqrt(rows/free)
	switch {
	case s.count == f.counting:
		m.Errors = features.Errors{Kind: features.OrdinaryErrors}
		// Ordinary errors: independent rows with equal variance, divided by the row's weight.
		mean := f.weight / rows
		for j, length := range m.length {
			m.StdErr = append(m.StdErr, m.Sigma*math.Sqrt(mean*m.variance[j])/length)
		}
	case s.count <= len(m.length):
		m.Errors = features.Errors{Kind: features.NoErrors, Clusters: s.count}
		return
	default:
		// As in agreement.Clusters, times √((n−1)/(n−k)) for n rows and k weights, the usual
		// correction: with clusters of one row this is MacKinnon and White's HC1 (1985).
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

// clusterMemory limits the memory of cluster sums, in bytes. Tests lower it.
var clusterMemory int64 = 24 << 20

// clusterBytes is the memory of one cluster's sums.
func clusterBytes(columns int) int64 { return int64(8*columns + 64) }

// repeated finds the clusters of several rows if the sums of all clusters would take too much
// memory: a cluster of one row needs no sum. It compares 32 bits of a hash, so a few single-row
// clusters are misclassified, which is harmless.
type repeated struct {
	fingerprints []uint32 // of the rows while reading; then of clusters of several rows, ascending
	begin        []uint32 // index of the first print with the same leading bits
}

// fingerprintShift is the number of bits of a print that begin does not index.
const fingerprintShift = 16

// newRepeated returns nil if the sums of all clusters fit into memory. rows is the largest possible
// number of rows.
func newRepeated(rows int64, columns int) *repeated {
	if rows*clusterBytes(columns) <= clusterMemory {
		return nil
	}
	return &repeated{fingerprints: make([]uint32, 0, rows)}
}

func fingerprint(cluster uint64) uint32 { return uint32(checksum.Mix(cluster)) }

// close is called after the fingerprints of all rows have been added.
func (r *repeated) close() {
	if r == nil {
		return
	}
	slices.Sort(r.fingerprints)
	var several []uint32
	for i, p := range r.fingerprints {
		if i > 0 && p == r.fingerprints[i-1] && (len(several) == 0 || several[len(several)-1] != p) {
			several = append(several, p)
		}
	}
	r.fingerprints, r.begin = several, make([]uint32, 1<<(32-fingerprintShift)+1)
	for _, p := range several {
		r.begin[p>>fingerprintShift+1]++
	}
	for i := range r.begin[1:] {
		r.begin[i+1] += r.begin[i]
	}
}

// alone reports whether a cluster certainly has only one row.
func (r *repeated) alone(cluster uint64) bool {
	if r == nil {
		return false
	}
	p := fingerprint(cluster)
	_, there := slices.BinarySearch(r.fingerprints[r.begin[p>>fingerprintShift]:r.begin[p>>fingerprintShift+1]], p)
	return !there
}

// parts returns the number of parts into which the clusters of several rows must be divided so that
// the sums of each fit into memory.
func (r *repeated) parts(bytes int64) uint64 {
	if r == nil {
		return 1
	}
	return uint64(1 + int64(len(r.fingerprints))*bytes/clusterMemory)
}

// appendFingerprints appends the fingerprints of the rows with a weight above 0.
func (r *repeated) appendFingerprints(fingerprints []uint32, b *block) []uint32 {
	for i, c := range b.c {
		if r != nil && weightOf(b.w, i) > 0 {
			fingerprints = append(fingerprints, fingerprint(c))
		}
	}
	return fingerprints
}

// evaluate measures models on other rows with the same columns. It returns nil if there are no
// rows.
func evaluate(ctx context.Context, models []*model, s samples) ([]agreement.Doubled, error) {
	total := make([]agreement.Sums, len(models))
	err := s.pass(ctx, func() sink {
		group := make([]agreement.Sums, len(models))
		add := func(b *block) error {
			for i, label := range b.y[0] {
				if row := b.x.RawRowView(i); !inRange(label) || !(floats.Norm(row, math.Inf(1)) <= largest) {
					return fmt.Errorf("cannot evaluate: label %g, features %v in row %d: expected -%g to %g", label, row, b.rows[i], largest, largest)
				}
			}
			for i, m := range models {
				addStatistics(&group[i], m.predict(columnsOf(b.x, m.Columns)), b.y[m.reading], b.w)
			}
			return nil
		}
		return sink{add, func() {
			for i, s := range group {
				total[i].Merge(s)
			}
		}}
	})
	var all []agreement.Doubled
	for _, s := range total {
		if d := s.Doubled(); d.Rows > 0 {
			all = append(all, d)
		}
	}
	return all, err
}

// addStatistics adds predictions over doubled rows.
func addStatistics(s *agreement.Sums, pred, y, weights []float64) {
	for i, p := range pred {
		s.Add(p, y[i], weightOf(weights, i))
	}
}
