package profile

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/regress"
)

// Influence describes the influence of single rows on the fit of all features.
type Influence struct {
	Weights int `json:"weights"` // number fitted
	// Mean is the mean leverage. A row's leverage is the derivative of its prediction by its label;
	// the leverages sum to the number of weights.
	Mean float64 `json:"mean"`
	// Threshold is twice the mean, beyond which a row deserves a look (Hoaglin and Welsch 1978),
	// and Above is the number of rows beyond it.
	Threshold float64 `json:"threshold"`
	Above     int     `json:"above"`
	// Leverages counts rows by leverage, in multiples of the mean.
	Leverages doc.Bins    `json:"leverages"`
	Leverage  []FittedRow `json:"leverage"`  // the rows with the greatest leverage
	Residuals []FittedRow `json:"residuals"` // the rows with the greatest errors
}

// FittedRow is a row of a dataset with its prediction.
type FittedRow struct {
	Row        int64   `json:"row"` // in the file, from 1
	Board      string  `json:"board"`
	Label      float64 `json:"label"`
	Prediction float64 `json:"prediction"`
	Leverage   float64 `json:"leverage,omitempty"`
	diagram    string
	position   any
}

// fittedRows is the number of rows shown as boards.
const fittedRows = 5

// largest keeps the rows of greatest size, in descending order, ties in file order, and at most one
// row per cluster.
type largest[P games.Position[P]] struct{ rows []sized[P] }

type sized[P games.Position[P]] struct {
	size, label, prediction, leverage float64
	number                            int64
	position                          P
	cluster                           *uint64
}

func (l *largest[P]) add(r sized[P]) {
	if len(l.rows) == fittedRows && r.size <= l.rows[fittedRows-1].size {
		return
	}
	if r.cluster != nil {
		same := slices.IndexFunc(l.rows, func(o sized[P]) bool { return *o.cluster == *r.cluster })
		if same >= 0 && l.rows[same].size >= r.size {
			return
		}
		if same >= 0 {
			l.rows = slices.Delete(l.rows, same, same+1)
		}
	}
	at, _ := slices.BinarySearchFunc(l.rows, r, func(a, b sized[P]) int {
		return cmp.Or(cmp.Compare(b.size, a.size), -1)
	})
	l.rows = slices.Insert(l.rows, at, r)
	l.rows = l.rows[:min(len(l.rows), fittedRows)]
}

func (l *largest[P]) list(g *games.Game[P]) (all []FittedRow) {
	for _, r := range l.rows {
		row := rowOf(g, r.number, r.position)
		row.Label, row.Prediction, row.Leverage = r.label, r.prediction, r.leverage
		all = append(all, row)
	}
	return all
}

func rowOf[P games.Position[P]](g *games.Game[P], number int64, p P) FittedRow {
	return FittedRow{Row: number, Board: g.Print(p), diagram: g.Diagram(p), position: p}
}

// leverageEdges are the edges of the bins of leverage, in multiples of the mean.
var leverageEdges = []float64{0, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, math.MaxFloat64}

// fitPass is a second pass over a dataset's rows with the fit of its features.
type fitPass[P games.Position[P]] struct {
	sums    *featureSums
	fit     *regress.Solved // may be nil
	columns []int           // features in the fit
	inverse *mat.SymDense
	mean    float64 // mean leverage

	squares             float64 // of residuals
	above               int
	bins                doc.Bins
	leverage, residuals largest[P]

	// Sums by cluster.
	gradient []float64 // of the current cluster
	meat     *gram     // of the clusters' gradients; nil if every row is its own cluster
	now      []float64 // by cell, of the current cluster: labels less their mean
	marked   []bool    // by cell: whether it is in touched
	touched  []int
	spread   []spread // by cell
}

// spread sums the deviations of clusters' labels from the mean of their cell.
type spread struct {
	clusters int
	squares  float64
}

func newFitPass[P games.Position[P]](sums *featureSums, fit *regress.Solved, columns []int, rows int) *fitPass[P] {
	p := &fitPass[P]{sums: sums, fit: fit, now: make([]float64, len(sums.cells)), marked: make([]bool, len(sums.cells)), spread: make([]spread, len(sums.cells))}
	if fit != nil {
		for _, c := range fit.Columns {
			p.columns = append(p.columns, columns[c])
		}
		p.inverse, p.gradient = fit.Inverse, make([]float64, len(p.columns))
		p.mean = float64(len(p.columns)) / float64(rows)
		for i, from := range leverageEdges[:len(leverageEdges)-1] {
			p.bins = append(p.bins, doc.Bin{From: from, To: leverageEdges[i+1]})
		}
	}
	return p
}

