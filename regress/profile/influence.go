package profile

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/internal/agreement"
	"kroo/regress"
	"kroo/report"
)

// Influence describes the influence of single rows on the fit of all features.
type Influence struct {
	Weights int `json:"weights"` // number fitted
	// Mean is the mean leverage. A row's leverage is the derivative of its prediction by its label;
	// the leverages sum to the number of weights.
	Mean float64 `json:"mean"`
	// Above is the number of rows beyond twice the mean, which deserve a look (Hoaglin and Welsch
	// 1978).
	Above     int         `json:"above"`
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
	line       string // about the row; "" for label and prediction
}

func (r FittedRow) leverage() float64 { return r.Leverage }
func (r FittedRow) err() float64      { return math.Abs(r.Label - r.Prediction) }

// fittedRows is the number of rows shown as boards.
const fittedRows = 5

// largest keeps the rows of greatest size, one per cluster, in descending order, ties in file order.
type largest struct {
	size func(FittedRow) float64
	rows []FittedRow
	now  FittedRow // of the current cluster
}

func (l *largest) add(r FittedRow) {
	if l.now.Row == 0 || l.size(r) > l.size(l.now) {
		l.now = r
	}
}

// end ends a cluster.
func (l *largest) end() {
	at, _ := slices.BinarySearchFunc(l.rows, l.now, func(a, b FittedRow) int {
		return cmp.Or(cmp.Compare(l.size(b), l.size(a)), cmp.Compare(a.Row, b.Row))
	})
	if at < fittedRows {
		l.rows = slices.Insert(l.rows, at, l.now)
		l.rows = l.rows[:min(len(l.rows), fittedRows)]
	}
	l.now = FittedRow{}
}

// influenceSums are sums over rows, cluster by cluster, with the fit of all features.
type influenceSums struct {
	*featureSums
	fit     *regress.Solved
	inverse *mat.Dense
	Influence

	squares             float64   // of residuals
	variance            []float64 // over clusters, of the influence on each weight
	leverage, residuals largest

	// The current cluster.
	influence []float64 // on each weight
	touched   []*cell   // with rows
	x         []float64
}

func newInfluenceSums(f *featureSums, fit *regress.Solved, rows int) *influenceSums {
	k := len(fit.Columns)
	s := &influenceSums{featureSums: f, fit: fit, leverage: largest{size: FittedRow.leverage},
		residuals: largest{size: FittedRow.err},
		influence: make([]float64, k), variance: make([]float64, k), x: make([]float64, k)}
	s.Weights, s.Mean = k, float64(k)/float64(rows)
	if k > 0 {
		s.inverse = mat.DenseCopyOf(fit.Inverse)
	}
	return s
}

// add adds a row: its number, label and differences.
func (s *influenceSums) add(number int64, y float64, differences []float64) {
	for j, d := range differences[:s.plain] {
		c := &s.cells[j][int(d)+widest]
		c.now++
		if c.now == 1 {
			s.touched = append(s.touched, c)
		}
		c.off += y - c.labels/float64(c.rows)
	}
	r := FittedRow{Row: number, Label: y}
	x := s.x
	for k, c := range s.fit.Columns {
		x[k] = differences[c]
		r.Prediction += s.fit.Weights[k] * x[k]
	}
	off := y - r.Prediction
	s.squares += off * off
	for k, v := range x { // (X'X)⁻¹x is the derivative of the weights by the label
		of := floats.Dot(s.inverse.RawRowView(k), x)
		r.Leverage += v * of
		s.influence[k] += off * of
	}
	if r.Leverage > 2*s.Mean {
		s.Above++
	}
	s.leverage.add(r)
	s.residuals.add(r)
}

// end ends a cluster.
func (s *influenceSums) end() {
	for _, c := range s.touched {
		c.clusters++
		c.squares += c.off * c.off
		c.now, c.off = 0, 0
	}
	s.touched = s.touched[:0]
	for k, v := range s.influence {
		s.variance[k] += v * v
		s.influence[k] = 0
	}
	s.leverage.end()
	s.residuals.end()
}

