package oware

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

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

// newPatternTables allocates the tables of all table sets together, so that most are in huge pages.
func newPatternTables(sets int) []patternTables {
	t := make([]patternTables, sets)
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
	a := s >> 9
	b := s >> 18
	first := s & low
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
	for _, t := range e.patterns[:e.tableSets()] {
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
func (e *Evaluator) Hash() string { return e.header.TablesHash }

// points returns the value of a pattern table's entry.
func (t *patternTables) points(pair, i int) float64 { return unitPoints * float64(t.worth(pair, i)) }

// unitPoints is the unit of the tables of stores and houses, in points.
const unitPoints = 1.0 / (1 << smallPlaces) / centi

// stageAt returns the stage of the game, which follows from the stores.
func (e *Evaluator) stageAt(p oware.Position) int {
	return int(e.stores[p.Store()<<6|p.OpponentStore()].stage)
}

// Places implements features.placedSet.
func (s *PatternSet) Places(p oware.Position) []features.Place { return houseBoard.Places(p) }

// Share implements features.placedSet: the houses of a column share it equally.
func (s *PatternSet) Share(column int, places []features.Place) []float64 {
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
		all = append(all, features.Part{
			Column: len(all),
			Name:   name,
			Value:  1,
			Points: points,
			Family: family,
			Shares: shareOf(at, 2*houseBoard.Side, points),
		})
	}
	own, other := p.Store(), p.OpponentStore()
	add("stores", fmt.Sprintf("stores %d-%d", own, other), nil, unitPoints*float64(e.stores[own<<6|other].value))
	stage := e.stageAt(p)
	for h, n := range seedsOf(p) {
		add("houses", fmt.Sprintf("house %c%d", houseNames[h], n), []uint8{uint8(h)},
			unitPoints*float64(e.house(stage, h, int(n))))
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

// Export implements [features.Tables].
func (e *Evaluator) Export(to io.Writer, format string) error {
	write, known := map[string]func(io.Writer) error{"json": e.writeJSON, "c": e.writeC}[format]
	if !known {
		return fmt.Errorf("export: format %q: expected json or c", format)
	}
	if err := write(to); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// table is one of an evaluator's tables, as in files and exports: rows of integers, in the order of
// the file's sections.
type table struct {
	name, c    string // c is the type of an entry in C
	rows, size int
	at         func(row, i int) int
}

// tables returns stores, houses and, if present, the units of patterns and the patterns. The first
// three are in 1/256 centi-seed, a pattern entry is in its row's unit.
func (e *Evaluator) tables() []table {
	all := []table{
		{"stores", "int32_t", counts, counts, func(own, other int) int { return int(e.stores[own<<6|other].value) }},
		{"houses", "int32_t", e.stages * houses, counts,
			func(row, n int) int { return int(e.house(row/houses, row%houses, n)) }},
	}
	if sets := e.tableSets(); sets > 0 {
		all = append(all,
			table{"units", "int32_t", sets, triplePairs, func(set, pair int) int { return int(e.patterns[set].units[pair]) }},
			table{"patterns", "int8_t", sets * triplePairs, patternSize,
				func(row, i int) int { return int(e.patterns[row/triplePairs].entries[row%triplePairs][i]) }})
	}
	return all
}

// writeJSON writes the header, stages, and the tables as lists of rows:
//
//	stores    [own store][other store], 64 × 64
//	houses    [stage·12 + house A…F a…f][seeds], 12·stages × 64
//	units     [stage][pair of triples], how many 1/256 centi-seeds an entry of patterns counts
//	patterns  [stage·6 + pair of triples][second triple·512 + first triple];
//	          six rows serve all stages if there are no more; both may be missing
//
// The package comment describes how the value is computed from them.
func (e *Evaluator) writeJSON(w io.Writer) error {
	head, err := json.MarshalIndent(e.header, "  ", "  ")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"header\": %s,\n  \"stages\": %d", head, e.stages)
	for _, t := range e.tables() {
		fmt.Fprintf(b, ",\n  %q: [", t.name)
		for row := range t.rows {
			if row > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n    [")
			for i := range t.size {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strconv.Itoa(t.at(row, i)))
			}
			b.WriteByte(']')
		}
		b.WriteString("\n  ]")
	}
	b.WriteString("\n}\n")
	return b.Flush()
}

// writeC writes the tables as C arrays with a function that reads them. It is C99 and needs only
// stdint.h.
func (e *Evaluator) writeC(w io.Writer) error {
	b := bufio.NewWriter(w)
	h := e.header
	about := fmt.Sprintf("weights %s of the set %s, rules %s, compiled %s", h.ModelHash, h.Set, h.Rules, h.TablesHash)
	fmt.Fprintf(b, "/* An evaluation function for oware, written by Kroo:\n * %s. */\n#include <stdint.h>\n\n",
		features.EscapeComment(about))
	fmt.Fprintf(b, "#define KROO_STAGES %d\n#define KROO_LOTS %d\n", e.stages, e.tableSets())
	for _, t := range e.tables() {
		fmt.Fprintf(b, "\nstatic const %s kroo_%s[%d][%d] = {", t.c, t.name, t.rows, t.size)
		for row := range t.rows {
			b.WriteString("{")
			for i := range t.size {
				if i%32 == 0 {
					b.WriteString("\n")
				}
				b.WriteString(strconv.Itoa(t.at(row, i)))
				b.WriteString(",")
			}
			b.WriteString("},\n")
		}
		b.WriteString("};\n")
	}
	b.WriteString(cReader)
	return b.Flush()
}

// cReader evaluates with the arrays that writeC writes. KROO_LOTS is the number of sets of pattern
// tables: none, one, or one per stage.
const cReader = `
/* The value of a position in centi-seeds for the player to move. own and other
 * are the seeds in houses A...F of a side, from its left, and in its store. */
int kroo_evaluate(const int own[7], const int other[7])
{
    static const int bucket[13] = {0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7};
    long value = kroo_stores[own[6]][other[6]] + 128; /* halves up */
    int stage = (48 - own[6] - other[6]) * KROO_STAGES / 49;
    int lot = KROO_LOTS > 1 ? stage : 0, triple[4] = {0, 0, 0, 0}, pair = 0, h, i, j;
    for (h = 0; h < 12; h++) {
        int n = h < 6 ? own[h] : other[h - 6];
        value += kroo_houses[stage * 12 + h][n];
        triple[h / 3] |= bucket[n < 12 ? n : 12] << 3 * (h % 3);
    }
#if KROO_LOTS
    for (i = 0; i < 4; i++)
        for (j = i + 1; j < 4; j++, pair++)
            value += (long)kroo_units[lot][pair] * kroo_patterns[lot * 6 + pair][triple[j] << 9 | triple[i]];
#else
    (void)lot, (void)triple, (void)pair, (void)i, (void)j;
#endif
    return (int)(value >= 0 ? value / 256 : -((255 - value) / 256)); /* round down */
}
`
