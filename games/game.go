// Package games defines the interface between the rules of a game and the rest of the program.
//
// A [Game] describes one game to code that works for any: its start position, board text, move
// names, random positions and the value of its results. Each game's own package has a function
// Descriptor that returns its Game.
//
// Everything that games have in common is built on Game: a [Line] is a game in progress with its
// history, a [Record] is a game as stored in files, [Perft] counts leaves of the game tree.
//
// Caveats: this package imports only the standard library, and no game. A search requires more
// of a position than [Position] does. Sides alternate: where a game allows a pass, the pass is a
// move.
package games

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"kroo/internal/wording"
)

// Move is a move of a game: a small number whose meaning the game defines.
type Move = uint16

// Position is implemented by the position type of each game. P is that type: a comparable value,
// seen from the side to move.
type Position[P any] interface {
	comparable

	// AppendMoves appends the legal moves to dst, in the game's natural order.
	AppendMoves(dst []Move) []Move
	// Play returns the position after a legal move. It does not check the move.
	Play(Move) P
	// Terminal reports whether the position itself ends the game, and if so the final difference
	// for the side to move, in the game's units. It must include having no legal move, which a
	// [Line] does not check.
	Terminal() (diff int, over bool)
	// Repetition reports whether the game ends when the position appears for the given time (2
	// for its first repetition), and if so the final difference.
	Repetition(times int) (diff int, over bool)
	// Progress never decreases during a game. A position can recur only as long as it is
	// constant.
	Progress() int
	// DrawClock returns the number of consecutive plies without progress that draw the game, 0
	// for no such rule. It is the same for all positions of a rule set.
	DrawClock() int
	// PlyLimit returns the number of plies, counted from the start of the line of play, after
	// which a game ends, and the final difference for the side to move then. Zero means no
	// limit. The number is the same for all positions of a rule set.
	PlyLimit() (plies, diff int)
}

// Info describes a game independently of its position type.
type Info struct {
	Name  string    // one lower-case word, as on command lines and in files
	Rules []string  // names of the rule sets, lower-case; the first is the default
	Sides [2]string // names of the sides; the first moves first in the start position

	// Mates: a proven win or loss is shown as the number of moves to the end, as in chess.
	Mates bool

	Unit        string // unit of final differences, in the singular: "seed"
	UnitsPerWin int    // the difference in units that is worth MaxPoints

	Endless []string // the rule sets under which a game may continue forever

	// Claimed: a player has to claim a draw by repetition or by the draw clock. Kroo ends the
	// game in any case, but games of other programs may continue.
	Claimed bool

	MaxMoves int // upper limit of legal moves in a position

	PhaseName string // what Game.Phase counts: "seeds in play"
	MaxPhase  int    // phases are 0…MaxPhase

	BoardText string // the notation of positions, as a phrase
	MoveText  string // the notation of moves, as a phrase
	Separator string // separator of moves in a line of play, possibly ""
	Draws     string // the distribution of Game.Random, as a phrase
}

// MaxPoints is the value of a won game in points, the unit of labels.
const MaxPoints = 1000

// PointsPerUnit returns the value of one unit of difference in points: 1000/24 per seed.
func (i Info) PointsPerUnit() float64 { return MaxPoints / float64(i.UnitsPerWin) }

// Points converts hundredths of a unit to whole points, rounding halves away from zero.
func (i Info) Points(hundredths float64) int {
	return int(math.Round(hundredths * (MaxPoints / 100) / float64(i.UnitsPerWin)))
}

// CheckRules returns an error unless rules is one of the game's rule sets.
func (i Info) CheckRules(rules string) error {
	if slices.Contains(i.Rules, rules) {
		return nil
	}
	return fmt.Errorf("unknown rules %q: %s", rules, wording.Expect(rules, i.Rules))
}

// OrList joins words for a message: "a", "a or b", "a, b or c".
func OrList(words []string) string { return wording.List(words, "or") }

// Game describes a game whose positions are of type P. All functions are safe for concurrent use
// and not nil, unless stated otherwise.
type Game[P Position[P]] struct {
	Info

	// Start returns the initial position of a rule set.
	Start func(rules string) (P, error)
	// Parse reads a position in the game's board text. The text is untrusted; errors name the
	// field or square.
	Parse func(rules, text string) (P, error)
	// Print returns the board text of a position, for Parse. It does not include the rules:
	// under the same rules, equal texts are equal positions.
	Print func(P) string
	// RulesOf returns the name of the rule set of the position.
	RulesOf func(P) string
	// SideToMove returns the index of the side to move in Sides.
	SideToMove func(P) int

	// MoveName returns the name of a move in a position. For a move that does not exist it
	// returns a short text for errors.
	MoveName func(P, Move) string
	// ScanMove reads the name of a move at the beginning of text and returns its length in
	// bytes, at least 1. The move may be illegal, but belongs to the side to move. Names do not
	// begin with a digit or with characters that have a meaning in records: [ ] { } ( ) ! ? . $
	// ; * +.
	ScanMove func(p P, text string) (m Move, length int, err error)
	// Gain returns what a move wins immediately, in units: records write it after the move
	// ("f+2"). It is nil in games without gains.
	Gain func(P, Move) int

	// Tally returns the units of each side, possibly with halves. Once the game is over it is
	// the final result. It is nil in games that do not count units.
	Tally func(*Line[P]) (first, second float64)

	// Diagram draws the position for a terminal.
	Diagram func(P) string

	// Random draws a position in which the game is not over, with the distribution that
	// Info.Draws describes. The same generator state gives the same position.
	Random func(rng *rand.Rand, rules string) (P, error)

	// Key returns the number of the position: under the same rules, different positions have
	// different keys. ok is false if the game does not number its positions.
	Key func(P) (key int64, ok bool)
	// FromKey is the inverse of Key. It is nil in a game without keys.
	FromKey func(rules string, key int64) (P, error)
	// Orbit numbers canonical positions: it is equal for positions that are equivalent under the game's
	// symmetries, such as mirror images. Others have different numbers, except for hash collisions in games
	// without keys. Splits of samples need more than that: see datasets.SituationOf.
	Orbit func(P) int64
	// Exchange returns the position with the sides exchanged, which is the same for the side to
	// move. Pass returns the same board with the other side to move, whether legal or not. Both
	// are nil in a game whose board determines the side to move.
	Exchange, Pass func(P) P
	// Phase returns how far the game has advanced, 0…MaxPhase.
	Phase func(P) int

	// EndReason returns the reason why a terminal position ends the game.
	EndReason func(P) Reason

	// Perft is a faster version of the function of this package. It is nil if the game has none.
	Perft func(p P, depth int) int64
}

