// Package othello implements the rules of Othello (Reversi) on boards of 8×8 and 6×6 squares,
// which are its rule sets "8x8" and "6x6": positions, notation, perft. Get a position from
// [Start] or [ParseBoard], and make moves with [Position.Play]. [Descriptor] describes the game
// to code that works for any game.
//
// Dark (X) moves first. A move puts a disc on an empty square and turns every row of opponent's
// discs between it and another disc of the mover. It must turn at least one disc. A side without
// such a move passes: its only move is then [Pass]. The game is over when neither side can put a
// disc. The difference counts the discs on the board; empty squares belong to neither side.
//
// The text of a board is its squares in reading order, each X, O or a dot, then a dash and the
// side to move: ...-X. A square is named by its column a, b, c … from the left and its row 1, 2,
// 3 … from the top.
//
// Both boards are 64-bit masks, one bit per square in reading order. The small board is the
// middle of the large one, with a border that is always empty, so both use the same masks and
// shifts, and the symmetries of one are those of the other.
//
// Caveats: Play does not check its argument. Board texts need not be reachable from the start.
// AppendMoves lists moves from the last square of the board to the first: the source of the
// built-in players scans the board in this order, and of equal moves both they and a search take
// the first (engine.Othello).
package othello

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"kroo/games"
)

// Reasons for the end of a game.
const (
	FullBoard games.Reason = "full board"
	NoDiscs   games.Reason = "a side without discs"
	NoMove    games.Reason = "no move for either side"
)

// Descriptor returns the description of Othello for code that works for any game. Positions have
// no keys. All callers share it: do not modify it.
func Descriptor() *games.Game[Position] { return descriptor }

var descriptor = games.New(games.Game[Position]{
	Info:       info,
	Start:      func(rules string) (Position, error) { return Start(rulesNamed(rules)), nil },
	Parse:      func(rules, text string) (Position, error) { return ParseBoard(rulesNamed(rules), text) },
	Print:      Position.String,
	RulesOf:    func(p Position) string { return p.rules.String() },
	SideToMove: func(p Position) int { return int(p.side) },
	MoveName:   func(p Position, m Move) string { return MoveName(p.rules, m) },
	ScanMove:   func(p Position, text string) (Move, int, error) { return scanMove(p.rules, text) },
	Tally: func(l *games.Line[Position]) (first, second float64) {
		dark, light := l.Position().bySide()
		return float64(bits.OnesCount64(dark)), float64(bits.OnesCount64(light))
	},
	Diagram: Position.diagram,
	Random: func(rng *rand.Rand, rules string) (Position, error) {
		// The number of discs is almost evenly distributed.
		start := Start(rulesNamed(rules))
		return games.RandomPlayout(rng, start, start.Empty()), nil
	},
	Orbit:     Position.orbit,
	Exchange:  Position.swapSides,
	Pass:      Position.pass,
	Phase:     Position.Progress,
	EndReason: endReason,
	Perft:     Position.perft,
})

// A win is worth 64 discs on both boards, so a disc is worth 1000/64 points on both.
var info = games.Info{
	Name:        "othello",
	Rules:       rulesNames[:],
	Sides:       [2]string{"Dark", "Light"}, // not Black and White: UCI's wtime is the first side's clock
	Unit:        "disc",
	UnitsPerWin: 64,
	MaxMoves:    64,
	PhaseName:   "discs",
	MaxPhase:    64,
	BoardText:   "the squares in reading order, X, O or a dot, then a dash and the side to move: ...-X; X moves first",
	MoveText:    moveText,
	Draws:       "random games cut at a random ply at which they are not over; not every position equally likely",
}

func endReason(p Position) games.Reason {
	switch {
	case p.Empty() == 0:
		return FullBoard
	case p.own == 0 || p.opp == 0:
		return NoDiscs
	}
	return NoMove
}

// Move is the bit number of the square to put a disc on, or [Pass].
type Move = uint16

// Pass is the only move of a side that cannot put a disc.
const Pass Move = 64

// Rules is the size of the board.
type Rules uint8

// The rule sets.
const (
	Large Rules = iota // 8×8, the default
	Small              // 6×6
)

// rulesNames are the names of the rule sets.
var rulesNames = [...]string{Large: "8x8", Small: "6x6"}

// String returns the name of the rule set.
func (r Rules) String() string { return rulesNames[r] }

