package engine

import (
	"math"

	"kroo/engine/search"
	"kroo/games"
)

// Prospects is the forecast that a score implies for the side to move.
type Prospects struct {
	Win, Draw, Loss int     // permille, sum 1000
	Margin          float64 // expected final difference, in the game's units
}

// Expected returns the expected result in percent: the chance of a win plus half that of a draw.
func (s Prospects) Expected() float64 { return (float64(s.Win) + float64(s.Draw)/2) / 10 }

// Prospects returns those of a position with a score by an evaluation, from the calibration of its
// weights; ok is false if the weights are not calibrated. A proven score gives a certain result.
func (k Kit[P]) Prospects(e Evaluation[P], p P, score int) (s Prospects, ok bool) {
	c, g := e.Calibration, k.Game
	if c == nil {
		return s, false
	}
	part, units, most := float64(g.Phase(p))/float64(g.MaxPhase), float64(score)/100, float64(g.MaxPhase)
	s.Margin = c.ExpectedMargin(units, part, most)
	switch {
	case search.Proven(score) && score > 0:
		s.Win = 1000
	case search.Proven(score):
		s.Loss = 1000
	default:
		win, _, loss := c.Chances(units, part)
		s.Win, s.Loss = int(math.Round(1000*win)), int(math.Round(1000*loss))
		s.Draw = 1000 - s.Win - s.Loss
	}
	return s, true
}

// Points converts a score of the search to points, the scale of labels, books and weights: ±1000 for
// a proven win or loss, or else the score's value in the game, rounded half away from zero and
// clamped to ±1000. In oware 1000/24 points are a seed (Sala Soler 2014).
func Points(info games.Info, score int) int {
	if score < 0 {
		return -Points(info, -score)
	}
	if search.Proven(score) {
		return games.MaxPoints
	}
	return min(info.Points(float64(score)), games.MaxPoints)
}
