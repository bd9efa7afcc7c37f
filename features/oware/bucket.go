package oware

import "kroo/games/oware"

const (
	houses     = 2 * oware.Houses // of both sides: the mover's, then the other's
	buckets    = 8
	bucketBits = 3
	counts     = 64 // entries of a table by seeds: a house or store has at most 48
	exactCap   = 23 // indicators of exact counts do not distinguish larger ones
)

// bucketFrom is the smallest count of each bucket.
var bucketFrom = [buckets]int{0, 1, 2, 3, 4, 6, 9, 12}

var bucketNames = [buckets]string{"0", "1", "2", "3", "4-5", "6-8", "9-11", "12+"}

// bucketOf is the bucket of a number of seeds.
var bucketOf = func() (t [counts]uint8) {
	for n := range t {
		for b, from := range bucketFrom {
			if n >= from {
				t[n] = uint8(b)
			}
		}
	}
	return t
}()

// houseNames are the letters of the houses as the mover sees them.
const houseNames = "ABCDEFabcdef"

// seedsOf returns the seeds of the twelve houses in sowing order, the mover's first.
func seedsOf(p oware.Position) (n [houses]uint8) {
	own, opp := p.Words()
	for h := range oware.Houses {
		n[h] = uint8(own >> (8 * h) & 63)
		n[oware.Houses+h] = uint8(opp >> (8 * h) & 63)
	}
	return n
}

// bucketsOf returns the buckets of the twelve houses.
func bucketsOf(p oware.Position) (b [houses]uint8) {
	for h, n := range seedsOf(p) {
		b[h] = bucketOf[n&63]
	}
	return b
}

// maxStages is the maximum number of stages of a game.
const maxStages = 4

// stageOf returns the stage, 0 the last of the game, of a number of seeds in play. Stages are
// equally wide.
func stageOf(stages, inPlay int) int { return inPlay * stages / (oware.Seeds + 1) }