// Size returns the number of rows, and of columns.
func (r Rules) Size() int { return 8 - 2*int(r) }

// Squares returns the mask of the board's squares.
func (r Rules) Squares() uint64 {
	if r == Small {
		return 0x007e7e7e7e7e7e00
	}
	return 1<<64 - 1
}

// rulesNamed finds rules that exist by their name.
func rulesNamed(name string) Rules { return Rules(max(slices.Index(rulesNames[:], name), 0)) }

// player is one of the two players.
type player uint8

// The sides; Dark moves first.
const (
	darkSide player = iota
	lightSide
)

// Position is the discs of the side to move and those of the opponent, with the side to move and
// the rules.
type Position struct {
	own, opp uint64
	side     player
	rules    Rules
}

// Start returns the position before the first move: Dark has e4 and d5, Light d4 and e5
// (d3 and c4, c3 and d4 on the small board).
func Start(r Rules) Position {
	return Position{own: 1<<28 | 1<<35, opp: 1<<27 | 1<<36, rules: r}
}

// columns is all but the first and the last column: only discs in these columns can be turned
// along a row or a diagonal.
const columns = 0x7e7e7e7e7e7e7e7e

// targets returns the squares where own can put a disc.
func targets(own, opp, squares uint64) (to uint64) {
	inner := opp & columns
	to = ray(own, inner, 1) | ray(own, opp, 8) | ray(own, inner, 7) | ray(own, inner, 9)
	return to & squares &^ (own | opp)
}

// ray returns the squares just beyond rows of through that start next to a disc of own, in the
// direction of the shift and in the opposite one.
func ray(own, through uint64, shift uint) uint64 {
	up, down := through&(own<<shift), through&(own>>shift)
	for range 5 { // at most six discs are turned in each direction
		up |= through & (up << shift)
		down |= through & (down >> shift)
	}
	return up<<shift | down>>shift
}

// flips returns the discs that own turns by putting a disc on at, a one-bit mask.
func flips(own, opp, at uint64) uint64 {
	inner := opp & columns
	return between(own, inner, at, 1) | between(own, opp, at, 8) | between(own, inner, at, 7) | between(own, inner, at, 9)
}

// between returns the discs of through in rows between the square at and a disc of own, in the
// direction of the shift and in the opposite one.
func between(own, through, at uint64, shift uint) (discs uint64) {
	up, down := through&(at<<shift), through&(at>>shift)
	for range 5 {
		up |= through & (up << shift)
		down |= through & (down >> shift)
	}
	if up<<shift&own != 0 {
		discs = up
	}
	if down>>shift&own != 0 {
		discs |= down
	}
	return discs
}

// targets returns the mask of the squares where the side to move can put a disc.
func (p Position) targets() uint64 { return targets(p.own, p.opp, p.rules.Squares()) }

// AppendMoves appends the legal moves to dst, from the last square of the board to the first: a
// pass if no disc can be put and the game is not over.
func (p Position) AppendMoves(dst []Move) []Move {
	to := p.targets()
	if to == 0 && targets(p.opp, p.own, p.rules.Squares()) != 0 {
		return append(dst, Pass)
	}
	for to != 0 {
		last := bits.Len64(to) - 1
		dst = append(dst, Move(last))
		to ^= 1 << last
	}
	return dst
}

// Play puts a disc, or passes.
func (p Position) Play(m Move) Position {
	if m >= Pass {
		return p.pass()
	}
	at := uint64(1) << m
	t := flips(p.own, p.opp, at)
	return Position{own: p.opp ^ t, opp: p.own | at | t, side: p.side ^ 1, rules: p.rules}
}

// Terminal reports whether neither side can put a disc, and if so the difference in discs for
// the side to move.
func (p Position) Terminal() (diff int, over bool) {
	squares := p.rules.Squares()
	if targets(p.own, p.opp, squares)|targets(p.opp, p.own, squares) != 0 {
		return 0, false
	}
	return p.Difference(), true
}

// Difference returns the discs of the side to move minus those of the opponent.
func (p Position) Difference() int { return bits.OnesCount64(p.own) - bits.OnesCount64(p.opp) }

// Discs returns the squares of the side to move and those of the opponent.
func (p Position) Discs() (own, opp uint64) { return p.own, p.opp }

// Rules returns the size of the board.
func (p Position) Rules() Rules { return p.rules }

// bySide returns the squares of Dark and of Light.
func (p Position) bySide() (dark, light uint64) {
	if p.side == darkSide {
		return p.own, p.opp
	}
	return p.opp, p.own
}

