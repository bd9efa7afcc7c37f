package othello

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"kroo/features"
	"kroo/games/othello"
)

// maxStages is the maximum number of stages of a family.
const maxStages = 6

// tallies is the number of columns for a number of moves; 24 and more share one.
const tallies = 25

// family is a family of pattern features.
type family struct {
	name, about string
	kinds       func(othello.Rules) []*kind // nil for mobility
}

// families are in canonical order, both of columns in a row and of names in a spec.
var families = []family{
	{"rows", "rows and columns", rowKinds},
	{"diagonals", "diagonals of four squares and more", diagonalKinds},
	{"corners", "three by three squares in the corners", cornerKinds},
	{"mobility", "how many squares either side can put a disc on", nil},
}

// patternFamilies lists the families that parsePatterns accepts, each numbered from column 0 and
// without stages; nil for unknown rules.
func patternFamilies(rules string) (all []features.Family) {
	r, err := othello.ParseRules(rules)
	if err != nil {
		return nil
	}
	for _, f := range families {
		t := f.part(r, 0, 1)
		all = append(all, t.describe())
	}
	return all
}

// patternSet is a list of families of pattern features of a board, and the numbering of their
// columns, from the side to move's view. It implements [features.Columns]. It is immutable and safe
// for concurrent use.
//
// Rows, diagonals and corners have a column for each content: which of their squares have an own
// disc, one of the other side, or none. Places and contents that a symmetry of the board maps onto
// each other share their columns.
type patternSet struct {
	rules othello.Rules
	parts []part
	size  int
	name  string
	hash  string
}

// part is a family in a set.
type part struct {
	family
	kinds        []*kind
	from, stages int
	size         int // columns per stage
}

// parsePatterns parses a spec: names of families joined by plus signs, in any order, each once. A
// family followed by /2 to /6 has separate columns for each of that many equally wide stages of the
// game, by the number of discs on the board:
//
//	rows/4+diagonals/4+corners/4+mobility/4
func parsePatterns(r othello.Rules, spec string) (*patternSet, error) {
	var names, words []string
	for _, f := range families {
		names = append(names, f.name)
	}
	asked, err := features.ParseSpec(spec, names, maxStages)
	if err != nil {
		return nil, err
	}
	s := &patternSet{rules: r}
	h := sha256.New()
	for _, f := range families {
		stages := asked[f.name]
		if stages == 0 {
			continue
		}
		t := f.part(r, s.size, stages)
		s.parts, s.size = append(s.parts, t), s.size+t.size*stages
		word := f.name
		if stages > 1 {
			word += "/" + strconv.Itoa(stages)
		}
		words = append(words, word)
		fmt.Fprintf(h, "%s %d %d\n", word, t.from, t.size)
		for _, k := range t.kinds {
			fmt.Fprintln(h, k.name, k.cells, k.mirror, len(k.places))
		}
	}
	s.name = strings.Join(words, "+")
	fmt.Fprintln(h, "othello 1", r, tallies)
	s.hash = hex.EncodeToString(h.Sum(nil))[:16]
	return s, nil
}

// part is the family in a set, starting at a column.
func (f family) part(r othello.Rules, from, stages int) part {
	t := part{family: f, from: from, stages: stages, size: 2 * tallies}
	if f.kinds != nil {
		t.kinds, t.size = f.kinds(r), 0
		for _, k := range t.kinds {
			t.size += len(k.first)
		}
	}
	return t
}

func (t part) describe() features.Family {
	return features.Family{Name: t.name, About: t.about, From: t.from, To: t.from + t.size*t.stages, Stages: t.stages, Compiles: true}
}

// stageOf returns the stage of a position.
func stageOf(p othello.Position, stages int) int {
	n := p.Rules().Size()
	return p.Progress() * stages / (n*n + 1)
}

// AppendRow implements [features.Columns]; all values are one. A column appears twice if two places
// on the board have its content.
func (s *patternSet) AppendRow(ones []uint32, vals []features.Entry, p othello.Position) ([]uint32, []features.Entry) {
	mine, theirs := p.Discs()
	own, opp := viewOf(mine), viewOf(theirs)
	for i := range s.parts {
		t := &s.parts[i]
		from := uint32(t.from + stageOf(p, t.stages)*t.size)
		if t.kinds == nil {
			ours, others := mobility(p)
			ones = append(ones, from+uint32(ours), from+uint32(tallies+others))
		}
		for _, k := range t.kinds {
			for g := range k.places {
				ones = append(ones, from+k.column[k.places[g].index(&own, &opp)])
			}
			from += uint32(len(k.first))
		}
	}
	return ones, vals
}

// mobility counts the legal moves of either side, at most 24 each.
func mobility(p othello.Position) (own, opp int) {
	return min(bits.OnesCount64(p.Targets()), tallies-1), min(bits.OnesCount64(p.Play(othello.Pass).Targets()), tallies-1)
}

// String returns the canonical spec.
func (s *patternSet) String() string { return s.name }

// Hash identifies the set in 16 hexadecimal digits, which change when the meaning of a column does.
func (s *patternSet) Hash() string { return s.hash }

// Len returns the number of columns.
func (s *patternSet) Len() int { return s.size }

// Rules returns the board of the set.
func (s *patternSet) Rules() othello.Rules { return s.rules }

// Families lists the families of the set in column order.
func (s *patternSet) Families() (all []features.Family) {
	for _, t := range s.parts {
		all = append(all, t.describe())
	}
	return all
}

// ColumnName describes a column: "rows/4 row 1 XX.O.... stage 3", squares in the order of the
// pattern's digits. It panics if the set has no such column.
func (s *patternSet) ColumnName(column int) string {
	i := slices.IndexFunc(s.parts, func(t part) bool { return column < t.from+t.size*t.stages })
	if column < 0 || i < 0 {
		panic(fmt.Sprintf("features/othello: column %d: set %s has %d", column, s.name, s.size))
	}
	t := s.parts[i]
	local, stage := (column-t.from)%t.size, (column-t.from)/t.size
	text := t.name + " " + t.label(local)
	if t.stages > 1 {
		text += fmt.Sprintf(" stage %d of %d", stage+1, t.stages)
	}
	return text
}

func (t part) label(local int) string {
	if t.kinds == nil {
		return fmt.Sprintf("%s moves %d", [2]string{"own", "other"}[local/tallies], local%tallies)
	}
	for _, k := range t.kinds {
		if local < len(k.first) {
			return k.label(local)
		}
		local -= len(k.first)
	}
	panic("features/othello: a column beyond its family")
}
