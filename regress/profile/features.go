package profile

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/internal/agreement"
	"kroo/regress"
)

// FeatureStats describes a feature: the difference between its values for the side to move and for
// the other side.
type FeatureStats struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	R    float64 `json:"r"` // correlation with the label
	// Partial is the partial correlation with the label given all other features; nil if the
	// feature is constant or aliased.
	Partial *float64      `json:"partial,omitempty"`
	Parts   []FeaturePart `json:"parts,omitempty"` // correlations by part of the game
	Alone   float64       `json:"alone"`           // points per unit, fitted alone over doubled rows
	// Together is its weight in a fit of all features, in points per unit; nil if it is constant or
	// aliased.
	Together *float64 `json:"together,omitempty"`
	StdErr   *float64 `json:"stderr,omitempty"` // of Together; nil also if there are too few games
	VIF      *float64 `json:"vif,omitempty"`    // variance inflation factor
	// Of names the earlier features that determine it.
	Of     []string  `json:"combination_of,omitempty"`
	Effect []Effect  `json:"effect"`       // by value of the difference; nil for a column of another program
	With   []float64 `json:"correlations"` // with every feature, in order
}

// FeaturePart is the correlation of a feature with the label in a part of the game.
type FeaturePart struct {
	From    int      `json:"from"` // first phase
	To      int      `json:"to"`   // last phase
	Rows    int      `json:"rows"`
	R       *float64 `json:"r"` // nil if the feature or the label is constant, as Partial
	Partial *float64 `json:"partial,omitempty"`
}

// Effect is the mean label of the rows with a given value of a feature's difference.
type Effect struct {
	Difference int     `json:"difference"`
	Rows       int     `json:"rows"`
	Label      float64 `json:"label"` // mean, points
	// Error is the standard error of the mean in points, over clusters of rows
	// ([datasets.ClusterOf]); 0 with a single cluster.
	Error     float64        `json:"error"`
	Residuals *ResidualStats `json:"residuals,omitempty"`
}

// featureSums are sums over the rows of a dataset of the features' differences and the label.
type featureSums struct {
	names []string
	plain int         // the first names, whose differences are whole numbers within ±widest
	width int         // phases per part of the game
	last  int         // phase
	parts []*products // of the differences, the label and 1, by part of the game
	cells []cells     // of each plain feature
}

// cell is the rows with a given value of a difference.
type cell struct {
	rows     int
	labels   float64 // sum
	clusters int
	squares  float64 // over clusters, of the sum of labels less their mean
	now      int     // rows of the current cluster
	off      float64 // sum of their labels less the mean

	residuals agreement.Sums
}

// cells are those of the differences −widest, …, widest.
type cells [2*widest + 1]cell

// widest is the largest difference of two counts.
const widest = 255

// mostParts is the greatest number of parts of the game.
const mostParts = 6

func newFeatureSums(names []string, plain, maxPhase int) *featureSums {
	return &featureSums{
		names: names,
		plain: plain,
		width: (maxPhase + mostParts - 1) / mostParts,
		last:  maxPhase,
		cells: make([]cells, plain),
	}
}

// part returns the part of a phase. Phase 0 belongs to the first.
func (f *featureSums) part(phase int) int { return max(0, phase-1) / f.width }

// ends returns the first and last phase of a part.
func (f *featureSums) ends(i int) (first, last int) {
	if i > 0 {
		first = i*f.width + 1
	}
	return first, min((i+1)*f.width, f.last)
}

// add adds rows.
func (f *featureSums) add(s *survey) {
	k := len(f.names)
	phase := s.values("phase")
	predictions := s.values(datasets.PredictionColumns[0])
	row := make([]float64, k+2)
	for i, y := range s.values("label") {
		for j, x := range s.differences {
			row[j] = x[i]
			if j < f.plain {
				c := &f.cells[j][int(x[i])+widest]
				c.rows++
				c.labels += y
				if predictions != nil {
					c.residuals.Add(predictions[i], y, 1)
				}
			}
		}
		row[k], row[k+1] = y, 1
		if f.parts == nil { // the first row is the origin of all parts
			for range f.part(f.last) + 1 {
				f.parts = append(f.parts, newProducts(append(slices.Clone(row[:k+1]), 0)))
			}
		}
		f.parts[f.part(int(phase[i]))].add(row)
	}
}

// total returns the sums over all rows.
func (f *featureSums) total() *products {
	all := newProducts(f.parts[0].origin)
	for _, p := range f.parts {
		all.sum.AddSym(all.sum, p.total())
	}
	return all
}

// products are sums over rows of the products of two values, the last of which is 1. Values are
// relative to an origin, so that large ones with small differences keep their precision.
type products struct {
	origin []float64
	block  *mat.Dense // rows not yet added to the sum
	filled int
	sum    *mat.SymDense
}

