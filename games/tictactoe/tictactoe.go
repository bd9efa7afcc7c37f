// Package tictactoe is noughts and crosses: the smallest game the searchers can
// play, and small enough that every value is known. Begin with [Start], make
// moves 0…8 (the squares in reading order) with [Position.Play].
//
// Caveat: Play trusts its argument, and AppendMoves does not ask whether the
// game is over; [Position.Terminal] does.
package tictactoe

import (
	"fmt"
	"math/bits"
)

// Position is the squares of the player to move and those of his opponent, as
// bit masks. Whose stones are the crosses follows from their number.
type Position struct{ own, opp uint16 }

const full = 1<<9 - 1

var lines = [...]uint16{0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124}

// Start is the empty board.
func Start() Position { return Position{} }

// ParseBoard reads nine squares in reading order, each X, O or "."; X has moved
// first. It refuses boards on which the turns cannot have alternated.
func ParseBoard(s string) (Position, error) {
	if len(s) != 9 {
		return Position{}, fmt.Errorf("tictactoe: board has %d characters: expected 9", len(s))
	}
	var x, o uint16
	for i, c := range []byte(s) {
		switch c {
		case 'X':
			x |= 1 << i
		case 'O':
			o |= 1 << i
		case '.':
		default:
			return Position{}, fmt.Errorf("tictactoe: square %d holds %q: expected X, O or a dot", i, c)
		}
	}
	switch bits.OnesCount16(x) - bits.OnesCount16(o) {
	case 0:
		return Position{own: x, opp: o}, nil
	case 1:
		return Position{own: o, opp: x}, nil
	}
	return Position{}, fmt.Errorf("tictactoe: board has %d X and %d O: expected as many, or one X more",
		bits.OnesCount16(x), bits.OnesCount16(o))
}

// AppendMoves appends the empty squares to dst.
func (p Position) AppendMoves(dst []uint16) []uint16 {
	for free := full &^ (p.own | p.opp); free != 0; free &= free - 1 {
		dst = append(dst, uint16(bits.TrailingZeros16(free)))
	}
	return dst
}

// Play puts a stone on an empty square and passes the turn.
func (p Position) Play(m uint16) Position { return Position{own: p.opp, opp: p.own | 1<<m} }

// Terminal tells whether the game is over: lost (-1) for the player to move if
// his opponent has a line, won (1) if he has one himself, which no game leads
// to, drawn (0) if the board is full.
func (p Position) Terminal() (diff int, over bool) {
	for _, l := range lines {
		if p.opp&l == l {
			return -1, true
		}
		if p.own&l == l {
			return 1, true
		}
	}
	return 0, p.own|p.opp == full
}

// Repetition never ends a game: stones stay where they are.
func (p Position) Repetition(int) (diff int, over bool) { return 0, false }

// Progress is the number of stones.
func (p Position) Progress() int { return bits.OnesCount16(p.own | p.opp) }

// MinCycle is more than the plies of a game: no position recurs.
func (p Position) MinCycle() int { return 10 }

// NoMoves is a draw: the board is full.
func (p Position) NoMoves() (diff int) { return 0 }

// DrawClock is 0: every move is irreversible.
func (p Position) DrawClock() int { return 0 }

// Key is a hash of the position. Different positions have different keys.
func (p Position) Key() uint64 {
	h := (uint64(p.own)<<9 | uint64(p.opp)) * 0x9e37_79b9_7f4a_7c15
	h = (h ^ h>>32) * 0x94d0_49bb_1331_11eb
	return h ^ h>>29
}

// Hint has no preference among moves.
func (p Position) Hint(uint16) int { return 0 }
