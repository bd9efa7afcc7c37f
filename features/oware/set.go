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
