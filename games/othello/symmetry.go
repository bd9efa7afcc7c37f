package othello

import "math/bits"

// Symmetries is the number of symmetries of the board.
const Symmetries = 8

// Symmetry is the image of a mask of squares under a symmetry of the board, 0 to 7; 0
// changes nothing. Bit 0 of the number reflects top and bottom, bit 1 left and right,
// and then bit 2 rows and columns.
func Symmetry(k int, squares uint64) uint64 {
	if k&1 != 0 {
		squares = bits.ReverseBytes64(squares)
	}
	if k&2 != 0 {
		squares = bits.ReverseBytes64(bits.Reverse64(squares))
	}
	if k&4 != 0 {
		squares = Transpose(squares)
	}
	return squares
}

// Transpose exchanges rows and columns: three rounds of exchanged blocks, of one,
// two and four squares a side (H. S. Warren, *Hacker's Delight*, 2nd ed. 2012, 7–3).
func Transpose(squares uint64) uint64 {
	t := (squares ^ squares>>7) & 0x00aa00aa00aa00aa
	squares ^= t ^ t<<7
	t = (squares ^ squares>>14) & 0x0000cccc0000cccc
	squares ^= t ^ t<<14
	t = (squares ^ squares>>28) & 0x00000000f0f0f0f0
	return squares ^ t ^ t<<28
}

// orbit numbers the sets of positions that symmetries of the board, and an exchange of
// the sides' colours, turn into one another: a hash of the least of them.
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

// exchanged is the position with the colours exchanged: the same for the side to move.
func (p Position) exchanged() Position {
	p.side ^= 1
	return p
}

// passed is the same board with the other side to move.
func (p Position) passed() Position {
	return Position{own: p.opp, opp: p.own, side: p.side ^ 1, rules: p.rules}
}