// maxRandomPlies is the limit of the length of the random games that [New] draws positions from,
// exclusive.
const maxRandomPlies = 60

// New completes the description of a game. Required are Name, Rules, Sides, Unit, UnitsPerWin,
// MaxMoves, PhaseName, MaxPhase, BoardText and MoveText, and the functions Start, Parse, Print,
// SideToMove, MoveName, ScanMove and Phase. Start, Parse, Random and FromKey are only called with
// rules of the game. By default a game has one rule set, no keys and no symmetries, its random
// positions come from random games, and its diagram is its board text.
func New[P Position[P]](g Game[P]) *Game[P] {
	if g.Separator == "" {
		g.Separator = " "
	}
	if g.RulesOf == nil {
		g.RulesOf = func(P) string { return g.Rules[0] }
	}
	if g.Diagram == nil {
		g.Diagram = func(p P) string { return g.Print(p) + "\n" }
	}
	if g.Random == nil {
		g.Draws = "random games cut at a random ply below 60 in which the game is not over; not every position equally likely"
		start := g.Start
		g.Random = func(rng *rand.Rand, rules string) (P, error) {
			p, err := start(rules)
			if err != nil {
				return p, err
			}
			return RandomPlayout(rng, p, maxRandomPlies), nil
		}
	}
	if g.Key == nil {
		g.Key = func(P) (int64, bool) { return 0, false }
	}
	if g.Orbit == nil {
		g.Orbit = func(p P) int64 {
			h := fnv.New64a()
			h.Write([]byte(strings.Join([]string{g.RulesOf(p), g.Print(p)}, " ")))
			return int64(h.Sum64() >> 1)
		}
	}
	if g.EndReason == nil {
		g.EndReason = func(P) Reason { return "game over" }
	}
	start := g.Start
	parse := g.Parse
	random := g.Random
	g.Start = func(rules string) (P, error) {
		return withRules(g.Info, rules, func() (P, error) { return start(rules) })
	}
	g.Parse = func(rules, text string) (P, error) {
		return withRules(g.Info, rules, func() (P, error) { return parse(rules, text) })
	}
	g.Random = func(rng *rand.Rand, rules string) (P, error) {
		return withRules(g.Info, rules, func() (P, error) { return random(rng, rules) })
	}
	if of := g.FromKey; of != nil {
		g.FromKey = func(rules string, key int64) (P, error) {
			return withRules(g.Info, rules, func() (P, error) { return of(rules, key) })
		}
	}
	return &g
}

// withRules calls f if rules are one of the game's rule sets.
func withRules[P any](i Info, rules string, f func() (P, error)) (p P, err error) {
	if err := i.CheckRules(rules); err != nil {
		return p, err
	}
	return f()
}

// Irreversible implements the methods of positions that cannot recur, in a game without a ply
// limit. Embed it as the first field of a position type.
type Irreversible struct{}

// Repetition never ends a game.
func (Irreversible) Repetition(int) (diff int, over bool) { return 0, false }

// DrawClock returns 0: the game has no draw clock.
func (Irreversible) DrawClock() int { return 0 }

// PlyLimit returns 0: the game has no ply limit.
func (Irreversible) PlyLimit() (plies, diff int) { return 0, 0 }

// MinCycle returns more plies than any game has: no position recurs.
func (Irreversible) MinCycle() int { return 1 << 20 }

// RandomPlayout plays a random number of random moves from start, fewer than plies, and starts
// over if that ends the game. Positions that many games lead to are more likely than others. The
// game must not be over at start.
func RandomPlayout[P Position[P]](rng *rand.Rand, start P, plies int) P {
	var moves []Move
	for {
		p, over := start, false
		for n := rng.IntN(plies); n > 0 && !over; n-- {
			moves = p.AppendMoves(moves[:0])
			p = p.Play(moves[rng.IntN(len(moves))])
			_, over = p.Terminal()
		}
		if !over {
			return p
		}
	}
}
