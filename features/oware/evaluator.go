package oware

import (
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

// Evaluator computes a fitted function from tables. It is immutable, and safe
// for concurrent use.
type Evaluator struct {
	stores   [counts * counts]storeEntry // by own store and other store
	twos     [maxStages]twoTables
	patterns [maxStages]*patternTables // nil if no family has patterns
	stages   int
	shift    uint // smallPlaces less the binary places of an entry of patterns in a file
	houses   [maxStages]houseTables
	header   features.Header
}

// storeEntry is what the stores are worth and the stage of the game they tell.
type storeEntry struct{ value, stage int32 }

// houseTables are indexed by a house and its seeds. The bits of an entry from
// bucketsBits on are the worth of the house. Below them the house's bucket stands at the
// house's own place. So the sum of twelve entries holds both the sum of their worths and
// all buckets.
type houseTables [houses][counts]uint64

// twoTables are the same for two neighbouring houses of a side with fewer than
// 16 seeds each, the left one low.
type twoTables [houses / 2][1 << 8]uint64

// patternTables are indexed by the buckets of two triples, the first one low. An entry is
// a byte, in units of its table, which are in 2^-smallPlaces centi-seeds: a search waits
// for these tables more than for anything else, and half of the memory is in the caches
// nearly twice as often.
type patternTables struct {
	entries [triplePairs][patternSize]int8
	units   [triplePairs]int32
}

// newPatternTables makes one for each lot, side by side, so that huge pages have most of
// them.
func newPatternTables(lots int) []patternTables {
	t := make([]patternTables, lots)
	memory.PreferHuge(t)
	return t
}

// large are the bits of a word that are set when a house holds 16 seeds or more.
const large = 0xf0f0_f0f0_f0f0

// Evaluate is the value of the position for the player to move, in
// centi-seeds: the fitted function within [Evaluator.Rounding], not clamped.
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

// together is how many positions AppendValues takes at a time.
const together = 8

// AppendValues appends Evaluate of each position to dst. It finds the places in the tables
// of patterns of all positions before it reads any: so it waits for memory once.
func (e *Evaluator) AppendValues(dst []int32, ps []oware.Position) []int32 {
	for len(ps) > 0 {
		n := min(len(ps), together)
		dst = e.appendTogether(dst, ps[:n])
		ps = ps[n:]
	}
	return dst
}

func (e *Evaluator) appendTogether(dst []int32, ps []oware.Position) []int32 {
	var half [together]struct {
		sum    uint64
		tables *patternTables
		store  int
	}
	for i := range ps {
		own, opp := ps[i].Words()
		at, to := &e.stores[own>>48&63<<6|opp>>48&63], &half[i%together]
		to.sum = e.sum(own, opp, at.stage)
		to.tables = e.patterns[at.stage&(maxStages-1)]
		to.store = int(at.value)
	}
	for i := range ps {
		at := &half[i%together]
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

// sum is what the patterns are worth, by a sum of entries of houses.
func (t *patternTables) sum(s uint64) int {
	const low, high = 1<<tripleBits - 1, patternMask &^ (1<<tripleBits - 1)
	a, b, first := s>>9, s>>18, s&low
	e, unit := &t.entries, &t.units
	return int(unit[0])*int(e[0][s&patternMask]) + // triples 0 and 1 lie side by side
		int(unit[1])*int(e[1][a&high|first]) +
		int(unit[2])*int(e[2][b&high|first]) +
		int(unit[3])*int(e[3][a&patternMask]) +
		int(unit[4])*int(e[4][b&high|a&low]) +
		int(unit[5])*int(e[5][b&patternMask])
}

// worth is what an entry adds to the value, in 2^-smallPlaces centi-seeds.
func (t *patternTables) worth(pair, i int) int { return int(t.units[pair]) * int(t.entries[pair][i]) }

// sum adds the entries of the twelve houses.
func (h *houseTables) sum(own, opp uint64) uint64 {
	return h[0][own&63] + h[1][own>>8&63] + h[2][own>>16&63] +
		h[3][own>>24&63] + h[4][own>>32&63] + h[5][own>>40&63] +
		h[6][opp&63] + h[7][opp>>8&63] + h[8][opp>>16&63] +
		h[9][opp>>24&63] + h[10][opp>>32&63] + h[11][opp>>40&63]
}

// Rounding is the most by which Evaluate differs from the fitted function, in
// centi-seeds: a half for the whole number, half a unit for each of 13 small entries, and
// for each of six pattern entries half of what a file keeps and half of its table's unit.
// The units follow from the largest entries: the champion's bound is 25, the root mean
// square of its errors 5.
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

// Header is what the weights file says of itself, and where the weights came from.
func (e *Evaluator) Header() features.Header { return e.header }

// Hash identifies what matters for play, the rules and the tables, in 16
// hexadecimal digits. It is the same whether the tables come from [Compile] or
// from a file.
func (e *Evaluator) Hash() string { return e.header.Play }
