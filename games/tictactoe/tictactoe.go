package tictactoe

import (
	"fmt"
	"math/bits"

	"kroo/games"
)

// Move is the square of the new stone, 0…8 in reading order.
type Move = uint16

// squares is the number of squares of the board.
const squares = 9

// Position is a pair of bit masks, the squares of the side to move and those of the opponent. X
// moves first, so the number of stones determines which side is X.
type Position struct {
	games.Irreversible
	own, opp uint16
}

const full = 1<<squares - 1

var lines = [...]uint16{0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124}

// Start returns the empty board.
func Start() Position { return Position{} }

// AppendMoves appends the empty squares to dst.
func (p Position) AppendMoves(dst []Move) []Move {
	for free := full &^ (p.own | p.opp); free != 0; free &= free - 1 {
		dst = append(dst, Move(bits.TrailingZeros16(free)))
	}
	return dst
}

// Play puts a stone on an empty square and passes the turn.
func (p Position) Play(m Move) Position { return Position{own: p.opp, opp: p.own | 1<<m} }

// Terminal reports whether the game is over, and its result for the side to move: -1 if the
// opponent has a line, 1 if the side to move has one (which cannot occur in play), 0 if the
// board is full.
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

// sideToMove returns 0 for X, 1 for O.
func (p Position) sideToMove() int { return p.Progress() & 1 }

// stones returns the squares of X and of O.
func (p Position) stones() (x, o uint16) {
	if p.sideToMove() == 0 {
		return p.own, p.opp
	}
	return p.opp, p.own
}

// Masks returns the squares of the side to move and those of the opponent: bit i is square i in
// reading order.
func (p Position) Masks() (own, opp uint16) { return p.own, p.opp }

// Progress returns the number of stones.
func (p Position) Progress() int { return bits.OnesCount16(p.own | p.opp) }

// NoMoves returns 0, a draw: the board is full.
func (p Position) NoMoves() (diff int) { return 0 }

// Key returns a hash of the position. Different positions have different keys.
func (p Position) Key() uint64 {
	h := (uint64(p.own)<<9 | uint64(p.opp)) * 0x9e37_79b9_7f4a_7c15
	h = (h ^ h>>32) * 0x94d0_49bb_1331_11eb
	return h ^ h>>29
}

// AppendHints appends a 0 for each move: the moves are not ordered.
func (p Position) AppendHints(dst []int32, moves []Move) []int32 {
	return append(dst, make([]int32, len(moves))...)
}

// boards is the number of ways to fill nine squares with X, O or nothing, whether or not turns
// alternate: ranks are 0 … boards-1.
const boards = 19683

// rank returns the number of the position: its digits in base 3 are the squares, lowest digit
// first, 0 for empty, 1 for X and 2 for O. Some numbers below [boards] are not ranks of a
// position.
func (p Position) rank() int64 { return p.rankBy(&symmetries[0]) }

// rankBy returns the rank of the board whose square i is square from[i] of p.
func (p Position) rankBy(from *[squares]uint8) (rank int64) {
	x, o := p.stones()
	for i := squares - 1; i >= 0; i-- {
		rank = 3*rank + int64(x>>from[i]&1) + 2*int64(o>>from[i]&1)
	}
	return rank
}

// unrank is the inverse of [Position.rank]. It returns an error for numbers that are not ranks.
func unrank(rank int64) (Position, error) {
	if rank < 0 || rank >= boards {
		return Position{}, fmt.Errorf("rank %d out of range: expected 0 to %d", rank, boards-1)
	}
	var x, o uint16
	for i := range squares {
		switch rank % 3 {
		case 1:
			x |= 1 << i
		case 2:
			o |= 1 << i
		}
		rank /= 3
	}
	return fromStones(x, o)
}

// orbit numbers the classes of positions under rotation and reflection: it is the least rank in
// the class.
func (p Position) orbit() int64 {
	least := p.rank()
	for i := range symmetries {
		least = min(least, p.rankBy(&symmetries[i]))
	}
	return least
}

// symmetries are the eight symmetries of the square as permutations of the
// board's squares, the identity first.
var symmetries = makeSymmetries()

func makeSymmetries() (s [8][squares]uint8) {
	for k := range s {
		for i := range squares {
			row, column := i/3, i%3
			if k&1 != 0 {
				row = 2 - row
			}
			if k&2 != 0 {
				column = 2 - column
			}
			if k&4 != 0 {
				row, column = column, row
			}
			s[k][i] = uint8(3*row + column)
		}
	}
	return s
}
