package regress

import (
	"cmp"
	"context"
	"errors"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/agreement"
)

// Quality says how predictions agree with labels, over rows as they are
// labelled: from the view of the side to move, none doubled, predictions
// clamped to ±1000 points as labels are.
type Quality struct {
	agreement.Stats
	MAEUnits  float64 `json:"mae_units"`  // MAE in units of the game: seeds
	RMSEUnits float64 `json:"rmse_units"` // RMSE in the same
}

// Measurement is the quality of an evaluation on datasets of labels.
type Measurement struct {
	Quality
	// RDoubled is the correlation as the thesis has it, of antisymmetric
	// evaluations only: rows doubled, predictions not clamped.
	RDoubled *float64       `json:"r_doubled,omitempty"`
	Phases   []PhaseQuality `json:"phases"`    // that have rows
	Unit     string         `json:"unit"`      // of the game, in the singular
	Phase    string         `json:"phase"`     // what a phase counts
	Limits   string         `json:"limits"`    // of the labelling searches
	Labeller string         `json:"evaluator"` // of the labelling searches
}

// PhaseQuality is the quality on the rows of From ≤ phase ≤ To.
type PhaseQuality struct {
	From int `json:"from"`
	To   int `json:"to"`
	Quality
}

// phases is into how many parts, equally wide, a game is divided.
const phases = 6

// Measure compares what an evaluation predicts, in points for the side to move,
// with the labels of datasets. Told hears of the rows compared; it may be nil.
func Measure[P games.Position[P]](ctx context.Context, g *games.Game[P], paths []string, predict func(P) float64, antisymmetric bool, told func(done, total int64)) (Measurement, error) {
	if len(paths) == 0 {
		return Measurement{}, errors.New("no datasets of labels to measure on")
	}
	m := meter[P]{game: g, predict: predict}
	if err := scanLabels(ctx, g, paths, told, m.meta, func(_ int, row datasets.LabelRow[P]) { m.add(row) }); err != nil {
		return Measurement{}, err
	}
	return m.result(antisymmetric), nil
}

// meter adds up rows.
type meter[P games.Position[P]] struct {
	game             *games.Game[P]
	predict          func(P) float64
	limits, labeller string

	all       agreement.Sums
	byPhase   [phases]agreement.Sums
	unclamped agreement.Sums
}

// meta keeps what the datasets say of their labels, as far as they agree.
func (m *meter[P]) meta(d datasets.Meta) {
	for _, c := range []struct {
		have *string
		got  string
	}{{&m.limits, d.Limits}, {&m.labeller, d.Evaluator}} {
		if *c.have = cmp.Or(*c.have, c.got); *c.have != c.got {
			*c.have = "several"
		}
	}
}

func (m *meter[P]) add(row datasets.LabelRow[P]) {
	x := m.predict(row.Position)
	m.unclamped.Add(x, row.Label, 1)
	x = max(-maxPoints, min(maxPoints, x))
	m.all.Add(x, row.Label, 1)
	m.byPhase[phaseOf(m.game.Info, m.game.Phase(row.Position))].Add(x, row.Label, 1)
}

func phaseOf(i games.Info, phase int) int { return phase * phases / (i.MaxPhase + 1) }

func (m *meter[P]) quality(x *agreement.Sums) Quality {
	s, points := x.Stats(), m.game.PointsPerUnit()
	return Quality{s, s.MAE / points, s.RMSE / points}
}

func (m *meter[P]) result(antisymmetric bool) Measurement {
	r := Measurement{
		Quality: m.quality(&m.all), Unit: m.game.Unit, Phase: m.game.PhaseName, Limits: m.limits, Labeller: m.labeller,
	}
	if antisymmetric {
		doubled := m.unclamped.Doubled()
		r.RDoubled = &doubled.R
	}
	to := -1
	for i := range m.byPhase {
		from := to + 1
		for to < m.game.MaxPhase && phaseOf(m.game.Info, to+1) == i {
			to++
		}
		if q := m.quality(&m.byPhase[i]); q.Rows > 0 {
			r.Phases = append(r.Phases, PhaseQuality{from, to, q})
		}
	}
	return r
}
