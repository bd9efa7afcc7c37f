package othello

import (
	"fmt"
	"io"
	"math/bits"

	"kroo/features"
	"kroo/games/othello"
)

// maxStages is the maximum number of stages of a family.
const maxStages = 6

// tallies is the number of columns for a number of moves; 24 and more share one.
const tallies = 25

// family is a family of pattern features of a board.
type family struct {
	features.Family
	kinds []*kind // nil for mobility
}

// familiesOf returns the families of a board in canonical order, both of columns in a row and of
// names in a spec.
func familiesOf(r othello.Rules) []family {
	all := []family{
		{features.Family{Name: "rows", About: "rows and columns"}, rowKinds(r)},
		{features.Family{Name: "diagonals", About: "diagonals of four squares and more"}, diagonalKinds(r)},
		{features.Family{Name: "corners", About: "three by three squares in the corners"}, cornerKinds(r)},
		{features.Family{Name: "mobility", About: "how many squares either side can put a disc on", To: 2 * tallies}, nil},
	}
	for i := range all {
		f := &all[i]
		f.Stages, f.Compiles = 1, true
		for _, k := range f.kinds {
			f.To += len(k.first)
		}
	}
	return all
}

func (f family) describe() features.Family { return f.Family }

// patternFamilies lists the families that parsePatterns accepts, each numbered from column 0 and
// without stages; nil for unknown rules.
func patternFamilies(rules string) (all []features.Family) {
	r, err := othello.ParseRules(rules)
	if err != nil {
		return nil
	}
	for _, f := range familiesOf(r) {
		all = append(all, f.Family)
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
	*features.Numbered[family]
	rules othello.Rules
}

// parsePatterns parses a spec: names of families joined by plus signs, in any order, each once. A
// family followed by /2 to /6 has separate columns for each of that many equally wide stages of the
// game, by the number of discs on the board:
//
//	rows/4+diagonals/4+corners/4+mobility/4
func parsePatterns(r othello.Rules, spec string) (*patternSet, error) {
	s, err := features.Number(spec, familiesOf(r), family.describe, maxStages, func(w io.Writer, s *features.Numbered[family]) {
		for _, t := range s.Parts {
			fmt.Fprintf(w, "%s %d %d\n", t.Spec(), t.From, t.Size)
			for _, k := range t.Of.kinds {
				fmt.Fprintln(w, k.name, k.cells, k.mirror, len(k.places))
			}
		}
		fmt.Fprintln(w, "othello 1", r, tallies)
	})
	if err != nil {
		return nil, err
	}
	return &patternSet{s, r}, nil
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
	for i := range s.Parts {
		t := &s.Parts[i]
		from := uint32(t.From + stageOf(p, t.Stages)*t.Size)
		if t.Of.kinds == nil {
			ours, others := mobility(p)
			ones = append(ones, from+uint32(ours), from+uint32(tallies+others))
		}
		for _, k := range t.Of.kinds {
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

// Rules returns the board of the set.
func (s *patternSet) Rules() othello.Rules { return s.rules }

// ColumnName describes a column: "rows/4 row 1 XX.O.... stage 3", squares in the order of the
// pattern's digits. It panics if the set has no such column.
func (s *patternSet) ColumnName(column int) string {
	t, local, stage := s.Find(column)
	text := t.Name + " " + t.Of.label(local)
	if t.Stages > 1 {
		text += fmt.Sprintf(" stage %d of %d", stage+1, t.Stages)
	}
	return text
}

func (f family) label(local int) string {
	if f.kinds == nil {
		return fmt.Sprintf("%s moves %d", [2]string{"own", "other"}[local/tallies], local%tallies)
	}
	for _, k := range f.kinds {
		if local < len(k.first) {
			return k.label(local)
		}
		local -= len(k.first)
	}
	panic("features/othello: a column beyond its family")
}
