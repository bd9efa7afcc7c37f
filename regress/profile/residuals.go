package profile

import (
	"math/rand/v2"

	"kroo/datasets"
	"kroo/internal/agreement"
	"kroo/report"
)

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
		// Reservoir sampling: a uniform random sample.
		point := report.Point{X: p / per, Y: y[i] / per}
		if r.seen++; len(r.drawn) < mostDrawn {
			r.drawn = append(r.drawn, point)
		} else if at := r.random.IntN(r.seen); at < mostDrawn {
			r.drawn[at] = point
		}
	}
}
