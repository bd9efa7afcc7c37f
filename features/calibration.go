package features

import (
	"fmt"
	"math"

	"kroo/games"
	"kroo/internal/outline"
)

// Calibration converts search scores with some weights to the chances of a win, a draw and a loss
// and the expected final margin, by a proportional-odds logistic model (McCullagh 1980) of game
// results,
//
//	win = 1/(1+exp(Draw−Rate·score)), loss = 1/(1+exp(Draw+Rate·score)), draw = the rest,
//
// and a line through the origin, margin = Margin·score. Rate and Draw change linearly with the
// phase; Margin with its square, which fits oware better. The values are those at phase 0 and at
// the game's largest phase. Errors are standard errors, clustered by game. The chances are those of
// such games, not of perfect play.
type Calibration struct {
	Rate      [2]float64 `json:"rate"` // per unit of score
	RateErr   [2]float64 `json:"rate_err"`
	Draw      [2]float64 `json:"draw"`
	DrawErr   [2]float64 `json:"draw_err"`
	Margin    [2]float64 `json:"margin"` // units of final margin per unit of score; 0 if unknown
	MarginErr [2]float64 `json:"margin_err"`

	Games     int     `json:"games"`
	Positions int     `json:"positions"`
	Loss      float64 `json:"loss"`   // mean −log likelihood of a position's result
	Scores    string  `json:"scores"` // origin of the scores, such as "nodes 10000, default tables"
}

// Chances returns the chances at a score in the game's units, for the side with that score. part is
// the phase as a fraction of the game's largest.
func (c *Calibration) Chances(score, part float64) (win, draw, loss float64) {
	x := score * Along(c.Rate, part)
	d := Along(c.Draw, part)
	win = Logistic(x - d)
	loss = Logistic(-x - d)
	draw = max(0, 1-win-loss) // else a rounding error may be below 0 without draws
	return win, draw, loss
}

// ExpectedMargin returns the expected final difference at a score, both in the game's units,
// limited to ±most, the largest possible margin.
func (c *Calibration) ExpectedMargin(score, part, most float64) float64 {
	return max(-most, min(most, score*Along(c.Margin, part*part)))
}

// Along interpolates linearly between the values at 0 and 1.
func Along(ends [2]float64, part float64) float64 { return ends[0]*(1-part) + ends[1]*part }

// Logistic is the logistic function.
func Logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Check refuses values that no games can lead to. A nil calibration is valid.
func (c *Calibration) Check() error {
	if c == nil {
		return nil
	}
	for _, x := range []struct {
		name        string
		values      [2]float64
		least, most float64
	}{
		{"rate", c.Rate, -100, 100}, {"draw", c.Draw, 0, 100}, {"margin", c.Margin, -1000, 1000},
	} {
		for _, v := range x.values {
			if !(v >= x.least && v <= x.most) {
				return fmt.Errorf("calibration: %s is %v: expected %g to %g", x.name, v, x.least, x.most)
			}
		}
	}
	return nil
}

// AddCalibration adds a description to a document: the model, and its values at some scores and
// phases.
func AddCalibration(s *outline.Doc, info games.Info, c *Calibration) {
	if c == nil {
		return
	}
	t := outline.NewTable(info.PhaseName, "score, "+info.Unit+"s", "win", "draw", "loss", "expected margin")
	most := float64(info.MaxPhase)
	for _, phase := range []int{info.MaxPhase, info.MaxPhase / 2, info.MaxPhase / 4} {
		for _, score := range []float64{0, 1, 3} {
			part := float64(phase) / most
			percents := Percents(c.Chances(score, part))
			t.Add(phase, fmt.Sprintf("%+g", score), percents[0], percents[1], percents[2],
				fmt.Sprintf("%+.1f", c.ExpectedMargin(score, part, most)))
		}
	}
	lead := fmt.Sprintf("Chances and expected margin by score, from %d positions of %d games (scores %s):",
		c.Positions, c.Games, c.Scores)
	s.Add(outline.Section{Text: []string{lead}, Table: t})
	ends := func(v, e [2]float64) string {
		return fmt.Sprintf("%.4f ± %.4f at 0 %s, %.4f ± %.4f at %d", v[0], e[0], info.PhaseName, v[1], e[1], info.MaxPhase)
	}
	s.Add(outline.Section{
		Text: []string{"win 1/(1+exp(draw-rate*score)), loss 1/(1+exp(draw+rate*score)), expected margin " +
			"margin*score. Between the ends rate and draw are linear in the phase, margin in its square:"},
		Facts: outline.Facts("rate", ends(c.Rate, c.RateErr), "draw", ends(c.Draw, c.DrawErr), "margin",
			ends(c.Margin, c.MarginErr)),
		Note: fmt.Sprintf("mean -log likelihood %.4f", c.Loss),
	})
}

// Percents formats the chances of a win, a draw and a loss in whole per cent with the sum 100. A win and a
// loss are rounded, so that equal chances stay equal; the draw is the rest.
func Percents(win, _, loss float64) (texts [3]string) {
	w, l := math.Round(100*win), math.Round(100*loss)
	if w+l > 100 { // both were rounded up, and there is no draw
		if win > loss {
			w--
		} else {
			l--
		}
	}
	for i, percent := range []float64{w, 100 - w - l, l} {
		texts[i] = fmt.Sprintf("%.0f %%", percent)
	}
	return texts
}

// Percent formats a fraction in whole per cent.
func Percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