// effects returns the mean labels by value of a feature's difference, in ascending order.
func (s *influenceSums) effects(feature int) (all []Effect) {
	for i := range s.cells[feature] {
		c := &s.cells[feature][i]
		if c.rows == 0 {
			continue
		}
		e := Effect{Difference: i - widest, Rows: c.rows, Label: c.labels / float64(c.rows)}
		if n := float64(c.clusters); n > 1 {
			e.Error = math.Sqrt(c.squares*n/(n-1)) / float64(c.rows)
		}
		if c.residuals.Weight() > 0 {
			e.Residuals = residualStats(&c.residuals)
		}
		all = append(all, e)
	}
	return all
}

// describeFeatures describes the features of a dataset, in a pass over its rows by cluster.
func (s *survey) describeFeatures(to *Profile, o Options) error {
	f := s.features
	if f == nil || s.rows == 0 {
		return nil
	}
	total := f.total()
	var err error
	to.Features, err = f.describe(total)
	if err != nil {
		return err
	}
	fit, err := total.solve(total.raw)
	if err != nil {
		return err
	}
	sums, values := newInfluenceSums(f, fit, s.rows), make([]float64, 1+len(f.names))
	clusters := s.byCluster(o.begin("measuring", int64(s.rows)), func(record []uint64) {
		for k := range values {
			values[k] = math.Float64frombits(record[2+k])
		}
		sums.add(int64(record[1]), values[0], values[1:])
	}, sums.end)
	for j := range to.Features[:f.plain] {
		to.Features[j].Effect = sums.effects(j)
	}
	if len(fit.Columns) == 0 {
		return nil
	}
	errs, kind := fit.StdErrors(s.rows, clusters, math.Sqrt(sums.squares/float64(s.rows)), 1, sums.variance)
	sums.Influence.Leverage, sums.Influence.Residuals = sums.leverage.rows, sums.residuals.rows
	to.Errors, to.Influence = kind, &sums.Influence
	for k, c := range fit.Columns {
		of := &to.Features[c]
		of.Together, of.VIF = &fit.Weights[k], &fit.VIF[k]
		if errs != nil {
			of.StdErr = &errs[k]
		}
	}
	for k, c := range fit.Aliased {
		for _, of := range fit.Sources[k] {
			to.Features[c].Of = append(to.Features[c].Of, f.names[of])
		}
	}
	return nil
}

// Residuals compare the predictions in a dataset with its labels: label minus prediction, in points
// for the side to move.
type Residuals struct {
	agreement.Stats
	Worst []FittedRow `json:"worst"`

	drawn []report.Point // predictions and labels in the game's unit, of all rows or a random sample
}

// ResidualStats are the residuals of some rows.
type ResidualStats struct {
	Mean float64 `json:"mean"`
	MAE  float64 `json:"mae"`
	RMSE float64 `json:"rmse"`
}

func residualStats(s *agreement.Sums) *ResidualStats {
	of := s.Stats()
	return &ResidualStats{s.Bias(), of.MAE, of.RMSE}
}

// mostDrawn is the greatest number of rows in a figure of residuals.
const mostDrawn = 200_000

// residualSums compare predictions with the labels of rows.
type residualSums struct {
	all    agreement.Sums
	worst  largest
	drawn  []report.Point
	seen   int
	random *rand.Rand
}

func newResidualSums() *residualSums {
	return &residualSums{worst: largest{size: FittedRow.err}, random: rand.New(rand.NewPCG(1, 1))}
}

func (r *residualSums) add(s *survey) {
	y, per := s.values("label"), s.game.PointsPerUnit()
	for i, p := range s.values(datasets.PredictionColumns[0]) {
		r.all.Add(p, y[i], 1)
		r.worst.add(FittedRow{Row: s.numbers[i], Label: y[i], Prediction: p})
		r.worst.end()
		// Reservoir sampling: a uniform random sample.
		point := report.Point{X: p / per, Y: y[i] / per}
		r.seen++
		if len(r.drawn) < mostDrawn {
			r.drawn = append(r.drawn, point)
		} else if at := r.random.IntN(r.seen); at < mostDrawn {
			r.drawn[at] = point
		}
	}
}
