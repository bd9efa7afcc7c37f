package oware

import "kroo/games/oware"

// unitPoints is the worth of a unit of the tables of stores and houses, in points.
const unitPoints = 1.0 / (1 << smallPlaces) / centi

// Curves are what each number of seeds in each house is worth by itself, in points for
// the side to move, at the stage of the game of a position. The houses are A…F a…f, those
// of the side to move first. Patterns are not part of it.
func (e *Evaluator) Curves(p oware.Position) (points [houses][counts]float64) {
	stage := e.stageAt(p)
	for h := range houses {
		for n := range counts {
			points[h][n] = unitPoints * float64(e.house(stage, h, n))
		}
	}
	return points
}

// Slice is what the patterns are worth, in points for the side to move, if the seeds of
// two houses of a position change and those of the others stay: by the bucket of house g,
// then of house h, which are numbered as in Curves. It is nil where the evaluator has no
// patterns. [BucketNames] names the buckets.
func (e *Evaluator) Slice(p oware.Position, g, h int) [][]float64 {
	t := e.patterns[e.stageAt(p)]
	if t == nil {
		return nil
	}
	points := make([][]float64, buckets)
	b := bucketsOf(p)
	for i := range points {
		points[i] = make([]float64, buckets)
		for j := range points[i] {
			b[g], b[h] = uint8(i), uint8(j)
			for pair, six := range sixes() {
				points[i][j] += t.points(pair, int(six.column(&b)))
			}
		}
	}
	return points
}

// BucketNames are the numbers of seeds that patterns tell apart.
func BucketNames() []string { return append([]string(nil), bucketNames[:]...) }

// stageAt is the stage of the game that a position's stores tell.
func (e *Evaluator) stageAt(p oware.Position) int {
	return int(e.stores[p.Store()<<6|p.OpponentStore()].stage)
}
