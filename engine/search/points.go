package search

// MaxPoints is the largest label: a decided game, or a lead of 24 seeds.
const MaxPoints = 1000

// Points turns a score into the scale of labels, books and weights: ±1000,
// with 1000/24 points a seed (Sala Soler 2014). A proven win or loss is ±1000,
// any other score 10/24 points a centi-seed, rounded half away from zero and
// clamped to ±1000.
func Points(score int) int {
	if score < 0 {
		return -Points(-score)
	}
	if Proven(score) {
		return MaxPoints
	}
	return min((score*10+12)/24, MaxPoints)
}
