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
	"kroo/internal/wording"
)

// PatternSet is a list of families of features, and the numbering of their columns. It implements
// [features.ColumnSet]. It is immutable and safe for concurrent use.
type PatternSet struct {
	parts      []part
	size       int
	name, hash string
}

// part is a family in a set: its columns, repeated for each stage.
type part struct {
	features.Family
	of   *family
	size int // columns of a stage
}

// Parse parses the spec of a set: some of the families joined by plus signs, in any order, each
// once. A family followed by /2 to /4 has separate columns for each of that many stages of the
// game, equally wide ranges of the seeds in play. All families of a set that have stages must have
// the same number of them:
//
//	store+houses+pairs/3+triples/3
func Parse(spec string) (*PatternSet, error) {
	asked, err := parseSpec(spec)
	if err != nil {
		return nil, fmt.Errorf("feature set %s: %w", games.Quote(spec), err)
	}
	s := new(PatternSet)
	var words []string
	for _, f := range families {
		stages := asked[f.name]
		if stages == 0 {
			continue
		}
		t := part{features.Family{Name: f.name, About: f.about, From: s.size, To: s.size + f.size*stages,
			Stages: stages}, f, f.size}
		s.parts = append(s.parts, t)
		s.size = t.To
		words = append(words, t.spec())
	}
	s.name = strings.Join(words, "+")
	s.hash = s.digest()
	return s, nil
}

// parseSpec returns the number of stages by family, 1 by default.
func parseSpec(spec string) (map[string]int, error) {
	asked, staged := map[string]int{}, 1
	for word := range strings.SplitSeq(spec, "+") {
		name, digits, several := strings.Cut(word, "/")
		stages := 1
		if several && len(digits) == 1 {
			stages = int(digits[0]) - '0'
		}
		at := slices.IndexFunc(families, func(f *family) bool { return f.name == name })
		switch {
		case at < 0:
			return nil, fmt.Errorf("%s is not a family: %s, joined by +",
				games.Quote(name), wording.Expect(name, familyNames()))
		case several && (stages < 2 || stages > maxStages):
			return nil, fmt.Errorf("%s has %s stages: expected 2 to %d after the stroke", name, games.Quote(digits), maxStages)
		case asked[name] != 0:
			return nil, fmt.Errorf("family %s: expected once", name)
		case several && families[at].timed:
			return nil, fmt.Errorf("family %s: expected no stages, since it already distinguishes the seeds in play", name)
		case several && staged > 1 && stages != staged:
			return nil, fmt.Errorf("family %s has %d stages: expected as many stages as other families have, %d",
				name, stages, staged)
		}
		asked[name], staged = stages, max(staged, stages)
	}
	return asked, nil
}

