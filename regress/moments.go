package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// moments are the sums from which the normal equations of any columns and any reading of the labels
// follow.
type moments struct {
	names    []string // of the columns, for errors
	rows     int
	counting int     // rows with a weight above 0
	weight   float64 // of all rows
	gram     *mat.SymDense
	xy       []*mat.VecDense // for each reading
	columns  []spread
	labels   []spread // of each reading
	weights  spread
	samples  samples
	r        *mat.Dense // see reduced
}

// spread summarises values for the checks.
type spread struct {
	rows        int
	first, most float64
	varies      bool
	bad         int64   // number of values that are NaN or too large
	badRow      int64   // row of the first of these
	badValue    float64 // its value
}

func (s *spread) add(v float64, row int64) {
	if s.rows == 0 {
		s.first = v
	}
	s.rows++
	s.varies = s.varies || v != s.first
	s.most = max(s.most, math.Abs(v))
	if !inRange(v) {
		if s.bad++; s.bad == 1 {
			s.badRow, s.badValue = row, v
		}
	}
}

// merge adds the values of later rows.
func (s *spread) merge(o spread) {
	if s.rows == 0 {
		*s = o
		return
	}
	s.varies = s.varies || o.varies || o.rows > 0 && s.first != o.first
	s.rows, s.most = s.rows+o.rows, max(s.most, o.most)
	if s.bad == 0 {
		s.badRow, s.badValue = o.badRow, o.badValue
	}
	s.bad += o.bad
}

// momentsOf reads the rows once.
func momentsOf(ctx context.Context, s samples, names []string, clusters *repeated) (*moments, error) {
	m := &moments{names: names, samples: s}
	return m, s.pass(ctx, func() sink {
		var group moments
		var fingerprints []uint32
		return sink{func(b *block) error {
			group.add(b)
			fingerprints = clusters.appendFingerprints(fingerprints, b)
			return nil
		}, func() {
			m.merge(&group)
			if clusters != nil {
				clusters.fingerprints = append(clusters.fingerprints, fingerprints...)
			}
		}}
	})
}

// size allocates the sums.
func (m *moments) size(columns, readings int) {
	m.gram = mat.NewSymDense(columns, nil)
	m.columns, m.labels = make([]spread, columns), make([]spread, readings)
	for range readings {
		m.xy = append(m.xy, mat.NewVecDense(columns, nil))
	}
}

// gramRows is the number of rows added to the Gram matrix at a time, few enough to stay in the
// second-level cache. With 230 columns this takes a quarter of the time and gives the same bits.
const gramRows = 128

func (m *moments) add(b *block) {
	n, cols := b.x.Dims()
	if m.gram == nil {
		m.size(cols, len(b.y))
	}
	for i := range n {
		row := b.rows[i]
		for j, v := range b.x.RawRowView(i) {
			m.columns[j].add(v, row)
		}
		for k, y := range b.y {
			m.labels[k].add(y[i], row)
		}
		w := weightOf(b.w, i)
		m.weights.add(w, row)
		if w < 0 && m.weights.bad == 0 {
			m.weights.bad, m.weights.badRow, m.weights.badValue = 1, row, w
		}
		m.rows, m.weight = m.rows+1, m.weight+w
		if w > 0 {
			m.counting++
		}
	}
	x, y := weightedRows(b)
	for from := 0; from < n; from += gramRows {
		m.gram.SymRankK(m.gram, 1, x.Slice(from, min(from+gramRows, n), 0, cols).T())
	}
	for k := range y {
		blas64.Gemv(blas.Trans, 1, x.RawMatrix(), blas64.Vector{N: n, Data: y[k], Inc: 1}, 1, m.xy[k].RawVector())
	}
}

// merge adds the sums of later rows.
func (m *moments) merge(o *moments) {
	if o.gram == nil {
		return
	}
	if m.gram == nil {
		m.size(len(o.columns), len(o.labels))
	}
	m.rows, m.counting, m.weight = m.rows+o.rows, m.counting+o.counting, m.weight+o.weight
	m.gram.AddSym(m.gram, o.gram)
	for k := range m.xy {
		m.xy[k].AddVec(m.xy[k], o.xy[k])
		m.labels[k].merge(o.labels[k])
	}
	for j := range m.columns {
		m.columns[j].merge(o.columns[j])
	}
	m.weights.merge(o.weights)
}