// Empty returns the number of empty squares.
func (p Position) Empty() int { return bits.OnesCount64(p.rules.Squares() &^ (p.own | p.opp)) }

// Progress returns the number of discs.
func (p Position) Progress() int { return bits.OnesCount64(p.own | p.opp) }

// Repetition never ends a game: discs are never removed. (The position does not embed
// [games.Irreversible], since the compiler keeps no struct of five fields in registers.)
func (p Position) Repetition(int) (diff int, over bool) { return 0, false }

// MinCycle returns more plies than any game has: no position recurs.
func (p Position) MinCycle() int { return 200 }

// DrawClock returns 0: there is no draw clock.
func (p Position) DrawClock() int { return 0 }

// PlyLimit returns 0: there is no ply limit.
func (p Position) PlyLimit() (plies, diff int) { return 0, 0 }

// NoMoves returns the difference at the end of the game.
func (p Position) NoMoves() (diff int) { return p.Difference() }

// Key returns a hash of the discs as seen from the side to move, and of the rules.
func (p Position) Key() uint64 { return hash(p.own, p.opp, p.rules) }

func hash(own, opp uint64, r Rules) uint64 {
	h := (own + uint64(r)) * 0x9e37_79b9_7f4a_7c15
	h ^= h >> 32
	h = (h + opp) * 0xd6e8_feb8_6659_fd93
	h ^= h >> 29
	h *= 0x94d0_49bb_1331_11eb
	return h ^ h>>32
}

// AppendHints appends a 0 for each move: the moves are not ordered, and each is irreversible.
func (p Position) AppendHints(dst []int32, moves []Move) []int32 {
	return append(dst, make([]int32, len(moves))...)
}

// perft counts the sequences of depth legal moves, including passes. Shorter games do not count.
// It counts the moves of the last ply without making them.
func (p Position) perft(depth int) (n int64) {
	if depth <= 0 {
		return 1
	}
	to := p.targets()
	if to == 0 {
		if targets(p.opp, p.own, p.rules.Squares()) == 0 {
			return 0
		}
		return p.Play(Pass).perft(depth - 1)
	}
	if depth == 1 {
		return int64(bits.OnesCount64(to))
	}
	for ; to != 0; to &= to - 1 {
		n += p.Play(Move(bits.TrailingZeros64(to))).perft(depth - 1)
	}
	return n
}

// Symmetries is the number of symmetries of the board.
const Symmetries = 8

// Symmetry returns the image of a mask of squares under symmetry k of the board, 0 to 7. Bit 0
// of k flips top and bottom, bit 1 left and right, and bit 2 then transposes.
func Symmetry(k int, squares uint64) uint64 {
	if k&1 != 0 {
		squares = bits.ReverseBytes64(squares)
	}
	if k&2 != 0 {
		squares = bits.ReverseBytes64(bits.Reverse64(squares))
	}
	if k&4 != 0 {
		squares = transpose(squares)
	}
	return squares
}

// transpose exchanges rows and columns by swapping blocks of one, two and four squares a side in
// three rounds (H. S. Warren, *Hacker's Delight*, 2nd ed. 2012, 7–3).
func transpose(squares uint64) uint64 {
	t := (squares ^ squares>>7) & 0x00aa00aa00aa00aa
	squares ^= t ^ t<<7
	t = (squares ^ squares>>14) & 0x0000cccc0000cccc
	squares ^= t ^ t<<14
	t = (squares ^ squares>>28) & 0x00000000f0f0f0f0
	return squares ^ t ^ t<<28
}

// orbit numbers the classes of positions under the symmetries of the board and the exchange of
// colours: a hash of the least position in the class.
func (p Position) orbit() int64 {
	least := p.own
	other := p.opp
	for k := 1; k < Symmetries; k++ {
		own, opp := Symmetry(k, p.own), Symmetry(k, p.opp)
		if own < least || own == least && opp < other {
			least, other = own, opp
		}
	}
	return int64(hash(least, other, p.rules))
}

// swapSides returns the position with the colours exchanged, which is the same for the side to
// move.
func (p Position) swapSides() Position {
	p.side ^= 1
	return p
}

// pass returns the same board with the other side to move.
func (p Position) pass() Position {
	return Position{own: p.opp, opp: p.own, side: p.side ^ 1, rules: p.rules}
}
