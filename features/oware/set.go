package oware

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"kroo/features"
	"kroo/games"
	"kroo/games/oware"
)

// Set is a list of families of features, and the numbering of their columns. It implements
// [features.Columns]. It is immutable and safe for concurrent use.
type Set struct {
	parts []part
	size  int
	name  string
	hash  string
}

// part is a family in a set: its columns, starting at from, repeated for each stage of the game.
type part struct {
	*family
	from, stages int
}

// allFamilies lists all families, each numbered from column 0.
func allFamilies() []features.Family {
	var all []features.Family
	for _, f := range families {
		all = append(all, part{f, 0, 1}.describe())
	}
	return all
}

func (t part) describe() features.Family {
	return features.Family{Name: t.name, About: t.about, From: t.from, To: t.from + t.columns(), Stages: t.stages, Compiles: t.compiles()}
}

func (t part) columns() int { return t.size * t.stages }

// Parse parses a spec ([features.ParseSpec]) with up to 4 stages of the game: equally wide ranges
// of the seeds in play. All families of a set that have stages must have the same number of them:
//
//	store+houses+pairs/3+triples/3
func Parse(spec string) (*Set, error) {
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	asked, err := features.ParseSpec(spec, names, maxStages)
	if err != nil {
		return nil, err
	}
	s, staged := new(Set), 1
	for _, f := range families {
		stages := asked[f.name]
		switch {
		case stages == 0:
			continue
		case stages > 1 && f.timed:
			return nil, fmt.Errorf("feature set %s: family %s: expected no stages, since it already distinguishes the seeds in play", games.Quote(spec), f.name)
		case stages > 1 && staged > 1 && stages != staged:
			return nil, fmt.Errorf("feature set %s: family %s has %d stages: expected as many stages as other families have, %d", games.Quote(spec), f.name, stages, staged)
		}
		t := part{f, s.size, stages}
		s.parts, s.size, staged = append(s.parts, t), s.size+t.columns(), max(staged, stages)
	}
	s.name = s.spec()
	s.hash = s.makeHash()
	return s, nil
}

// spec returns the canonical spec.
func (s *Set) spec() string {
	var words []string
	for _, t := range s.parts {
		if t.stages > 1 {
			words = append(words, fmt.Sprintf("%s/%d", t.name, t.stages))
		} else {
			words = append(words, t.name)
		}
	}
	return strings.Join(words, "+")
}

// makeHash digests the spec and its meaning.
func (s *Set) makeHash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %v %v\n", s.name, s.size, bucketFrom, exactCap)
	for _, t := range s.parts {
		fmt.Fprintf(h, "%s %q %d %d\n", t.name, t.about, t.from, t.columns())
		if t.patterns != nil {
			fmt.Fprintln(h, t.patterns)
			continue
		}
		for i := range t.size {
			fmt.Fprintln(h, t.label(i))
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// String returns the canonical spec: families in column order.
func (s *Set) String() string { return s.name }

// Len returns the number of columns.
func (s *Set) Len() int { return s.size }

// Hash identifies the set in 16 hexadecimal digits, which change when the meaning of a column does.
func (s *Set) Hash() string { return s.hash }

// Families lists the families of the set in column order.
func (s *Set) Families() []features.Family {
	var all []features.Family
	for _, t := range s.parts {
		all = append(all, t.describe())
	}
	return all
}

// find returns the family of a column, the column within it, and its stage. It panics if the set
// has no such column.
func (s *Set) find(column int) (t part, local, stage int) {
	if column < 0 || column >= s.size {
		panic(fmt.Sprintf("features/oware: column %d: set %s has %d", column, s.name, s.size))
	}
	i := slices.IndexFunc(s.parts, func(t part) bool { return column < t.from+t.columns() })
	t = s.parts[i]
	column -= t.from
	return t, column % t.size, column / t.size
}

// ColumnName describes a column, with its range of seeds in play if it has a stage: "houses A12",
// "pairs/3 A0 c4-5 in play 17-32". It panics if the set has no such column.
func (s *Set) ColumnName(column int) string {
	t, local, stage := s.find(column)
	if t.stages == 1 {
		return t.name + " " + t.column(local)
	}
	from, to := stageBounds(t.stages, stage)
	return fmt.Sprintf("%s/%d %s in play %d-%d", t.name, t.stages, t.column(local), from, to)
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
