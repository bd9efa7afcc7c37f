package oware

import (
	"fmt"

	"kroo/games/oware"
)

// family is a kind of features. Exactly one of patterns, exact, indices and value defines its
// columns.
type family struct {
	name, about string
	size        int // columns

	patterns []pattern                                     // a column for each combination of buckets
	padded   []padded                                      // patterns, as rows use them
	exact    bool                                          // a column for each house and number of seeds
	indices  func(dst []uint32, p oware.Position) []uint32 // appends the columns that are one, equally many for any position
	value    func(p oware.Position) float32                // the value of the single column
	label    func(column int) string                       // with indices or value

	ofStores bool // indices or value depend on the two stores alone
	timed    bool // depends on seeds in play by itself: no stages
}

// families are in canonical order, both of columns in a row and of names in a spec.
var families = []*family{
	{
		name: "store", about: "own store minus the other, in seeds", size: 1, ofStores: true,
		value: func(p oware.Position) float32 { return float32(p.Store() - p.OpponentStore()) },
		label: func(int) string { return "difference" },
	},
	{
		name: "phase", about: "seeds in play: what it is worth to be on the move then", size: oware.Seeds + 1, ofStores: true, timed: true,
		indices: func(dst []uint32, p oware.Position) []uint32 { return append(dst, uint32(p.SeedsInPlay())) },
		label:   func(i int) string { return fmt.Sprintf("in play %d", i) },
	},
	{
		name: "storephase", about: "both stores: the difference given the seeds in play", size: storePairs, ofStores: true, timed: true,
		indices: func(dst []uint32, p oware.Position) []uint32 {
			return append(dst, uint32(storePair(p.Store(), p.OpponentStore())))
		},
		label: storePairLabel,
	},
	{
		name: "houses", about: "exact seeds of a house, up to 23 and more", size: houses * (exactCap + 1), exact: true,
		label: func(i int) string {
			return fmt.Sprintf("%c%d%s", houseNames[i/(exactCap+1)], i%(exactCap+1), map[bool]string{true: "+"}[i%(exactCap+1) == exactCap])
		},
	},
	patterned("adjacent", "two neighbouring houses, round the board", windows(2)),
	patterned("pairs", "any two houses", allPairs()),
	patterned("blocks", "the four aligned triples ABC DEF abc def", blocks()),
	patterned("triples", "three neighbouring houses, round the board", windows(3)),
	patterned("fours", "four neighbouring houses, round the board", windows(4)),
	patterned("quads", "two houses from each of two aligned triples", quads()),
	patterned("rows", "the whole row of either side", rows()),
	patterned("sixes", "the six houses of two aligned triples", sixes()),
	patterned("runs", "six neighbouring houses, round the board", windows(6)),
	{
		name: "mobility", about: "how many legal moves either side would have", size: 2 * tallies, indices: mobility,
		label: tallyLabel("own moves", "other moves"),
	},
	{
		name: "threats", about: "how many single seeds and pairs either side would capture directly", size: 4 * tallies, indices: threats,
		label: tallyLabel("threats to ones", "threats to twos", "own ones threatened", "own twos threatened"),
	},
	{
		name: "tempo", about: "how many houses either side can sow without feeding the other", size: 2 * tallies, indices: tempo,
		label: tallyLabel("own waiting moves", "other waiting moves"),
	},
	{
		name: "gains", about: "what every house would capture, and both sides' best captures", size: gainColumns, indices: capturable,
		label: gainLabel,
	},
	{
		name: "trades", about: "either side's best capture with the reply, and the most it can capture over the reply", size: tradeColumns, indices: trades,
		label: tradeLabel,
	},
}

func patterned(name, about string, ps []pattern) *family {
	f := &family{name: name, about: about, patterns: ps, padded: pad(ps)}
	for _, t := range ps {
		f.size += t.size()
	}
	return f
}

// storePairs is the number of pairs of stores with at most 48 seeds together.
const storePairs = (oware.Seeds + 1) * (oware.Seeds + 2) / 2

// storePair numbers pairs of stores: 0 for both empty, then by captured seeds and own store.
func storePair(own, other int) int { n := own + other; return n*(n+1)/2 + own }

func storePairLabel(i int) string {
	n := 0
	for (n+1)*(n+2)/2 <= i {
		n++
	}
	own := i - n*(n+1)/2
	return fmt.Sprintf("stores %d-%d", own, n-own)
}

// pattern returns the pattern of a column of the family, and the column within it.
func (f *family) pattern(column int) (pattern, int) {
	for _, t := range f.patterns {
		if column < t.size() {
			return t, column
		}
		column -= t.size()
	}
	panic(fmt.Sprintf("features/oware: family %s has %d columns", f.name, f.size))
}

// column describes a column: "A0 c4-5".
func (f *family) column(i int) string {
	if f.patterns != nil {
		t, i := f.pattern(i)
		return t.label(i)
	}
	return f.label(i)
}

// touches lists the houses of a column; it is empty if the column is not about single houses.
func (f *family) touches(i int) []uint8 {
	switch {
	case f.patterns != nil:
		t, _ := f.pattern(i)
		return t
	case f.exact:
		return []uint8{uint8(i / (exactCap + 1))}
	}
	return nil
}
