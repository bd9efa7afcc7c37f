package oware

import (
	"fmt"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/memory"
)

const (
	smallPlaces = 8 // binary places of the entries of stores and houses, in centi-seeds

	tripleBits  = bucketBits * tripleHouses
	patternSize = 1 << (2 * tripleBits)
	patternMask = patternSize - 1
	bucketsBits = triples * tripleBits // of the four triples' indices in a house entry
)

// Evaluator computes a fitted function from tables. It is immutable and safe for concurrent use.
type Evaluator struct {
	stores   [counts * counts]storeEntry // by own store and other store
	twos     [maxStages]twoTables
	patterns [maxStages]*patternTables // nil if no family has patterns
	stages   int
	shift    uint // smallPlaces minus the binary places of a pattern entry in a file
	houses   [maxStages]houseTables
	header   features.Header
}

// storeEntry is the value of the stores and the stage of the game that follows from them.
type storeEntry struct{ value, stage int32 }

// houseTables are indexed by house and seeds. The bits of an entry from bucketsBits on are the
// value of the house; below them is the house's bucket, shifted to the house's position. So a sum
// of twelve entries contains both the sum of values and all buckets.
type houseTables [houses][counts]uint64

// twoTables are the same for two neighbouring houses of a side with fewer than 16 seeds each, the
// left one in the low bits.
type twoTables [houses / 2][1 << 8]uint64

// patternTables are indexed by the buckets of two triples, the first one in the low bits. An entry
// is a byte, in units of its table, which are in 2^-smallPlaces centi-seeds. A search waits for
// these tables more than for anything else, and half the memory is in the caches nearly twice as
// often.
type patternTables struct {
	entries [triplePairs][patternSize]int8
	units   [triplePairs]int32
}

// newPatternTables allocates the tables of all lots together, so that most are in huge pages.
func newPatternTables(lots int) []patternTables {
	t := make([]patternTables, lots)
	memory.PreferHuge(t)
	return t
}

// large are the bits of a word that are set if a house has 16 seeds or more.
const large = 0xf0f0_f0f0_f0f0

// Evaluate returns the value for the player to move in centi-seeds: the fitted function within
// [Evaluator.Rounding], not clamped.
func (e *Evaluator) Evaluate(p oware.Position) int {
	own, opp := p.Words()
	at := &e.stores[own>>48&63<<6|opp>>48&63]
	sum := e.sum(own, opp, at.stage)
	value := int(at.value) + int(int64(sum)>>bucketsBits)
	if t := e.patterns[at.stage&(maxStages-1)]; t != nil {
		value += t.sum(sum)
	}
	return (value + 1<<(smallPlaces-1)) >> smallPlaces
}

// batchSize is the number of positions that AppendValues evaluates at a time.
const batchSize = 8

// AppendValues appends Evaluate of each position to dst. It computes all indices of pattern tables
// before reading any, so that the cache misses overlap.
func (e *Evaluator) AppendValues(dst []int32, ps []oware.Position) []int32 {
	for len(ps) > 0 {
		n := min(len(ps), batchSize)
		dst = e.appendTogether(dst, ps[:n])
		ps = ps[n:]
	}
	return dst
}

func (e *Evaluator) appendTogether(dst []int32, ps []oware.Position) []int32 {
	var half [batchSize]struct {
		sum    uint64
		tables *patternTables
		store  int
	}
	for i := range ps {
		own, opp := ps[i].Words()
		at, to := &e.stores[own>>48&63<<6|opp>>48&63], &half[i%batchSize]
		to.sum = e.sum(own, opp, at.stage)
		to.tables = e.patterns[at.stage&(maxStages-1)]
		to.store = int(at.value)
	}
	for i := range ps {
		at := &half[i%batchSize]
		value := at.store + int(int64(at.sum)>>bucketsBits)
		if at.tables != nil {
			value += at.tables.sum(at.sum)
		}
		dst = append(dst, int32((value+1<<(smallPlaces-1))>>smallPlaces))
	}
	return dst
}

// sum is the sum of the entries of all houses at a stage.
func (e *Evaluator) sum(own, opp uint64, stage int32) uint64 {
	stage &= maxStages - 1
	if (own|opp)&large != 0 {
		return e.houses[stage].sum(own, opp)
	}
	w := &e.twos[stage]
	own |= own >> 4 // two neighbours in bytes 0, 2, 4
	opp |= opp >> 4
	return w[0][own&255] + w[1][own>>16&255] + w[2][own>>32&255] +
		w[3][opp&255] + w[4][opp>>16&255] + w[5][opp>>32&255]
}

