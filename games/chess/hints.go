package chess

import "math/bits"

// Hints of AppendHints. Captures come first, by the captured piece.
const (
	hintCapture = 1000
	hintVictim  = 10
	hintLoss    = -100 // of a capture that loses material
)

// AppendHints appends a hint for each move. Captures that lose no material and promotions to a
// queen are tactical, ordered by captured piece, largest first, then by capturing piece,
// smallest first. Quiet moves are ordered by centralisation.
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

// worth is the value of each kind in an exchange, in pawns.
var worth = [...]int{Pawn: 1, Knight: 3, Bishop: 3, Rook: 5, Queen: 9, King: 100, Kinds: 0}

// exchange returns the gain of a capture if both sides recapture on its square with their
// smallest pieces as long as that pays. It ignores pins and promotions.
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
	for n--; n > 0; n-- { // neither side has to recapture
		gains[n-1] = -max(-gains[n-1], gains[n])
	}
	return gains[0]
}

// smallest returns the piece of least worth among some, 0 if some is empty.
func (p *Position) smallest(some uint64) uint64 {
	for _, squares := range p.kinds {
		if s := squares & some; s != 0 {
			return s & -s
		}
	}
	return 0
}
