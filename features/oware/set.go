package oware

import (
	"fmt"
	"io"

	"kroo/features"
	"kroo/games"
	"kroo/games/oware"
)

// Set is a list of families of features, and the numbering of their columns. It implements
// [features.Columns]. It is immutable and safe for concurrent use.
type Set struct{ *features.Numbered[*family] }

// part is a family in a set.
type part = features.NumberedPart[*family]

// allFamilies lists all families, each numbered from column 0.
func allFamilies() (all []features.Family) {
	for _, f := range families {
		all = append(all, f.describe())
	}
	return all
}

func (f *family) describe() features.Family {
	return features.Family{Name: f.name, About: f.about, To: f.size, Stages: 1, Compiles: f.compiles()}
}

// Parse parses a spec ([features.Number]) with up to 4 stages of the game: equally wide ranges
// of the seeds in play. All families of a set that have stages must have the same number of them:
//
//	store+houses+pairs/3+triples/3
func Parse(spec string) (*Set, error) {
	s, err := features.Number(spec, families, (*family).describe, maxStages, digest)
	if err != nil {
		return nil, err
	}
	staged := 1
	for _, t := range s.Parts {
		switch {
		case t.Stages > 1 && t.Of.timed:
			return nil, fmt.Errorf("feature set %s: family %s: expected no stages, since it already distinguishes the seeds in play", games.Quote(spec), t.Name)
		case t.Stages > 1 && staged > 1 && t.Stages != staged:
			return nil, fmt.Errorf("feature set %s: family %s has %d stages: expected as many stages as other families have, %d", games.Quote(spec), t.Name, t.Stages, staged)
		}
		staged = max(staged, t.Stages)
	}
	return &Set{s}, nil
}

// digest writes the spec and its meaning.
func digest(w io.Writer, s *features.Numbered[*family]) {
	fmt.Fprintf(w, "%s %d %v %v\n", s, s.Len(), bucketFrom, exactCap)
	for _, t := range s.Parts {
		fmt.Fprintf(w, "%s %q %d %d\n", t.Name, t.About, t.From, t.To-t.From)
		if t.Of.patterns != nil {
			fmt.Fprintln(w, t.Of.patterns)
			continue
		}
		for i := range t.Size {
			fmt.Fprintln(w, t.Of.label(i))
		}
	}
}

// ColumnName describes a column, with its range of seeds in play if it has a stage: "houses A12",
// "pairs/3 A0 c4-5 in play 17-32". It panics if the set has no such column.
func (s *Set) ColumnName(column int) string {
	t, local, stage := s.Find(column)
	name := t.Spec() + " " + t.Of.column(local)
	if t.Stages > 1 {
		from, to := stageBounds(t.Stages, stage)
		name += fmt.Sprintf(" in play %d-%d", from, to)
	}
	return name
}

// stageBounds returns the smallest and the largest number of seeds in play of a stage.
func stageBounds(stages, stage int) (from, to int) {
	for stageOf(stages, from) != stage {
		from++
	}
	to = from
	for to < oware.Seeds && stageOf(stages, to+1) == stage {
		to++
	}
	return from, to
}

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