// sum returns the value of the patterns, given a sum of house entries.
func (t *patternTables) sum(s uint64) int {
	const low, high = 1<<tripleBits - 1, patternMask &^ (1<<tripleBits - 1)
	a, b, first := s>>9, s>>18, s&low
	e, unit := &t.entries, &t.units
	return int(unit[0])*int(e[0][s&patternMask]) + // triples 0 and 1 are adjacent
		int(unit[1])*int(e[1][a&high|first]) +
		int(unit[2])*int(e[2][b&high|first]) +
		int(unit[3])*int(e[3][a&patternMask]) +
		int(unit[4])*int(e[4][b&high|a&low]) +
		int(unit[5])*int(e[5][b&patternMask])
}

// worth returns an entry's contribution, in 2^-smallPlaces centi-seeds.
func (t *patternTables) worth(pair, i int) int { return int(t.units[pair]) * int(t.entries[pair][i]) }

// sum adds the entries of the twelve houses.
func (h *houseTables) sum(own, opp uint64) uint64 {
	return h[0][own&63] + h[1][own>>8&63] + h[2][own>>16&63] +
		h[3][own>>24&63] + h[4][own>>32&63] + h[5][own>>40&63] +
		h[6][opp&63] + h[7][opp>>8&63] + h[8][opp>>16&63] +
		h[9][opp>>24&63] + h[10][opp>>32&63] + h[11][opp>>40&63]
}

// Rounding is the maximum difference between Evaluate and the fitted function, in centi-seeds: a
// half for the integer result, half a unit for each of 13 small entries, and for each of six
// pattern entries half of the file's unit and half of its table's unit. The units follow from the
// largest entries: the champion's bound is 25, its root-mean-square error 5.
func (e *Evaluator) Rounding() float64 {
	patterns := 0
	for _, t := range e.patterns[:e.lots()] {
		sum := triplePairs << e.shift
		for _, unit := range t.units {
			sum += int(unit)
		}
		patterns = max(patterns, sum)
	}
	return 0.5 + (13+float64(patterns))*0.5/(1<<smallPlaces)
}

// Header returns the weights file's header, with the weights' origin.
func (e *Evaluator) Header() features.Header { return e.header }

// Hash identifies everything that affects play, the rules and the tables, in 16 hexadecimal digits.
// It is the same for tables from [Compile] and from a file.
func (e *Evaluator) Hash() string { return e.header.Play }

// points returns the value of a pattern table's entry.
func (t *patternTables) points(pair, i int) float64 { return unitPoints * float64(t.worth(pair, i)) }

// unitPoints is the unit of the tables of stores and houses, in points.
const unitPoints = 1.0 / (1 << smallPlaces) / centi

// stageAt returns the stage of the game, which follows from the stores.
func (e *Evaluator) stageAt(p oware.Position) int {
	return int(e.stores[p.Store()<<6|p.OpponentStore()].stage)
}

// Places implements features.placedSet.
func (s *Set) Places(p oware.Position) []features.Place { return houseBoard.Places(p) }

// Share implements features.placedSet: the houses of a column share it equally.
func (s *Set) Share(column int, places []features.Place) []float64 {
	t, local, _ := s.find(column)
	return shareOf(t.of.touches(local), len(places), 1)
}

// shareOf divides a number equally among houses; nil without houses.
func shareOf(at []uint8, places int, of float64) []float64 {
	if at == nil {
		return nil
	}
	shares := make([]float64, places)
	for _, h := range at {
		shares[placeOf(int(h))] = of / float64(len(at))
	}
	return shares
}

// Places implements features.placedSet.
func (e *Evaluator) Places(p oware.Position) []features.Place { return houseBoard.Places(p) }

// Share implements features.placedSet.
func (e *Evaluator) Share(int, []features.Place) []float64 { return nil } // Parts sets the shares

// Parts breaks down a position's value as far as the tables allow: stores, each house by itself,
// and each pair of triples, whose value the houses share equally. Points differ from the model's by
// rounding; columns are numbered consecutively.
func (e *Evaluator) Parts(p oware.Position) (all []features.Part) {
	add := func(family, name string, at []uint8, points float64) {
		all = append(all, features.Part{Column: len(all), Name: name, Value: 1, Points: points, Family: family, Shares: shareOf(at, 2*houseBoard.Side, points)})
	}
	own, other := p.Store(), p.OpponentStore()
	add("stores", fmt.Sprintf("stores %d-%d", own, other), nil, unitPoints*float64(e.stores[own<<6|other].value))
	stage := e.stageAt(p)
	for h, n := range seedsOf(p) {
		add("houses", fmt.Sprintf("house %c%d", houseNames[h], n), []uint8{uint8(h)}, unitPoints*float64(e.house(stage, h, int(n))))
	}
	if t := e.patterns[stage]; t != nil {
		b := bucketsOf(p)
		for pair, six := range sixes() {
			column := six.column(&b)
			add("patterns", six.label(column), six, t.points(pair, column))
		}
	}
	return all
}
