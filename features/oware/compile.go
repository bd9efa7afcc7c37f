package oware

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/games/oware"
	"kroo/internal/parallel"
)

// Compile returns the evaluator of a model. It refuses weights so large that an entry does not fit.
func Compile(m *Model) (*Evaluator, error) {
	c, err := compile(m)
	return c.Evaluator, err
}

// compilation is an evaluator with the pattern tables as stored in its file.
type compilation struct {
	*Evaluator
	fine [maxStages]*fineTables // one per table set; nil if no family has patterns
}

func compile(m *Model) (c compilation, err error) {
	if err := m.Check(); err != nil {
		return c, fmt.Errorf("compile: %w", err)
	}
	stages, sets := 1, 0
	for _, t := range m.Set.(*PatternSet).parts {
		if t.of.ofStores == nil {
			stages = max(stages, t.Stages)
		}
		if t.of.patterns != nil {
			sets = max(sets, t.Stages)
		}
	}
	exact := make([][triplePairs][]float64, sets)
	for set := range exact {
		addPatterns(&exact[set], m, set)
	}
	c.Evaluator = &Evaluator{stages: stages, shift: smallPlaces - placesThatFit(exact), header: m.Header()}
	if err := cmp.Or(c.roundSmall(m), c.roundPatterns(exact)); err != nil {
		return compilation{}, fmt.Errorf("compile: %w", err)
	}
	c.header.TablesHash = c.digest()
	return c, nil
}

// roundSmall makes the tables of stores and houses.
func (e *Evaluator) roundSmall(m *Model) error {
	for own := range counts {
		for other := range counts {
			v, err := roundSmall(storesExactly(m, own, other))
			if err != nil {
				return fmt.Errorf("stores %d and %d: %w", own, other, err)
			}
			e.setStore(own, other, v)
		}
	}
	for stage := range e.stages {
		for h := range houses {
			for n := range counts {
				v, err := roundSmall(houseExactly(m, stage, h, n))
				if err != nil {
					return fmt.Errorf("house %c with %d seeds: %w", houseNames[h], n, err)
				}
				e.setHouse(stage, h, n, v)
			}
		}
	}
	e.joinHouses()
	return nil
}

// storesExactly returns the value in centi-seeds of the families that depend on the stores alone,
// evaluated at any position with these stores.
func storesExactly(m *Model, own, other int) (value float64) {
	rest := oware.Seeds - own - other
	if rest < 0 {
		return 0
	}
	for _, t := range m.Set.(*PatternSet).parts {
		if t.of.ofStores != nil {
			column, v := t.of.ofStores(own, other)
			value += centi * m.Weights[t.From+stageOf(t.Stages, rest)*t.size+column] * float64(v)
		}
	}
	return value
}

// houseExactly returns the value in centi-seeds of a house with n seeds at a stage.
func houseExactly(m *Model, stage, h, n int) (value float64) {
	for _, t := range m.Set.(*PatternSet).parts {
		if t.of.exact() && n <= oware.Seeds {
			value += centi * columnsOf(m, t, stage)[exactColumn(h, n)]
		}
	}
	return value
}

// columnsOf returns the weights of a family at a stage of the evaluator.
func columnsOf(m *Model, t part, stage int) []float64 {
	if t.Stages == 1 {
		stage = 0
	}
	return m.Weights[t.From+stage*t.size:][:t.size]
}

// slotted is a pattern at its place in a table, with its weights.
type slotted struct {
	places  []uint8
	weights []float64
}

// addPatterns fills the pattern tables of a stage, in centi-seeds, several concurrently.
func addPatterns(tables *[triplePairs][]float64, m *Model, stage int) {
	var byPair [triplePairs][]slotted
	for _, t := range m.Set.(*PatternSet).parts {
		if t.of.patterns == nil {
			continue
		}
		w := columnsOf(m, t, stage)
		for _, pat := range t.of.patterns {
			pair, places, _ := pat.slot()
			byPair[pair] = append(byPair[pair], slotted{places, w[:pat.size()]})
			w = w[pat.size():]
		}
	}
	parallel.For(0, len(byPair), func(_, pair int) {
		tables[pair] = make([]float64, patternSize)
		fill(tables[pair], byPair[pair])
	})
}

// fill adds the weights of the patterns to the entries of one table.
func fill(table []float64, ps []slotted) {
	for _, t := range ps {
		low, high := t.columns(0), t.columns(tripleHouses)
		for i, from := range high {
			row := table[i<<tripleBits:][:1<<tripleBits]
			for j := range row {
				row[j] += centi * t.weights[from|low[j]]
			}
		}
	}
}

// columns returns, for each index of the triple whose houses have the places from, from+1 and
// from+2, the part of the pattern's column that these houses contribute.
func (t slotted) columns(from uint8) (c [1 << tripleBits]uint32) {
	for i := range c {
		for k, place := range t.places {
			if place >= from && place < from+tripleHouses {
				c[i] |= uint32(i>>(bucketBits*(place-from))%buckets) << (bucketBits * k)
			}
		}
	}
	return c
}

