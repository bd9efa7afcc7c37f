package engine

import (
	"kroo/engine/search"
	"kroo/games"
)

// Points turns a score of the search into points, the scale of labels, books
// and weights: ±1000 for a proven win or loss, else what the score's hundredths
// of a unit are worth in the game, rounded half away from zero and clamped to
// ±1000. In oware 1000/24 points are a seed (Sala Soler 2014).
func Points(info games.Info, score int) int {
	if score < 0 {
		return -Points(info, -score)
	}
	if search.Proven(score) {
		return games.MaxPoints
	}
	return min(info.Points(float64(score)), games.MaxPoints)
}
