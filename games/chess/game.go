package chess

import "math/bits"

// UnitsPerWin is the value of a win in pawns, the unit of differences: a score of ten pawns is
// as good as a win.
const UnitsPerWin = 10

// darkSquares are the squares of the colour of a1.
const darkSquares = 0xaa55aa55aa55aa55

// Terminal reports whether the position ends the game, and its result for the side to move: 0 or
// ±UnitsPerWin.
func (p Position) Terminal() (diff int, over bool) {
	if p.kingless() {
		return -UnitsPerWin, true
	}
	if p.lacksMaterial() {
		return 0, true
	}
	if p.hasMove() {
		return 0, false
	}
	return p.NoMoves(), true
}

// kingless reports whether the king of the side to move has been captured.
func (p *Position) kingless() bool { return p.kinds[King]&p.own == 0 }

// NoMoves returns the result for a side without a move: checkmate or stalemate.
func (p Position) NoMoves() (diff int) {
	if p.rules == LaMoSca || p.InCheck() {
		return -UnitsPerWin
	}
	return 0
}

// InCheck reports whether the side to move is in check. It is false under LaMoSca's rules, which
// have no check.
func (p Position) InCheck() bool {
	if p.rules == LaMoSca {
		return false
	}
	occupied := p.occupied()
	king := bits.TrailingZeros64(p.kinds[King] & p.own)
	return p.attackers(king, occupied, occupied&^p.own, p.side^1) != 0
}

// lacksMaterial reports whether no sequence of moves can lead to checkmate: apart from the kings
// there is at most a single knight, or only bishops on squares of one colour.
func (p *Position) lacksMaterial() bool {
	k := &p.kinds
	if p.rules == LaMoSca || k[Pawn]|k[Rook]|k[Queen] != 0 {
		return false
	}
	if k[Knight] == 0 {
		return k[Bishop]&darkSquares == 0 || k[Bishop]&^darkSquares == 0
	}
	return k[Bishop] == 0 && k[Knight]&(k[Knight]-1) == 0
}

// Repetition draws the game at the third appearance of a position.
func (p Position) Repetition(times int) (diff int, over bool) {
	return 0, times >= 3 && p.rules == Full
}

// Progress grows with every capture and pawn move, and with no other move.
func (p Position) Progress() int { return int(p.progress) }

// MinCycle returns 4: both sides move a piece and move it back.
func (p Position) MinCycle() int { return 4 }

// DrawClock returns 100: fifty moves of each side without progress draw the game.
func (p Position) DrawClock() int {
	if p.rules == LaMoSca {
		return 0
	}
	return 100
}

// PlyLimit returns 0: there is no ply limit.
func (p Position) PlyLimit() (plies, diff int) { return 0, 0 }

// Key returns a hash of the position, mixed from products of its words.
func (p Position) Key() uint64 {
	rest := uint64(p.side) | uint64(p.castling)<<8 | uint64(p.passant)<<16 | uint64(p.rules)<<24
	k := &p.kinds
	a := fold(k[Pawn]^0xa076_1d64_78bd_642f, k[Knight]^0xe703_7ed1_a0b4_28db)
	b := fold(k[Bishop]^0x8ebc_6af0_9c88_c6e3, k[Rook]^0x5899_65cc_7537_4cc3)
	c := fold(k[Queen]^0x1d8e_4e27_c47d_124f, k[King]^0xeb44_acca_b455_d165)
	d := fold(p.own^0x9e37_79b9_7f4a_7c15, rest^0xd6e8_feb8_6659_fd93)
	return fold(a^0x94d0_49bb_1331_11eb, b^c<<1^c>>63) ^ fold(d^0xbf58_476d_1ce4_e5b9, a^c)
}

// fold returns the exclusive or of the halves of a 128-bit product.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// orbit is equal for a position and its colour-exchanged twin and, without castling rights, for
// the mirror images of both.
func (p Position) orbit() int64 {
	q := p
	if p.side == Black {
		q = p.exchanged()
	}
	key := q.Key()
	if q.castling == 0 {
		mirrored := q.mirrored()
		key = min(key, mirrored.Key())
	}
	return int64(key)
}

// exchanged returns the position with the colours exchanged and the board turned upside down.
func (p Position) exchanged() Position {
	for k := range p.kinds {
		p.kinds[k] = bits.ReverseBytes64(p.kinds[k])
	}
	p.own = bits.ReverseBytes64(p.own)
	p.side ^= 1
	p.castling = p.castling>>2 | p.castling&3<<2
	if p.passant != 0 {
		p.passant ^= 56
	}
	return p
}

// passed returns the same board with the other side to move.
func (p Position) passed() Position {
	var all uint64
	for _, squares := range p.kinds {
		all |= squares
	}
	p.own ^= all
	p.side ^= 1
	p.passant = 0
	return p
}

// mirrored returns the position with the files reversed: a becomes h, and so on.
func (p Position) mirrored() Position {
	for k := range p.kinds {
		p.kinds[k] = mirror(p.kinds[k])
	}
	p.own = mirror(p.own)
	if p.passant != 0 {
		p.passant ^= 7
	}
	return p
}

func mirror(b uint64) uint64 { return bits.ReverseBytes64(bits.Reverse64(b)) }
