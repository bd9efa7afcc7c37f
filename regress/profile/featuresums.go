package profile

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/games"
	"kroo/regress"
)

// featureSums are sums over the rows of a dataset of the features' differences and the label.
type featureSums struct {
	names []string
	plain int         // the first names, whose differences are whole numbers within ±255
	bands []*products // of the differences followed by the label, by part of the game
	parts bands
	cells []cell // of each plain feature, by difference
}

// cell is the rows with a given value of a difference.
type cell struct {
	rows   int
	labels float64 // sum
}

// widest is the largest difference of two counts.
const widest = 255

// cellOf returns the index of the cell of a feature and a difference.
func cellOf(feature int, difference float64) int {
	return feature*(2*widest+1) + int(difference) + widest
}

func newFeatureSums(names []string, plain, maxPhase int) *featureSums {
	parts := bandsOf(maxPhase)
	return &featureSums{names: names, plain: plain, parts: parts, bands: make([]*products, parts.n), cells: make([]cell, plain*(2*widest+1))}
}

// bands divide the phases of a game into parts.
type bands struct{ n, width, last int }

// mostBands is the greatest number of parts.
const mostBands = 6

func bandsOf(maxPhase int) bands {
	width := (maxPhase + mostBands - 1) / mostBands
	return bands{(maxPhase + width - 1) / width, width, maxPhase}
}

// of returns the part of a phase. Phase 0 belongs to the first.
func (b bands) of(phase int) int { return max(0, phase-1) / b.width }

// ends returns the first and last phase of a part.
func (b bands) ends(i int) (first, last int) {
	if i > 0 {
		first = i*b.width + 1
	}
	return first, min((i+1)*b.width, b.last)
}

// addFeatures adds the rows of a table.
func addFeatures[P games.Position[P]](f *featureSums, t *table[P]) {
	differences, labels, phase := t.differences(f.names), t.labels(), t.field("phase").values
	row := make([]float64, len(f.names)+1)
	for i, y := range labels {
		for j, x := range differences {
			row[j] = x[i]
			if j < f.plain {
				c := &f.cells[cellOf(j, x[i])]
				c.rows++
				c.labels += y
			}
		}
		row[len(differences)] = y
		f.band(f.parts.of(int(phase[i])), row).add(row)
	}
}

// band returns the sums of a part of the game. All use the first row as their origin.
func (f *featureSums) band(i int, row []float64) *products {
	if f.bands[i] == nil {
		origin := append([]float64{}, row...)
		for _, b := range f.bands {
			if b != nil {
				origin = b.origin
			}
		}
		f.bands[i] = newProducts(origin)
	}
	return f.bands[i]
}

// total returns the sums over all rows, nil without rows.
func (f *featureSums) total() *products {
	var all *products
	for _, b := range f.bands {
		if b == nil {
			continue
		}
		if all == nil {
			all = newProducts(b.origin)
		}
		all.merge(b)
	}
	return all
}

// columns returns the columns of a dataset that a fit needs.
func (f *featureSums) columns(m datasets.Meta) []string {
	all := []string{"game", "label"}
	for _, name := range f.names[:f.plain] {
		all = append(all, "own_"+datasets.ColumnName(name), "opp_"+datasets.ColumnName(name))
	}
	return append(all, m.Fitted()...)
}

// differences returns the differences of each feature in all rows.
func (t *table[P]) differences(names []string) (all [][]float64) {
	for _, name := range names {
		all = append(all, t.difference(name))
	}
	return all
}

// gram accumulates the Gram matrix of rows.
type gram struct {
	block  *mat.Dense // rows not yet added to the sum
	filled int
	sum    *mat.SymDense
}

// gramRows is the number of rows multiplied at a time.
const gramRows = 128

func newGram(columns int) *gram {
	return &gram{block: mat.NewDense(gramRows, columns, nil), sum: mat.NewSymDense(columns, nil)}
}

func (g *gram) add(row []float64) {
	copy(g.block.RawRowView(g.filled), row)
	if g.filled++; g.filled == gramRows {
		g.total()
	}
}

