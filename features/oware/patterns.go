package oware

import (
	"fmt"
	"slices"
	"strings"

	"kroo/games/oware"
)

// patternHouses is the maximum number of houses in a pattern.
const patternHouses = 6

// pattern is a list of different houses. It has a column for each combination of their buckets:
// column Σ bucket(house i)·8^i.
type pattern []uint8

// size returns the number of columns.
func (t pattern) size() int { return 1 << (bucketBits * len(t)) }

// column returns the column of houses in the given buckets.
func (t pattern) column(b *[houses]uint8) (column int) {
	for k, h := range t {
		column |= int(b[h]) << (bucketBits * k)
	}
	return column
}

// label describes a column: "A0 c4-5".
func (t pattern) label(column int) string {
	var s []string
	for k, h := range t {
		s = append(s, houseNames[h:h+1]+bucketNames[column>>(bucketBits*k)%buckets])
	}
	return strings.Join(s, " ")
}

// triples are the aligned triples of an evaluator: A B C, D E F, a b c, d e f.
const (
	tripleHouses = 3
	triples      = houses / tripleHouses
	triplePairs  = triples * (triples - 1) / 2
)

// triplePair lists pairs of aligned triples in order.
var triplePair = [triplePairs][2]uint8{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}

// slot returns the first pair of triples with all houses of the pattern, and the place of each
// house in it, 0…5. ok is false if there is no such pair.
func (t pattern) slot() (pair int, places []uint8, ok bool) {
	for pair, tr := range triplePair {
		places = places[:0]
		for _, h := range t {
			if i := slices.Index(tr[:], h/tripleHouses); i >= 0 {
				places = append(places, uint8(i)*tripleHouses+h%tripleHouses)
			}
		}
		if len(places) == len(t) {
			return pair, places, true
		}
	}
	return 0, nil, false
}

// windows returns the runs of n neighbouring houses round the board, one from each house.
func windows(n int) (all []pattern) {
	for from := range houses {
		var t pattern
		for i := range n {
			t = append(t, uint8((from+i)%houses))
		}
		all = append(all, t)
	}
	return all
}

// allPairs returns the 66 pairs of houses.
func allPairs() (all []pattern) {
	for i := range uint8(houses) {
		for j := i + 1; j < houses; j++ {
			all = append(all, pattern{i, j})
		}
	}
	return all
}

// blocks returns the aligned triples.
func blocks() (all []pattern) {
	for i := range uint8(triples) {
		all = append(all, block(i))
	}
	return all
}

func block(i uint8) pattern { return pattern{3 * i, 3*i + 1, 3*i + 2} }

// quads returns patterns of two houses from each of two aligned triples: each of the two
// neighbouring pairs of one with each of the other, and the outer two of one with the outer two of
// the other. There are five per pair of triples.
func quads() (all []pattern) {
	for _, tr := range triplePair {
		a, b := block(tr[0]), block(tr[1])
		for i := range 2 {
			for j := range 2 {
				all = append(all, pattern{a[i], a[i+1], b[j], b[j+1]})
			}
		}
		all = append(all, pattern{a[0], a[2], b[0], b[2]})
	}
	return all
}

// sixes returns the pairs of aligned triples, six houses each.
func sixes() (all []pattern) {
	for _, tr := range triplePair {
		all = append(all, slices.Concat(block(tr[0]), block(tr[1])))
	}
	return all
}

// rows returns the six houses of each side.
func rows() []pattern {
	return []pattern{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}
}

// String lists the houses.
func (t pattern) String() string {
	var s strings.Builder
	for _, h := range t {
		fmt.Fprintf(&s, "%c", houseNames[h])
	}
	return s.String()
}

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
