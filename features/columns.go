package features

import (
	"fmt"
	"slices"
	"strings"

	"kroo/games"
)

// Columns is a feature set of a game with positions of type P: it numbers columns, and computes the
// value of each column in a position. It is immutable and safe for concurrent use.
type Columns[P any] interface {
	// String returns the set's name, by which it can be found again.
	String() string
	// Hash identifies the set: 16 hexadecimal digits that change when the meaning of a column does.
	Hash() string
	// Len returns the number of columns.
	Len() int
	// ColumnName describes a column, 0 ≤ column < Len().
	ColumnName(column int) string
	// Families lists the families in column order. Each column belongs to one.
	Families() []Family
	// AppendRow appends the position's columns with value one to ones, and those with other nonzero
	// values to vals. It does not allocate if the slices have room.
	AppendRow(ones []uint32, vals []Entry, p P) ([]uint32, []Entry)
}

// Entry is a column and its value in a row.
type Entry struct {
	Index uint32
	Value float32
}

// Family describes a family of columns, in a set or by itself.
type Family struct {
	Name     string // as in a spec
	About    string // one line
	From, To int    // its columns are From ≤ i < To
	Stages   int    // number of game stages with columns of their own; 1 without stages
	Compiles bool   // whether the engine's tables can represent it
}

// ParseSpec parses the spec of a pattern set: some of the given families joined by plus signs, in
// any order, each once. A family followed by /2 to /maxStages (below 10) has separate columns for
// each of that many stages of the game. It returns the number of stages by family, 1 by default.
func ParseSpec(spec string, families []string, maxStages int) (map[string]int, error) {
	asked := map[string]int{}
	for word := range strings.SplitSeq(spec, "+") {
		name, digits, staged := strings.Cut(word, "/")
		stages := 1
		if staged && len(digits) == 1 {
			stages = int(digits[0]) - '0'
		}
		var err error
		switch {
		case !slices.Contains(families, name):
			err = fmt.Errorf("%s is not a family: expected %s, joined by +", games.Quote(name), games.OrList(families))
		case staged && (stages < 2 || stages > maxStages):
			err = fmt.Errorf("%s has %s stages: expected 2 to %d after the stroke", name, games.Quote(digits), maxStages)
		case asked[name] != 0:
			err = fmt.Errorf("family %s: expected once", name)
		}
		if err != nil {
			return nil, fmt.Errorf("feature set %s: %w", games.Quote(spec), err)
		}
		asked[name] = stages
	}
	return asked, nil
}
