package games

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Move is a move of a game: a small number whose meaning the game defines.
type Move = uint16

// Position is what a position type must offer. Games satisfy it structurally;
// P is the game's own type, a comparable value seen from the side to move.
type Position[P any] interface {
	comparable

	// AppendMoves appends the legal moves in their natural order to dst.
	AppendMoves(dst []Move) []Move
	// Play returns the position after a legal move. It does not check the move.
	Play(Move) P
	// Terminal reports whether the position itself ends the game, and the final
	// difference for the side to move if so, in the game's units.
	Terminal() (diff int, over bool)
	// Repetition reports whether the game ends when the position appears for the
	// given time, 2 for its first repetition, and the final difference if so.
	Repetition(times int) (diff int, over bool)
	// Progress never decreases during a game. A position can recur only while it
	// stays the same.
	Progress() int
	// DrawClock is the number of plies in a row without progress that draw the
	// game, 0 for no such rule. It is the same for all positions of a rule set.
	DrawClock() int
	// PlyLimit is the number of plies after which a game ends, counted from where the
	// line of play begins, 0 for no such rule; and the final difference for the side to
	// move then. The number is the same for all positions of a rule set.
	PlyLimit() (plies, diff int)
}

// Info is what there is to say about a game without its position type.
type Info struct {
	Name  string    // one lower-case word, as on command lines and in files
	Rules []string  // names of the rule sets, lower-case; the first is the default
	Sizes []string  // what --size calls each of Rules, if they are boards of different sizes
	Sides [2]string // names of the sides; the first one moves first in the start position

	// Mates says that a proven win or loss is shown as the number of moves to the
	// end, as in chess.
	Mates bool

	Unit        string // what final differences are counted in, in the singular: "seed"
	UnitsPerWin int    // the difference in units that is worth MaxPoints

	Endless []string // those of Rules under which a game may continue forever

	// Claimed says that a repetition, or a draw clock that has run out, ends a game where a
	// player claims it. Here it always does, but games of other programs may continue after it.
	Claimed bool

	MaxMoves int // no position has more legal moves

	PhaseName string // what Game.Phase counts: "seeds in play"
	MaxPhase  int    // phases are 0…MaxPhase

	BoardText string // how a position is written, in a phrase
	MoveText  string // how a move is written, in a phrase
	Separator string // between two moves of a line of play, for example ""
	Draws     string // what Game.Random draws, in a phrase
}

// MaxPoints is the worth of a won game in points, the unit of labels.
const MaxPoints = 1000

// PointsPerUnit returns what one unit of difference is worth in points: 1000/24 for a seed.
func (i Info) PointsPerUnit() float64 { return MaxPoints / float64(i.UnitsPerWin) }

// Points returns what hundredths of a unit are worth, in whole points, halves away from zero.
func (i Info) Points(hundredths float64) int {
	return int(math.Round(hundredths * (MaxPoints / 100) / float64(i.UnitsPerWin)))
}

// CheckRules refuses a name that is not one of the game's rule sets.
func (i Info) CheckRules(rules string) error {
	if slices.Contains(i.Rules, rules) {
		return nil
	}
	return fmt.Errorf("unknown rules %q: expected %s", rules, OrList(i.Rules))
}

// OrList returns how messages list names: "a", "a or b", "a, b or c".
func OrList(words []string) string { return List(words, "or") }

// List is [OrList] with another word instead of or.
func List(words []string, word string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + word + " " + words[last]
}

// Game describes a game whose positions are of type P. All functions are set
// (except those that may be nil, where said) and safe for concurrent use.
type Game[P Position[P]] struct {
	Info

	// Start is the initial position under one of the rule sets.
	Start func(rules string) (P, error)
	// Parse reads a position in the game's board text. The text is hostile
	// input; errors name the place.
	Parse func(rules, text string) (P, error)
	// Print is the board text of a position, which Parse reads: under the same
	// rules, equal texts are equal positions. It does not name the rules.
	Print func(P) string
	// RulesOf is the name of the rule set of the position.
	RulesOf func(P) string
	// SideToMove is the index in Sides of the side to move.
	SideToMove func(P) int

	// MoveName is the name of a move in a position. A move that does not exist
	// has a short text, for errors.
	MoveName func(P, Move) string
	// ScanMove reads the name of a move at the beginning of text and returns the
	// length of the name in bytes, at least 1. The move may be illegal, but it is
	// one of the side to move. Names begin with none of the digits and signs that
	// other parts of a record begin with: [ ] { } ( ) ! ? . $ ; * +.
	ScanMove func(p P, text string) (m Move, length int, err error)
	// Gain is what a move wins at once, in units: records note it behind the
	// move ("f+2"). It is nil in games that have no such thing.
	Gain func(P, Move) int

	// Tally is how many units each side has, halves included. Once the game is
	// over it is the final result. It is nil in games that count nothing.
	Tally func(*Line[P]) (first, second float64)

	// Diagram draws the position for a terminal, in lines of text.
	Diagram func(P) string

	// Random draws a position in which the game is not over; Info.Draws says
	// how. The same generator state gives the same position.
	Random func(rng *rand.Rand, rules string) (P, error)

	// Key is the number of the position if the game numbers its positions:
	// under the same rules, different positions have different keys. It is
	// false where there are no such numbers.
	Key func(P) (key int64, ok bool)
	// FromKey is the inverse of Key. It is nil in a game without numbers.
	FromKey func(rules string, key int64) (P, error)
	// Orbit is equal for positions that are one situation under the game's
	// symmetries, so that samples can be divided without leaks. Positions of
	// different orbits have different numbers, but for hash collisions in games
	// that have no keys.
	Orbit func(P) int64
	// Exchange is the position with the sides exchanged, which is the same for the side
	// to move, and Pass the same board with the other side to move, legal or not. They
	// are nil in a game whose board determines the side to move.
	Exchange, Pass func(P) P
	// Phase is how far the game has gone, 0…MaxPhase.
	Phase func(P) int

	// EndReason is why a terminal position ends the game.
	EndReason func(P) Reason

	// Perft and PerftMoves count faster than the functions of this package that have
	// their names. They are nil in games that have nothing faster.
	Perft      func(p P, depth int) int64
	PerftMoves func(p P, depth int) (leaves, made int64)
}

// UnderRules returns a function of the name of rules, made of one that takes rules as parse
// reads them.
func UnderRules[R, A, T any](parse func(name string) (R, error), do func(R, A) (T, error)) func(rules string, a A) (T, error) {
	return func(rules string, a A) (t T, err error) {
		r, err := parse(rules)
		if err != nil {
			return t, err
		}
		return do(r, a)
	}
}
