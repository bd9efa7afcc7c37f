package profile

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/games"
	"kroo/regress"
)

// featureSums add up the differences of features, and the label, over the rows of a dataset.
type featureSums struct {
	names []string
	plain int         // of the names, those that count: their differences are whole and within ±255
	bands []*products // of the differences and then the label, by the part of the game
	parts bands
	cells []cell // of each plain feature, by difference
}

// cell is the rows in which a difference has a value.
type cell struct {
	rows   int
	labels float64 // sum
}

// widest is the largest difference of two counts.
const widest = 255

// cellOf is where the cell of a feature and a difference is.
func cellOf(feature int, difference float64) int {
	return feature*(2*widest+1) + int(difference) + widest
}

func newFeatureSums(names []string, plain, maxPhase int) *featureSums {
	parts := bandsOf(maxPhase)
	return &featureSums{names: names, plain: plain, parts: parts, bands: make([]*products, parts.n), cells: make([]cell, plain*(2*widest+1))}
}

// bands divide the phases of a game.
type bands struct{ n, width, last int }

// mostBands is into how many parts the phases are divided at most.
const mostBands = 6

func bandsOf(maxPhase int) bands {
	width := (maxPhase + mostBands - 1) / mostBands
	return bands{(maxPhase + width - 1) / width, width, maxPhase}
}

// of is the part that a phase is in: phase 0 is in the first.
func (b bands) of(phase int) int { return max(0, phase-1) / b.width }

// ends are the first and last phase of a part.
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

// band is the sums of a part of the game, all with the first row as their origin.
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

// total is the sums over all rows, nil without any.
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

// columns are those of a dataset that a fit needs.
func (f *featureSums) columns(m datasets.Meta) []string {
	all := []string{"game", "label"}
	for _, name := range f.names[:f.plain] {
		all = append(all, "own_"+datasets.ColumnName(name), "opp_"+datasets.ColumnName(name))
	}
	return append(all, m.Fitted()...)
}

// differences are those of features, each for every row.
func (t *table[P]) differences(names []string) (all [][]float64) {
	for _, name := range names {
		all = append(all, t.difference(name))
	}
	return all
}

// gram adds up the products of the numbers of rows with each other.
type gram struct {
	block  *mat.Dense // of rows that are not in the sum yet
	filled int
	sum    *mat.SymDense
}

// gramRows is how many rows are multiplied at a time.
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

// total is the sum of all rows so far.
func (g *gram) total() *mat.SymDense {
	if _, columns := g.block.Dims(); g.filled > 0 {
		g.sum.SymRankK(g.sum, 1, g.block.Slice(0, g.filled, 0, columns).T())
		g.filled = 0
	}
	return g.sum
}

// products are sums over rows of numbers: of each and of the products of two, as they are less
// those of an origin, so that large numbers which hardly differ lose no digits.
type products struct {
	origin []float64
	rows   int
	sum    []float64
	square *gram
}

func newProducts(origin []float64) *products {
	return &products{origin: origin, sum: make([]float64, len(origin)), square: newGram(len(origin))}
}

// add adds a row, and changes it.
func (p *products) add(row []float64) {
	p.rows++
	for j := range row {
		row[j] -= p.origin[j]
		p.sum[j] += row[j]
	}
	p.square.add(row)
}

// merge adds the rows of other products of the same origin.
func (p *products) merge(o *products) {
	p.rows += o.rows
	for j, v := range o.sum {
		p.sum[j] += v
	}
	p.square.total().AddSym(p.square.sum, o.square.total())
}

// mean is that of the j-th number.
func (p *products) mean(j int) float64 { return p.origin[j] + p.sum[j]/float64(p.rows) }

// rounding is the share of a sum of squares below which what is left of it is rounding.
const rounding = 1e-12

// about is the sum of the products of two numbers about their means; of one that is the same in
// all rows it is 0.
func (p *products) about(i, j int) float64 {
	s := p.square.total().At(i, j)
	v := s - p.sum[i]*p.sum[j]/float64(p.rows)
	if i == j && v <= rounding*s {
		return 0
	}
	return v
}

// sd is the standard deviation of the j-th number.
func (p *products) sd(j int) float64 { return math.Sqrt(p.about(j, j) / float64(p.rows)) }

// correlation is Pearson's, 0 where one number does not vary.
func (p *products) correlation(i, j int) float64 {
	a, b := p.about(i, i), p.about(j, j)
	if a == 0 || b == 0 {
		return 0
	}
	return max(-1, min(1, p.about(i, j)/math.Sqrt(a)/math.Sqrt(b)))
}

// raw is the sum of the products of two numbers as they are.
func (p *products) raw(i, j int) float64 {
	a, b := p.origin[i], p.origin[j]
	return p.square.total().At(i, j) + a*p.sum[j] + b*p.sum[i] + float64(p.rows)*a*b
}

// varying are the numbers before the last that are not the same in all rows.
func (p *products) varying() (all []int) {
	for j := range len(p.origin) - 1 {
		if p.about(j, j) > 0 {
			all = append(all, j)
		}
	}
	return all
}

// solve fits the last number to others by products of two.
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

// partial are the partial correlations of numbers with the last one, given all the others: by the
// weights b of a fit with an intercept, b/√(b² + v·r) with v from the diagonal of the inverse Gram
// matrix and r the squares that are left. Those that others determine have none.
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