func familyNames() (names []string) {
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

// allFamilies lists all families, each numbered from column 0.
func allFamilies() (all []features.Family) {
	for _, f := range families {
		all = append(all, features.Family{Name: f.name, About: f.about, To: f.size, Stages: 1})
	}
	return all
}

// spec returns the family's word in the spec.
func (t part) spec() string {
	if t.Stages == 1 {
		return t.Name
	}
	return fmt.Sprintf("%s/%d", t.Name, t.Stages)
}

// digest is a hash of the spec and its meaning.
func (s *PatternSet) digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %v %v\n", s, s.size, bucketFrom, exactCap)
	for _, t := range s.parts {
		fmt.Fprintf(h, "%s %q %d %d\n", t.Name, t.About, t.From, t.To-t.From)
		if t.of.patterns != nil {
			fmt.Fprintln(h, t.of.patterns)
			continue
		}
		for i := range t.size {
			fmt.Fprintln(h, t.of.label(i))
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// String returns the canonical spec: families in column order.
func (s *PatternSet) String() string { return s.name }

// Hash implements [features.ColumnSet].
func (s *PatternSet) Hash() string { return s.hash }

// Len returns the number of columns.
func (s *PatternSet) Len() int { return s.size }

// Families lists the families of the set in column order.
func (s *PatternSet) Families() (all []features.Family) {
	for _, t := range s.parts {
		all = append(all, t.Family)
	}
	return all
}

// find returns the family of a column, the column within it, and its stage. It panics if the set
// has no such column.
func (s *PatternSet) find(column int) (t part, local, stage int) {
	if column < 0 || column >= s.size {
		panic(fmt.Sprintf("features/oware: column %d: set %s has %d", column, s.name, s.size))
	}
	t = s.parts[slices.IndexFunc(s.parts, func(t part) bool { return column < t.To })]
	column -= t.From
	return t, column % t.size, column / t.size
}

// ColumnName describes a column, with its range of seeds in play if it has a stage: "houses A12",
// "pairs/3 A0 c4-5 in play 17-32". It panics if the set has no such column.
func (s *PatternSet) ColumnName(column int) string {
	t, local, stage := s.find(column)
	name := t.spec() + " " + t.of.column(local)
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

// AppendRow implements [features.ColumnSet]. Both slices are ascending, and their lengths are the
// same for all positions.
func (s *PatternSet) AppendRow(ones []uint32, vals []features.Entry, p oware.Position) ([]uint32, []features.Entry) {
	var b [16]uint8 // of the houses, and of noHouse
	bucketed := bucketsOf(p)
	copy(b[:], bucketed[:])
	inPlay := p.SeedsInPlay()
	for i := range s.parts {
		t := &s.parts[i]
		from := uint32(t.From)
		if t.Stages > 1 {
			from += uint32(stageOf(t.Stages, inPlay) * t.size)
		}
		switch f := t.of; {
		case f.padded != nil:
			ones = appendPatterns(ones, from, f.padded, &b)
		case f.exact():
			for h, n := range seedsOf(p) {
				ones = append(ones, from+uint32(exactColumn(h, int(n))))
			}
		default:
			column, value := f.ofStores(p.Store(), p.OpponentStore())
			if f.size > 1 {
				ones = append(ones, from+uint32(column))
			} else {
				vals = append(vals, features.Entry{Index: from, Value: float32(value)})
			}
		}
	}
	return ones, vals
}

// padded is a pattern prepared for rows: padded to six houses with noHouse, whose bucket is always
// 0; and its first column.
type padded struct {
	at   [patternHouses]uint8
	from uint32
}

const noHouse = houses

func pad(ps []pattern) (all []padded) {
	from := uint32(0)
	for _, t := range ps {
		x := padded{from: from}
		for k := range x.at {
			x.at[k] = noHouse
		}
		copy(x.at[:], t)
		all = append(all, x)
		from += uint32(t.size())
	}
	return all
}

// appendPatterns appends pattern.column of every pattern. It is unrolled, since it makes up nearly
// all of a row.
func appendPatterns(ones []uint32, from uint32, ps []padded, b *[16]uint8) []uint32 {
	for i := range ps {
		t := &ps[i]
		ones = append(ones, from+t.from+
			(uint32(b[t.at[0]&15])|uint32(b[t.at[1]&15])<<3|uint32(b[t.at[2]&15])<<6|
				uint32(b[t.at[3]&15])<<9|uint32(b[t.at[4]&15])<<12|uint32(b[t.at[5]&15])<<15))
	}
	return ones
}

// exactColumn returns the column of a house with n seeds in the family of exact counts.
func exactColumn(house, n int) int { return house*(exactCap+1) + min(n, exactCap) }

// family is a kind of features: patterns, values of the two stores, or else exact counts of houses.
type family struct {
	name, about string
	size        int // columns

	patterns []pattern // a column for each combination of buckets
	padded   []padded  // patterns, as rows use them
	// ofStores returns the column that is not zero, and its value, which is 1 if there are several
	// columns.
	ofStores func(own, other int) (column, value int)
	label    func(column int) string // of columns that are not patterns
	timed    bool                    // depends on seeds in play by itself: no stages
}

// families are in canonical order, both of columns in a row and of names in a spec.
var families = []*family{
	{
		name: "store", about: "own store minus the other, in seeds", size: 1,
		ofStores: func(own, other int) (column, value int) { return 0, own - other },
		label:    func(int) string { return "difference" },
	},
	{
		name: "phase", about: "seeds in play: what it is worth to be on the move then", size: oware.Seeds + 1, timed: true,
		ofStores: func(own, other int) (column, value int) { return oware.Seeds - own - other, 1 },
		label:    func(i int) string { return fmt.Sprintf("in play %d", i) },
	},
	{
		name: "storephase", about: "both stores: the difference given the seeds in play", size: storePairs, timed: true,
		ofStores: func(own, other int) (column, value int) { return storePair(own, other), 1 },
		label:    storePairLabel,
	},
	{
		name: "houses", about: "exact seeds of a house, up to 23 and more", size: houses * (exactCap + 1),
		label: func(i int) string {
			house, seeds := houseNames[i/(exactCap+1)], i%(exactCap+1)
			if seeds == exactCap {
				return fmt.Sprintf("%c%d+", house, seeds)
			}
			return fmt.Sprintf("%c%d", house, seeds)
		},
	},
	newPatternFamily("adjacent", "two neighbouring houses, round the board", windows(2)),
	newPatternFamily("pairs", "any two houses", allPairs()),
	newPatternFamily("blocks", "the four aligned triples ABC DEF abc def", blocks()),
	newPatternFamily("triples", "three neighbouring houses, round the board", windows(3)),
	newPatternFamily("fours", "four neighbouring houses, round the board", windows(4)),
	newPatternFamily("quads", "two houses from each of two aligned triples", quads()),
	newPatternFamily("rows", "the whole row of either side", rows()),
	newPatternFamily("sixes", "the six houses of two aligned triples", sixes()),
}

// exact reports whether the family counts exactly.
func (f *family) exact() bool { return f.patterns == nil && f.ofStores == nil }

func newPatternFamily(name, about string, ps []pattern) *family {
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
	case f.exact():
		return []uint8{uint8(i / (exactCap + 1))}
	}
	return nil
}