// addFit adds the rows of a table, and passes each with its residual to its cluster.
func addFit[P games.Position[P]](p *fitPass[P], t *table[P], to *byCluster) error {
	differences, labels, game := t.differences(p.sums.names), t.labels(), t.field("game")
	row := make([]float64, 2+len(differences)) // label, residual and differences
	x := make([]float64, len(p.columns))
	for i, y := range labels {
		for j, d := range differences {
			row[2+j] = d[i]
		}
		prediction := 0.0
		for k, j := range p.columns {
			x[k] = differences[j][i]
			prediction += p.fit.Weights[k] * x[k]
		}
		row[0], row[1] = y, y-prediction
		cluster := t.cluster(i, game)
		if p.fit != nil {
			p.note(sized[P]{label: y, prediction: prediction, leverage: p.leverageOf(x), number: t.numbers[i], position: t.positions[i], cluster: &cluster})
		}
		if err := to.add(cluster, row); err != nil {
			return err
		}
	}
	return nil
}

// leverageOf returns x'(X'X)⁻¹x.
func (p *fitPass[P]) leverageOf(x []float64) (h float64) {
	for i, a := range x {
		if a == 0 {
			continue
		}
		s := 0.0
		for j, b := range x[:i] {
			s += p.inverse.At(j, i) * b
		}
		h += a * (2*s + p.inverse.At(i, i)*a)
	}
	return h
}

func (p *fitPass[P]) note(r sized[P]) {
	off := r.label - r.prediction
	p.squares += off * off
	if r.leverage > 2*p.mean {
		p.above++
	}
	p.bins.Count(r.leverage/p.mean, false)
	r.size = math.Abs(off)
	p.residuals.add(r)
	r.size = r.leverage
	p.leverage.add(r)
}

// add implements [clusterSums].
func (p *fitPass[P]) add(row []float64) {
	y, residual, differences := row[0], row[1], row[2:]
	for j, d := range differences[:p.sums.plain] {
		at := cellOf(j, d)
		c := p.sums.cells[at]
		if !p.marked[at] {
			p.marked[at] = true
			p.touched = append(p.touched, at)
		}
		p.now[at] += y - c.labels/float64(c.rows)
	}
	if p.meat != nil {
		for k, j := range p.columns {
			p.gradient[k] += residual * differences[j]
		}
	}
}

// flush implements [clusterSums].
func (p *fitPass[P]) flush() {
	for _, at := range p.touched {
		p.spread[at].clusters++
		p.spread[at].squares += p.now[at] * p.now[at]
		p.now[at], p.marked[at] = 0, false
	}
	p.touched = p.touched[:0]
	if p.meat != nil {
		p.meat.add(p.gradient)
		clear(p.gradient)
	}
}

// effects returns the mean labels by value of a feature's difference, in ascending order.
func (p *fitPass[P]) effects(feature int) (all []Effect) {
	for d := -widest; d <= widest; d++ {
		c, s := p.sums.cells[cellOf(feature, float64(d))], p.spread[cellOf(feature, float64(d))]
		if c.rows == 0 {
			continue
		}
		e := Effect{Difference: d, Rows: c.rows, Label: c.labels / float64(c.rows)}
		if n := float64(s.clusters); n > 1 {
			e.Error = math.Sqrt(s.squares*n/(n-1)) / float64(c.rows)
		}
		all = append(all, e)
	}
	return all
}

// errors returns the standard errors of the weights, computed as in package regress, nil if there
// are too few clusters.
func (p *fitPass[P]) errors(rows int, of *byCluster) (errs []float64, kind features.Errors) {
	k := len(p.columns)
	n, free := float64(rows), float64(rows-k)
	if of.single {
		for j := range k {
			errs = append(errs, math.Sqrt(p.squares/free*p.inverse.At(j, j)))
		}
		return errs, features.Errors{Kind: features.OrdinaryErrors}
	}
	kind = features.Errors{Kind: features.ClusteredErrors, Clusters: of.clusters}
	if of.clusters <= k {
		kind.Kind = features.NoErrors
		return nil, kind
	}
	g := float64(of.clusters)
	var half, variance mat.Dense
	half.Mul(p.inverse, p.meat.total())
	variance.Mul(&half, p.inverse)
	for j := range k {
		errs = append(errs, math.Sqrt(max(0, variance.At(j, j))*g/(g-1)*(n-1)/free))
	}
	return errs, kind
}

// influence summarises the pass.
func (p *fitPass[P]) influence(g *games.Game[P]) *Influence {
	return &Influence{
		Weights: len(p.columns), Mean: p.mean, Threshold: 2 * p.mean, Above: p.above, Leverages: p.bins,
		Leverage: p.leverage.list(g), Residuals: p.residuals.list(g),
	}
}

// again reads the rows a second time, for statistics of features that need the fit.
func (s *survey[P]) again(ctx context.Context, from *datasets.Table, o Options[P], fit *regress.Solved, columns []int, progress parallel.Progress) (p *fitPass[P], b *byCluster, err error) {
	p = newFitPass[P](s.features, fit, columns, s.rows)
	b, err = clusterOrder(ctx, s.clusters, s.rows, 2+len(s.features.names), p)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = cmp.Or(err, b.kept.Close()) }()
	if fit != nil && !b.single {
		p.meat = newGram(len(p.columns))
	}
	t := newTable(s.game, from, s.features.columns(from.Meta))
	for err := range t.chunks(ctx, o.Where, progress) {
		if err == nil {
			err = addFit(p, t, b)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return p, b, b.end(ctx)
}