// weightedRows multiplies the rows and labels of a block by the root of their weights: their normal
// equations are those of the weighted rows.
func weightedRows(b *block) (*mat.Dense, [][]float64) {
	if b.w == nil {
		return b.x, b.y
	}
	var scaled mat.Dense
	scaled.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(b.w[i]) }, b.x)
	labels := make([][]float64, len(b.y))
	for k, y := range b.y {
		labels[k] = make([]float64, len(y))
		for i := range y {
			labels[k][i] = y[i] * math.Sqrt(b.w[i])
		}
	}
	return &scaled, labels
}

// check returns an error if columns cannot be fitted.
func (m *moments) check(reading int, columns []int) error {
	if m.rows == 0 {
		return errors.New("no rows: expected more rows than features")
	}
	if m.rows <= len(columns) {
		return fmt.Errorf("%d rows for %d features: expected more rows than features", m.rows, len(columns))
	}
	if y := m.labels[reading]; y.bad > 0 {
		return fmt.Errorf("%d of %d labels are not points; the first, %g, is in row %d: expected -%g to %g", y.bad, m.rows, y.badValue, y.badRow, largest, largest)
	} else if !y.varies {
		return fmt.Errorf("every label is %g: expected labels that differ", y.first)
	}
	for _, j := range columns {
		if err := m.columns[j].check(m.names[j]); err != nil {
			return err
		}
	}
	if w := m.weights; w.bad > 0 {
		return fmt.Errorf("the weight is %g in row %d: expected 0 to %g", w.badValue, w.badRow, largest)
	}
	if m.counting <= len(columns) {
		return fmt.Errorf("%d rows with a weight above 0 for %d features: expected more rows than features", m.counting, len(columns))
	}
	return nil
}

// check returns an error if a column cannot be fitted.
func (s spread) check(name string) error {
	switch {
	case s.bad > 0:
		return fmt.Errorf("feature %s is %g in row %d: expected -%g to %g", name, s.badValue, s.badRow, largest, largest)
	case !s.varies:
		return fmt.Errorf("feature %s is %g in every row: expected it to vary; use more rows, or leave it out (--columns)", name, s.first)
	case s.most < smallest:
		return fmt.Errorf("feature %s is below %g in every row: expected larger numbers", name, smallest)
	}
	return nil
}

// normal returns the normal equations of columns and a reading.
func (m *moments) normal(reading int, columns []int) *normal {
	gram, xy := mat.NewSymDense(len(columns), nil), mat.NewVecDense(len(columns), nil)
	for j, a := range columns {
		xy.SetVec(j, m.xy[reading].AtVec(a))
		for i, b := range columns[:j+1] {
			gram.SetSym(i, j, m.gram.At(a, b))
		}
	}
	return scaled(gram, xy)
}

// reduced returns a small matrix with the Gram matrix of the given columns, in twice the precision,
// and its labels: R of a QR decomposition of the rows, with the labels of each reading as further
// columns. The first call reads the rows once more.
func (m *moments) reduced(ctx context.Context, reading int, columns []int) (*mat.Dense, []float64, error) {
	if m.r == nil {
		size := len(m.columns) + len(m.labels)
		total := mat.NewDense(size, size, nil)
		err := m.samples.pass(ctx, func() sink {
			r := mat.NewDense(size, size, nil)
			add := func(b *block) error {
				x, y := weightedRows(b)
				n, cols := x.Dims()
				all := mat.NewDense(n, size, nil)
				all.Slice(0, n, 0, cols).(*mat.Dense).Copy(x)
				for k := range y {
					all.SetCol(cols+k, y[k])
				}
				triangle(r, all)
				return nil
			}
			return sink{add, func() { triangle(total, r) }}
		})
		if err != nil {
			return nil, nil, err
		}
		m.r = total
	}
	return columnsOf(m.r, columns), mat.Col(nil, len(m.columns)+reading, m.r), nil
}

// triangle replaces r by R of the decomposition of itself and further rows.
func triangle(r, rows *mat.Dense) {
	var all mat.Dense
	all.Stack(r, rows)
	var qr mat.QR
	qr.Factorize(&all)
	var full mat.Dense
	qr.RTo(&full)
	n, _ := r.Dims()
	r.Copy(full.Slice(0, n, 0, n))
}

// allColumns returns the indices of all columns.
func allColumns(n int) []int {
	all := make([]int, n)
	for j := range all {
		all[j] = j
	}
	return all
}

// indicesOf returns the indices of names in all.
func indicesOf(all, names []string) []int {
	places := make([]int, len(names))
	for k, name := range names {
		places[k] = slices.Index(all, name)
	}
	return places
}