// blockRows is the number of rows multiplied at a time.
const blockRows = 128

func newProducts(origin []float64) *products {
	n := len(origin)
	return &products{origin: origin, block: mat.NewDense(blockRows, n, nil), sum: mat.NewSymDense(n, nil)}
}

func (p *products) add(row []float64) {
	to := p.block.RawRowView(p.filled)
	for j, v := range row {
		to[j] = v - p.origin[j]
	}
	p.filled++
	if p.filled == blockRows {
		p.total()
	}
}

// total returns the sums over all rows so far.
func (p *products) total() *mat.SymDense {
	if p.filled > 0 {
		p.sum.SymRankK(p.sum, 1, p.block.Slice(0, p.filled, 0, len(p.origin)).T())
		p.filled = 0
	}
	return p.sum
}

// label is the number of the last value but one; the values before are features.
func (p *products) label() int { return len(p.origin) - 2 }

// ofOne returns the sum of a value.
func (p *products) ofOne(j int) float64 { return p.total().At(j, len(p.origin)-1) }

func (p *products) rows() float64 { return p.ofOne(len(p.origin) - 1) }

// mean returns the mean of value j.
func (p *products) mean(j int) float64 { return p.origin[j] + p.ofOne(j)/p.rows() }

// rounding is the share of a sum of squares below which a remainder counts as rounding error.
const rounding = 1e-12

// about returns the sum of products of two values about their means, 0 if either is constant.
func (p *products) about(i, j int) float64 {
	s := p.total().At(i, j)
	v := s - p.ofOne(i)*p.ofOne(j)/p.rows()
	if i == j && v <= rounding*s {
		return 0
	}
	return v
}

// sd returns the standard deviation of value j.
func (p *products) sd(j int) float64 { return math.Sqrt(p.about(j, j) / p.rows()) }

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
	return p.total().At(i, j) + a*p.ofOne(j) + b*p.ofOne(i) + p.rows()*a*b
}

// solve fits the label to the features, given the products of pairs. Features that do not vary have
// no weight, as combinations of none; if there is nothing to fit, none has.
func (p *products) solve(product func(i, j int) float64) (*regress.Solved, error) {
	y, varying := p.label(), 0
	gram, xy := mat.NewSymDense(y, nil), make([]float64, y)
	for j := range y {
		if p.about(j, j) == 0 {
			continue
		}
		varying++
		xy[j] = product(j, y)
		for i := range j + 1 {
			if p.about(i, i) > 0 {
				gram.SetSym(i, j, product(i, j))
			}
		}
	}
	if varying == 0 || p.about(y, y) == 0 || p.rows() <= float64(varying+1) {
		return &regress.Solved{}, nil
	}
	return regress.Solve(gram, xy, 0)
}

// partial returns the partial correlations of features with the label, given all others; nil for
// constant and aliased ones. From the weight b of a fit with an intercept it is b/√(b² + v·r), where
// v is from the diagonal of the inverse Gram matrix and r is the residual sum of squares.
func (p *products) partial() ([]*float64, error) {
	y := p.label()
	all := make([]*float64, y)
	fit, err := p.solve(p.about)
	if err != nil {
		return nil, err
	}
	left := p.about(y, y)
	for k, c := range fit.Columns {
		left -= fit.Weights[k] * p.about(c, y)
	}
	for k, c := range fit.Columns {
		b := fit.Weights[k]
		if of := math.Sqrt(b*b + fit.Inverse.At(k, k)*max(0, left)); of > 0 {
			r := b / of
			all[c] = &r
		}
	}
	return all, nil
}

// describe returns the statistics that follow from the sums.
func (f *featureSums) describe(total *products) (all []FeatureStats, err error) {
	y := total.label()
	partial, err := total.partial()
	if err != nil {
		return nil, err
	}
	for j, name := range f.names {
		s := FeatureStats{Name: name, Mean: total.mean(j), SD: total.sd(j), R: total.correlation(j, y), Partial: partial[j]}
		if xx := total.raw(j, j); xx > 0 {
			s.Alone = total.raw(j, y) / xx
		}
		for k := range f.names {
			s.With = append(s.With, total.correlation(j, k))
		}
		all = append(all, s)
	}
	for i, part := range f.parts {
		if part.rows() == 0 {
			continue
		}
		partial, err = part.partial()
		if err != nil {
			return nil, err
		}
		from, to := f.ends(i)
		for j := range all {
			p := FeaturePart{From: from, To: to, Rows: int(part.rows()), Partial: partial[j]}
			if r := part.correlation(j, y); r != 0 {
				p.R = &r
			}
			all[j].Parts = append(all[j].Parts, p)
		}
	}
	return all, nil
}