// total returns the Gram matrix of all rows so far.
func (g *gram) total() *mat.SymDense {
	if _, columns := g.block.Dims(); g.filled > 0 {
		g.sum.SymRankK(g.sum, 1, g.block.Slice(0, g.filled, 0, columns).T())
		g.filled = 0
	}
	return g.sum
}

// products are sums over rows of values and of their pairwise products, relative to an origin, so
// that large values with small differences keep their precision.
type products struct {
	origin []float64
	rows   int
	sum    []float64
	square *gram
}

func newProducts(origin []float64) *products {
	return &products{origin: origin, sum: make([]float64, len(origin)), square: newGram(len(origin))}
}

// add adds a row. It overwrites the row.
func (p *products) add(row []float64) {
	p.rows++
	for j := range row {
		row[j] -= p.origin[j]
		p.sum[j] += row[j]
	}
	p.square.add(row)
}

// merge adds products with the same origin.
func (p *products) merge(o *products) {
	p.rows += o.rows
	for j, v := range o.sum {
		p.sum[j] += v
	}
	p.square.total().AddSym(p.square.sum, o.square.total())
}

// mean returns the mean of value j.
func (p *products) mean(j int) float64 { return p.origin[j] + p.sum[j]/float64(p.rows) }

// rounding is the share of a sum of squares below which a remainder counts as rounding error.
const rounding = 1e-12

// about returns the sum of products of two values about their means, 0 if either is constant.
func (p *products) about(i, j int) float64 {
	s := p.square.total().At(i, j)
	v := s - p.sum[i]*p.sum[j]/float64(p.rows)
	if i == j && v <= rounding*s {
		return 0
	}
	return v
}

// sd returns the standard deviation of value j.
func (p *products) sd(j int) float64 { return math.Sqrt(p.about(j, j) / float64(p.rows)) }

// correlation returns Pearson's correlation, 0 if either value is constant.
func (p *products) correlation(i, j int) float64 {
	a, b := p.about(i, i), p.about(j, j)
	if a == 0 || b == 0 {
		return 0
	}
	return max(-1, min(1, p.about(i, j)/math.Sqrt(a)/math.Sqrt(b)))
}

// raw returns the sum of products of two values, not relative to the origin.
func (p *products) raw(i, j int) float64 {
	a, b := p.origin[i], p.origin[j]
	return p.square.total().At(i, j) + a*p.sum[j] + b*p.sum[i] + float64(p.rows)*a*b
}

// varying returns the values, except the last, that are not constant.
func (p *products) varying() (all []int) {
	for j := range len(p.origin) - 1 {
		if p.about(j, j) > 0 {
			all = append(all, j)
		}
	}
	return all
}

// solve fits the last value to others, given the products of pairs.
func (p *products) solve(columns []int, product func(i, j int) float64) (*regress.Solved, error) {
	y := len(p.origin) - 1
	g, xy := mat.NewSymDense(len(columns), nil), make([]float64, len(columns))
	for k, j := range columns {
		xy[k] = product(j, y)
		for i := range k + 1 {
			g.SetSym(i, k, product(columns[i], j))
		}
	}
	return regress.Solve(g, xy)
}

// partial returns the partial correlations of values with the last one, given all others. From the
// weight b of a fit with an intercept it is b/√(b² + v·r), where v is from the diagonal of the
// inverse Gram matrix and r is the residual sum of squares. Aliased values are absent.
func (p *products) partial() (map[int]float64, error) {
	columns, y := p.varying(), len(p.origin)-1
	if len(columns) == 0 || p.about(y, y) == 0 || p.rows <= len(columns)+1 {
		return nil, nil
	}
	fit, err := p.solve(columns, p.about)
	if err != nil {
		return nil, err
	}
	left := p.about(y, y)
	for k, c := range fit.Columns {
		left -= fit.Weights[k] * p.about(columns[c], y)
	}
	all := map[int]float64{}
	for k, c := range fit.Columns {
		b := fit.Weights[k]
		if of := math.Sqrt(b*b + fit.Inverse.At(k, k)*max(0, left)); of > 0 {
			all[columns[c]] = b / of
		}
	}
	return all, nil
}
