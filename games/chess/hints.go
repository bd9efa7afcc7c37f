package chess

import "math/bits"

// The hints of AppendHints: captures before all others, by what they take.
const (
	hintCapture = 1000
	hintVictim  = 10
	hintLoss    = -100 // of a capture that loses material
)

// AppendHints appends a hint for each move: captures that lose no material and
// promotions to a queen are tactical, large pieces taken by small ones first; then the
// moves towards the centre.
func (p Position) AppendHints(dst []int32, moves []Move) []int32 {
	opponent := p.occupied() &^ p.own
	for _, m := range moves {
		from, to, promotion := split(m)
		kind := p.kindAt(from)
		hint := int32(0)
		switch {
		case opponent>>to&1 != 0:
			victim := p.kindAt(to)
			hint = hintCapture + int32(hintVictim*victim-kind)
			if worth[kind] > worth[victim] && p.exchange(from, to) < 0 {
				hint = hintLoss
			}
		case kind == Pawn && to == int(p.passant) && p.passant != 0:
			hint = hintCapture
		}
		if promotion == Queen {
			hint += hintCapture + hintVictim*Queen
		}
		if hint == 0 {
			hint = int32(centre(to) - centre(from) - 6)
		}
		dst = append(dst, hint)
	}
	return dst
}

// centre returns how near a square is to the centre, 0 to 6.
func centre(square int) int {
	file, row := square&7, square>>3
	return min(file, 7-file) + min(row, 7-row)
}

// worth is what pieces count in an exchange, in pawns.
var worth = [...]int{Pawn: 1, Knight: 3, Bishop: 3, Rook: 5, Queen: 9, King: 100, Kinds: 0}

// exchange returns what a capture wins if both sides continue taking back on its square with
// their smallest pieces, as long as that pays. It sees neither pins nor promotions.
func (p *Position) exchange(from, to int) int {
	var gains [32]int // of the side that captures, if the exchange ended there
	occupied, side := p.occupied(), p.side
	colours := p.sides()
	next := p.kindAt(to)
	n := 0
	for at := uint64(1) << from; at != 0; n++ {
		gains[n] = worth[next]
		if n > 0 {
			gains[n] -= gains[n-1]
		}
		next = p.kindAt(bits.TrailingZeros64(at))
		occupied &^= at
		side ^= 1
		at = p.smallest(p.attackers(to, occupied, colours[side]&occupied, side))
	}
	for n--; n > 0; n-- { // nobody has to take back
		gains[n-1] = -max(-gains[n-1], gains[n])
	}
	return gains[0]
}

// smallest returns the piece of least worth among some, 0 for none.
func (p *Position) smallest(some uint64) uint64 {
	for _, squares := range p.kinds {
		if s := squares & some; s != 0 {
			return s & -s
		}
	}
	return 0
}
