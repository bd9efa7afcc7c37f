package oware

import "kroo/games/oware"

// unitPoints is the worth of a unit of the tables of stores and houses, in points.
const unitPoints = 1.0 / (1 << smallPlaces) / centi

// Curves are what every number of seeds in a house is worth by itself at the stage of a
// position, in points for the side to move: of the houses A…F a…f, its own first. The
// patterns come on top.
func (e *Evaluator) Curves(p oware.Position) (points [houses][counts]float64) {
	stage := e.stageAt(p)
	for h := range houses {
		for n := range counts {
			points[h][n] = unitPoints * float64(e.house(stage, h, n))
		}
	}
	return points
}

// Slice is what the patterns are worth with any two buckets of seeds in the houses g and
// h, counted as in Curves, and the other houses as they are in a position: in points,
// by the bucket of g, then of h. It is nil where the evaluator has no patterns. BucketNames
// names the buckets.
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
			for pair, places := range sixes() {
				index := 0
				for k, at := range places {
					index |= int(b[at]) << (bucketBits * k)
				}
				points[i][j] += unitPoints * float64(int(t[pair][index])<<e.shift)
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