// roundPatterns makes the pattern tables: one table set per stage, or one for the whole game.
func (c *compilation) roundPatterns(exact [][triplePairs][]float64) error {
	unit := float64(int(1) << (smallPlaces - c.shift))
	for set := range exact {
		c.patterns[set], c.fine[set] = &newPatternTables(1)[0], new(fineTables)
		for pair, table := range exact[set] {
			to := &c.fine[set][pair]
			if err := to.roundToInt16(table, unit); err != nil {
				return fmt.Errorf("houses %s: %w", sixes()[pair], err)
			}
			c.patterns[set].roundToInt8(pair, to, c.shift)
		}
	}
	c.repeatPatterns(len(exact))
	return nil
}

// repeatPatterns uses the first set of tables at all stages that have none.
func (e *Evaluator) repeatPatterns(sets int) {
	for stage := sets; sets > 0 && stage < e.stages; stage++ {
		e.patterns[stage] = e.patterns[0]
	}
}

// joinHouses makes the tables of two houses from those of one.
func (e *Evaluator) joinHouses() {
	for stage := range e.stages {
		h := &e.houses[stage]
		for i := range e.twos[stage] {
			for n := range e.twos[stage][i] {
				e.twos[stage][i][n] = h[2*i][n&15] + h[2*i+1][n>>4]
			}
		}
	}
}

// setStore sets the value of two stores, in 2^-smallPlaces centi-seeds.
func (e *Evaluator) setStore(own, other int, v int32) {
	inPlay := max(0, oware.Seeds-own-other)
	e.stores[own<<6|other] = storeEntry{v, int32(stageOf(e.stages, inPlay))}
}

// setHouse sets the value of a house, and its bucket.
func (e *Evaluator) setHouse(stage, h, n int, v int32) {
	e.houses[stage][h][n] = uint64(int64(v))<<bucketsBits | uint64(bucketOf[n])<<(bucketBits*h)
}

// maxSmall is the largest entry of stores and houses in centi-seeds: a sum of thirteen must fit
// into the bits above bucketsBits of a word.
const maxSmall = 40_000

func roundSmall(x float64) (int32, error) {
	if math.Abs(x) > maxSmall {
		return 0, tooLarge(x, maxSmall)
	}
	return int32(math.Round(x * (1 << smallPlaces))), nil
}

func tooLarge(x, most float64) error {
	return fmt.Errorf("the weights add up to %.0f points: expected at most %.0f either way; fit with a larger ridge",
		x/centi, most/centi)
}

// tableFamilies are the families with the same content as an evaluator's tables, entry by entry.
var tableFamilies = []string{"storephase", "houses", "sixes"}

// decompile makes a model with the function of a compiled file, so that a fit can use compiled
// weights as its prior without their model. The set s needs the families storephase, houses and
// sixes, which get all the weights; other families get 0. If the evaluator has no stages, a family
// with stages gets the same weights in each. An evaluator with stages needs a set with as many.
func decompile(e compilation, s *PatternSet) (*Model, error) {
	weights := make([]float64, s.Len())
	found := 0
	for _, t := range s.parts {
		if !slices.Contains(tableFamilies, t.Name) {
			continue
		}
		found++
		if e.stages > 1 && t.of.ofStores == nil && t.Stages != e.stages {
			return nil, fmt.Errorf("compiled weights with %d stages of the game: expected a set with "+
				"houses/%[1]d and sixes/%[1]d", e.stages)
		}
		for stage := range t.Stages {
			w := weights[t.From+stage*t.size:][:t.size]
			from := min(stage, e.stages-1)
			switch {
			case t.of.ofStores != nil:
				e.storeWeights(w)
			case t.of.exact():
				e.houseWeights(from, w)
			default:
				e.patternWeights(from, w, t.of.patterns)
			}
		}
	}
	if found < len(tableFamilies) {
		return nil, fmt.Errorf("set %s: expected one with the families storephase, houses and sixes, "+
			"of which compiled weights consist", s)
	}
	m, err := Sets.NewModel(e.header.Rules, s, weights, e.header.Provenance)
	if err == nil {
		m.Calibration = e.header.Calibration
	}
	return m, err
}

// storeWeights sets the weights of storephase.
func (e *Evaluator) storeWeights(w []float64) {
	for own := range oware.Seeds + 1 {
		for other := range oware.Seeds + 1 - own {
			w[storePair(own, other)] = inPoints(int(e.stores[own<<6|other].value))
		}
	}
}

// houseWeights sets the weights of houses at a stage.
func (e *Evaluator) houseWeights(stage int, w []float64) {
	for h := range houses {
		for n := range exactCap + 1 {
			w[exactColumn(h, n)] = inPoints(int(e.house(stage, h, n)))
		}
	}
}

// patternWeights sets the weights of sixes at a stage: each of its patterns is a table.
func (c compilation) patternWeights(stage int, w []float64, patterns []pattern) {
	fine := c.fine[min(stage, max(c.tableSets()-1, 0))]
	for _, t := range patterns {
		if pair, _, ok := t.slot(); ok && fine != nil {
			for i, v := range fine[pair] {
				w[i] = inPoints(int(v) << c.shift)
			}
		}
		w = w[t.size():]
	}
}

// inPoints converts 2^-smallPlaces centi-seeds to points.
func inPoints(v int) float64 { return float64(v) / (1 << smallPlaces) / centi }
