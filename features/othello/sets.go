package othello

import (
	"fmt"
	"math"
	"math/bits"

	"kroo/features"
	"kroo/games/othello"
)

// Sets are Othello's antisymmetric feature sets, one per board. They are shared: do not modify
// them.
var Sets = features.Sets[othello.Position]{
	Game:       othello.Descriptor(),
	DefaultSet: "squares", DefaultByRules: map[string]string{othello.Small.String(): "squares6"},
	All: []*features.Set[othello.Position]{
		newSet("squares", othello.Large, "discs by the nine classes of squares of the 8x8 board outside the middle"),
		newSet("squares6", othello.Small, "discs by the five classes of squares of the 6x6 board outside the middle"),
	},
}

func newSet(name string, r othello.Rules, about string) *features.Set[othello.Position] {
	all := classes[r]
	d := features.Definition[othello.Position]{Name: name, About: about, Text: func() string { return fmt.Sprintf("othello 1 %v", all) }}
	for _, c := range all {
		d.Features = append(d.Features, features.Feature[othello.Position]{
			Name: c.name, Meaning: "discs on " + c.name + " and the squares like it",
			Count: func(p othello.Position) (own, opp int) {
				mine, theirs := p.Discs()
				return bits.OnesCount64(mine & c.squares), bits.OnesCount64(theirs & c.squares)
			},
		})
	}
	return features.NewSet(d)
}

// maxClasses is the number of classes of the larger board.
const maxClasses = 9

// Squares evaluates by a weight per class of squares. It is immutable and safe for concurrent use.
// Passing the turn changes only the sign.
type Squares struct {
	masks   [maxClasses]uint64
	weights [maxClasses]float64 // hundredths of a disc
}

// NewSquares returns the evaluator of a model of one of the [Sets].
func NewSquares(m *Model) (*Squares, error) {
	r, err := othello.ParseRules(m.Rules)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	if want := Sets.Default(m.Rules); m.Set.String() != want {
		return nil, fmt.Errorf("weights of the set %s for %s: expected the set of that board, %s", m.Set, r, want)
	}
	return squaresOf(r, m.Weights, 100/Sets.Game.PointsPerUnit()), nil
}

// squaresOf returns the evaluator of a weight per class, each in units of worth hundredths of a
// disc.
func squaresOf(r othello.Rules, weights []float64, worth float64) *Squares {
	e := new(Squares)
	for i, c := range classes[r] {
		e.masks[i], e.weights[i] = c.squares, weights[i]*worth
	}
	return e
}

// Evaluate returns the value for the side to move in hundredths of a disc, rounded to the nearest,
// not clamped.
func (e *Squares) Evaluate(p othello.Position) int {
	own, opp := p.Discs()
	sum := 0.0
	for i, mask := range e.masks {
		sum += e.weights[i] * float64(bits.OnesCount64(own&mask)-bits.OnesCount64(opp&mask))
	}
	return int(math.Round(sum))
}

// PatternSets are Othello's sets of pattern features, numbered separately for each board.
var PatternSets = features.Patterns[othello.Position]{
	Game: othello.Descriptor(), DefaultSet: "rows/4+diagonals/4+corners/4+mobility/4", MaxStages: maxStages,
	Parse: func(rules, spec string) (features.Columns[othello.Position], error) {
		r, err := othello.ParseRules(rules)
		if err != nil {
			return nil, err
		}
		return parsePatterns(r, spec)
	},
	Families: patternFamilies,
}

// Model is a function fitted to the columns of a pattern set.
type Model = features.Model[othello.Position]
