package features

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
)

// strip is a position of a made-up game: two places of the side to move, then two of the other side,
// with 0 to 3 stones each.
type strip [4]int

func (strip) AppendMoves(dst []games.Move) []games.Move { return dst }
func (s strip) Play(games.Move) strip                   { return s }
func (strip) Terminal() (diff int, over bool)           { return 0, true }
func (strip) Repetition(int) (diff int, over bool)      { return 0, true }
func (strip) Progress() int                             { return 0 }
func (strip) DrawClock() int                            { return 0 }
func (strip) PlyLimit() (plies, diff int)               { return 0, 0 }

// strips lists all positions.
func strips() (all []strip) {
	for i := range 256 {
		all = append(all, strip{i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6})
	}
	return all
}

func parseStrip(text string) (s strip, err error) {
	words := strings.Split(text, "-")
	if len(words) != len(s) {
		return s, fmt.Errorf("%d places: expected %d", len(words), len(s))
	}
	for i, word := range words {
		s[i], err = strconv.Atoi(word)
		if err != nil || s[i] < 0 || s[i] > 3 {
			return s, fmt.Errorf("place %d has %q: expected 0 to 3", i+1, word)
		}
	}
	return s, nil
}

func printStrip(s strip) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(s), " ", "-"), "[]")
}

var stripGame = &games.Game[strip]{
	Info: games.Info{
		Name: "strip", Rules: []string{"plain", "wild"}, Unit: "stone", UnitsPerWin: 8,
		MaxPhase: 12, PhaseName: "stones in play",
	},
	Parse:   func(_, text string) (strip, error) { return parseStrip(text) },
	Print:   printStrip,
	Diagram: func(s strip) string { return "|" + printStrip(s) + "|" },
}

// stripSets are the sets of the game: counts, with features by place and one of the whole board, and
// the pattern set pairs.
var stripSets = Sets[strip]{
	Game:           stripGame,
	DefaultSet:     "counts",
	DefaultByRules: map[string]string{"wild": "few"},
	All: []*Set[strip]{NewSet(Definition[strip]{
		Name:  "counts",
		About: "stones",
		Features: []Feature[strip]{
			{Name: "sum", Meaning: "stones", Place: func(_, content int) int { return content }},
			{Name: "full", Meaning: "places with three stones", Count: func(s strip) (own, opp int) { return countFull(s[:2]), countFull(s[2:]) }},
			{Name: "first", Meaning: "twice the stones of the first place", Place: func(place, content int) int { return 2 * content * (1 - place) }},
		},
		Board: &Board[strip]{
			Side:     2,
			Contents: 4,
			Content:  func(s strip, place int) int { return s[place] },
			Name:     func(_ strip, place int) string { return "ABab"[place : place+1] },
		},
	})},
	Patterns: &Patterns[strip]{
		DefaultSet: "pairs",
		Families:   pairs{}.Families(),
		Parse: func(spec string) (ColumnSet[strip], error) {
			if spec != "pairs" {
				return nil, fmt.Errorf("unknown set %.20q: expected pairs", spec)
			}
			return pairs{}, nil
		},
		Compile: func(m *Model[strip]) (Tables[strip], error) {
			if m.Named != nil {
				return nil, errors.New("tables need patterns: expected a model of pairs")
			}
			return stripTables{m}, nil
		},
		Unpack: unpackStrip,
	},
}

func unpackStrip(f Packed) (Tables[strip], error) {
	weights := make([]byte, 4*pairs{}.Len())
	if err := f.UnpackAll(weights, 0); err != nil {
		return nil, err
	}
	h := f.Header
	return stripTables{&Model[strip]{Game: h.Game, Rules: h.Rules, Set: pairs{}, Weights: parseFloats(weights)}}, nil
}

func countFull(places []int) (n int) {
	for _, stones := range places {
		if stones == 3 {
			n++
		}
	}
	return n
}

// slowCounts are the differences of the set counts, written out.
func slowCounts(s strip) [3]float64 {
	sum := s[0] + s[1] - s[2] - s[3]
	full := countFull(s[:2]) - countFull(s[2:])
	first := 2 * (s[0] - s[2])
	return [3]float64{float64(sum), float64(full), float64(first)}
}

// pairs is a pattern set: a column for each pair of the mover's stones, and the difference of the
// first places.
type pairs struct{}

func (pairs) String() string { return "pairs" }
func (pairs) Hash() string   { return "0123456789abcdef" }
func (pairs) Len() int       { return 17 }

func (pairs) ColumnName(column int) string {
	if column == 16 {
		return "A-a"
	}
	return fmt.Sprintf("A%dB%d", column/4, column%4)
}

func (pairs) Families() []Family {
	return []Family{{Name: "pair", From: 0, To: 16, Stages: 1}, {Name: "first", From: 16, To: 17, Stages: 1}}
}

func (pairs) AppendRow(ones []uint32, vals []Entry, s strip) ([]uint32, []Entry) {
	ones = append(ones, uint32(4*s[0]+s[1]))
	switch d := s[0] - s[2]; d {
	case 0:
	case 1:
		ones = append(ones, 16)
	default:
		vals = append(vals, Entry{16, float32(d)})
	}
	return ones, vals
}

// Places has the mover's places alone; the difference belongs to none.
func (pairs) Places(s strip) []Place { return []Place{{"A", s[0]}, {"B", s[1]}} }

func (pairs) Share(column int, _ []Place) []float64 {
	if column == 16 {
		return nil
	}
	return []float64{0.5, 0.5}
}

// slowPairs is the value of a model of pairs, written out.
func slowPairs(weights []float64, s strip) float64 {
	return weights[4*s[0]+s[1]] + weights[16]*float64(s[0]-s[2])
}

// stripTables are tables of a model, which they consult.
type stripTables struct{ m *Model[strip] }

func (t stripTables) Evaluate(s strip) int { return NewDirect(stripGame, t.m).Evaluate(s) }
func (t stripTables) Parts(s strip) []Part { return t.m.Parts(s) }
func (t stripTables) Hash() string         { return "tables of " + t.m.Hash() }
func (stripTables) Rounding() float64      { return 0.5 }

func (stripTables) Places(s strip) []Place { return pairs{}.Places(s) }

func (stripTables) Share(column int, places []Place) []float64 { return pairs{}.Share(column, places) }

func (t stripTables) Header() Header {
	h := t.m.Header()
	h.TablesHash = t.Hash()
	return h
}

func (t stripTables) Export(to io.Writer, format string) error {
	_, err := fmt.Fprintf(to, "tables %s as %s", t.m.Hash(), format)
	return err
}

// stripCounts is a model of the set counts.
func stripCounts(t testing.TB) *Model[strip] {
	t.Helper()
	w := testkit.Must(New("strip", "plain", stripSets.All[0].Info, []string{"first", "sum", "full"}, []float64{-7.5, 20, 100}))(t)
	return testkit.Must(stripSets.Model(w))(t)
}

// slowCountsValue is the value of that model.
func slowCountsValue(s strip) float64 {
	d := slowCounts(s)
	return 20*d[0] + 100*d[1] - 7.5*d[2]
}

// stripPairs is a model of the set pairs, with weights that float32 represents and one that is 0.
func stripPairs(t testing.TB) *Model[strip] {
	t.Helper()
	weights := make([]float64, 17)
	for i := range weights {
		weights[i] = 12.25 - float64(i*i)/4
	}
	return testkit.Must(stripSets.NewModel("plain", pairs{}, weights, Provenance{Tool: "test"}))(t)
}
