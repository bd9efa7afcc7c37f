package chess

import "math/bits"

const (
	firstRow = uint64(0xff)       // rank 8
	lastRow  = uint64(0xff) << 56 // rank 1
)

// promotions are the kinds that a pawn may become, in move order.
var promotions = [...]int{Queen, Rook, Bishop, Knight}

// AppendMoves appends the legal moves: pieces in the order of FEN, from a8 to h1, and each
// piece's moves by destination in the same order, except that pawn moves begin with one and two
// steps forward. This is LaMoSca's order of moves, as far as its source shows it.
//
// A side without its king has no moves.
func (p Position) AppendMoves(dst []Move) []Move {
	if p.kingless() {
		return dst
	}
	g := p.guard()
	for pieces := p.own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		kind := p.kindAt(from)
		to := p.targets(kind, from, &g)
		if kind == Pawn {
			dst = p.appendPawn(dst, from, to)
			continue
		}
		for ; to != 0; to &= to - 1 {
			dst = append(dst, newMove(from, bits.TrailingZeros64(to), 0))
		}
	}
	return dst
}

// appendPawn appends the moves of a pawn to the given squares.
func (p *Position) appendPawn(dst []Move, from int, to uint64) []Move {
	if to&(firstRow|lastRow) != 0 && p.rules == Full {
		return appendPromotions(dst, from, from+forward[p.side], to)
	}
	for _, steps := range [...]int{1, 2} {
		ahead := from + steps*forward[p.side]
		if ahead >= 0 && ahead < Squares && to>>ahead&1 != 0 {
			dst = append(dst, newMove(from, ahead, 0))
			to &^= 1 << ahead
		}
	}
	for ; to != 0; to &= to - 1 {
		dst = append(dst, newMove(from, bits.TrailingZeros64(to), 0))
	}
	return dst
}

// appendPromotions appends the moves to the last row, straight ahead first.
func appendPromotions(dst []Move, from, ahead int, to uint64) []Move {
	for _, squares := range [...]uint64{to & (1 << ahead), to &^ (1 << ahead)} {
		for ; squares != 0; squares &= squares - 1 {
			for _, promotion := range promotions {
				dst = append(dst, newMove(from, bits.TrailingZeros64(squares), promotion))
			}
		}
	}
	return dst
}

// hasMove reports whether there is a legal move.
func (p *Position) hasMove() bool {
	g := p.guard()
	for pieces := p.own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		if p.targets(p.kindAt(from), from, &g) != 0 {
			return true
		}
	}
	return false
}

// guard is the restrictions on moves that keep the king of the side to move out of check.
type guard struct {
	occupied uint64 // squares of all pieces
	king     int    // its square
	allowed  uint64 // where other pieces may go: anywhere, or where they parry the check
	pinned   uint64 // pieces that may only move on the line through the king and themselves
	checks   int    // number of pieces that give check
}

func (p *Position) guard() guard {
	g := guard{occupied: p.occupancy(), allowed: ^uint64(0)}
	if p.rules == LaMoSca {
		return g
	}
	opponent := g.occupied &^ p.own
	g.king = bits.TrailingZeros64(p.kinds[King] & p.own)
	checkers := p.attackers(g.king, g.occupied, opponent, p.side^1)
	g.checks = bits.OnesCount64(checkers)
	if g.checks == 1 {
		g.allowed = checkers | between[g.king][bits.TrailingZeros64(checkers)]
	} else if g.checks > 1 {
		g.allowed = 0
	}
	straight := rookAttacks(g.king, opponent) & (p.kinds[Rook] | p.kinds[Queen])
	oblique := bishopAttacks(g.king, opponent) & (p.kinds[Bishop] | p.kinds[Queen])
	for pinners := (straight | oblique) & opponent; pinners != 0; pinners &= pinners - 1 {
		line := between[g.king][bits.TrailingZeros64(pinners)] & p.own
		if line&(line-1) == 0 { // at most one piece in between: if none, it is a check
			g.pinned |= line
		}
	}
	return g
}

// targets returns the legal destinations of a piece.
func (p *Position) targets(kind, from int, g *guard) uint64 {
	switch kind {
	case Pawn:
		return p.pawnTargets(from, g)
	case King:
		return p.kingTargets(from, g)
	}
	return p.attacks(kind, from, g.occupied) &^ p.own & g.ways(from)
}

// ways returns the squares that a piece other than the king may go to without exposing its king
// to check.
func (g *guard) ways(from int) uint64 {
	if g.pinned>>from&1 != 0 {
		return g.allowed & through[g.king][from]
	}
	return g.allowed
}

func (p *Position) pawnTargets(from int, g *guard) uint64 {
	to := pawnAttacks[p.side][from] & g.occupied &^ p.own
	step := forward[p.side]
	if one := from + step; one >= 0 && one < Squares && g.occupied>>one&1 == 0 {
		to |= 1 << one
		if two := one + step; advance(int(p.side), from) == 0 && g.occupied>>two&1 == 0 {
			to |= 1 << two
		}
	}
	to &= g.ways(from)
	if p.passant != 0 && pawnAttacks[p.side][from]>>p.passant&1 != 0 && p.passantSafe(from, int(p.passant)) {
		to |= 1 << p.passant
	}
	return to
}

// passantSafe reports whether a pawn may capture en passant without exposing its king to check.
func (p *Position) passantSafe(from, to int) bool {
	captured := uint64(1) << (to - forward[p.side])
	occupied := p.occupancy()&^(1<<from|captured) | 1<<to
	king := bits.TrailingZeros64(p.kinds[King] & p.own)
	return p.attackers(king, occupied, occupied&^p.own&^(1<<to), p.side^1) == 0
}

func (p *Position) kingTargets(from int, g *guard) uint64 {
	to := kingAttacks[from] &^ p.own
	if p.rules == LaMoSca {
		return to
	}
	opponent := g.occupied &^ p.own
	without := g.occupied &^ (1 << from) // the king does not shield a square behind itself
	for squares := to; squares != 0; squares &= squares - 1 {
		square := bits.TrailingZeros64(squares)
		if p.attackers(square, without, opponent, p.side^1) != 0 {
			to &^= 1 << square
		}
	}
	return to | p.castlings(from, g)
}

// castlings returns the squares that the king may castle to.
func (p *Position) castlings(king int, g *guard) (to uint64) {
	rights := p.castling
	if p.side == Black {
		rights >>= 2
	}
	if rights&(whiteShort|whiteLong) == 0 || g.checks > 0 {
		return 0
	}
	if rights&whiteShort != 0 && g.occupied&(3<<(king+1)) == 0 && p.safe(g, king+1, king+2) {
		to |= 1 << (king + 2)
	}
	if rights&whiteLong != 0 && g.occupied&(7<<(king-3)) == 0 && p.safe(g, king-1, king-2) {
		to |= 1 << (king - 2)
	}
	return to
}

// safe reports whether the opponent attacks neither square.
func (p *Position) safe(g *guard, a, b int) bool {
	opponent := g.occupied &^ p.own
	return p.attackers(a, g.occupied, opponent, p.side^1) == 0 && p.attackers(b, g.occupied, opponent, p.side^1) == 0
}

// perft counts the sequences of depth legal moves. Unlike [games.Perft] it continues after a
// draw for lack of material, as published counts do, and counts the last ply without making its
// moves.
func (p Position) perft(depth int) (n int64) {
	if depth <= 0 {
		return 1
	}
	var room [maxMoves]Move
	moves := p.AppendMoves(room[:0])
	if depth == 1 {
		return int64(len(moves))
	}
	for _, m := range moves {
		n += p.Play(m).perft(depth - 1)
	}
	return n
}

// forward is the offset of a pawn's step for each side, in squares.
var forward = [2]int{White: -8, Black: 8}

// Squares that pieces attack on an empty board, by square.
var (
	knightAttacks = stepAttacks(-17, -15, -10, -6, 6, 10, 15, 17)
	kingAttacks   = stepAttacks(-9, -8, -7, -1, 1, 7, 8, 9)
	pawnAttacks   = [2][Squares]uint64{White: stepAttacks(-9, -7), Black: stepAttacks(7, 9)}
)

// stepAttacks returns, for each square, the squares one of the steps away. No step is longer
// than two files.
func stepAttacks(steps ...int) (attacks [Squares]uint64) {
	for from := range attacks {
		for _, step := range steps {
			to := from + step
			if to >= 0 && to < Squares && distance(from&7, to&7) <= 2 {
				attacks[from] |= 1 << to
			}
		}
	}
	return attacks
}

func distance(a, b int) int { return max(a-b, b-a) }

// The lines through each square, without the square itself.
var (
	files     = lines(func(a, b int) bool { return a&7 == b&7 })
	diagonals = lines(func(a, b int) bool { return a>>3-a&7 == b>>3-b&7 })
	antis     = lines(func(a, b int) bool { return a>>3+a&7 == b>>3+b&7 })
)

func lines(same func(a, b int) bool) (m [Squares]uint64) {
	for a := range m {
		for b := range m {
			if a != b && same(a, b) {
				m[a] |= 1 << b
			}
		}
	}
	return m
}

// rowAttacks is a bit mask of the files that a rook attacks in its row, by its file and the
// occupation of the six files between a and h, which do not matter.
var rowAttacks = makeRowAttacks()

func makeRowAttacks() (attacks [8][64]uint8) {
	for file := range 8 {
		for inner := range 64 {
			occupied := inner << 1
			for _, step := range []int{-1, 1} {
				for to := file + step; to >= 0 && to < 8; to += step {
					attacks[file][inner] |= 1 << to
					if occupied>>to&1 != 0 {
						break
					}
				}
			}
		}
	}
	return attacks
}

func rookAttacks(square int, occupied uint64) uint64 {
	row := square &^ 7
	along := uint64(rowAttacks[square&7][occupied>>(row+1)&63]) << row
	return along | lineAttacks(square, occupied, files[square])
}

func bishopAttacks(square int, occupied uint64) uint64 {
	return lineAttacks(square, occupied, diagonals[square]) | lineAttacks(square, occupied, antis[square])
}

// lineAttacks returns the squares of a line that a slider on it attacks. Subtracting the
// slider's bit twice from the pieces on the line flips the bits above it up to the first piece.
// The same on the reversed board flips those below (hyperbola quintessence, G. Isenberg and A.
// Urmston 2007).
func lineAttacks(square int, occupied, line uint64) uint64 {
	occupied &= line
	slider := uint64(1) << square
	above := occupied - 2*slider
	below := bits.ReverseBytes64(bits.ReverseBytes64(occupied) - 2*bits.ReverseBytes64(slider))
	return (above ^ below) & line
}

// between[a][b] are the squares between a and b, through[a][b] the whole line with both. They
// are empty unless a row, file or diagonal contains both a and b.
var between, through = makeLines()

func makeLines() (between, through [Squares][Squares]uint64) {
	for a := range Squares {
		for b := range Squares {
			both := uint64(1)<<a | 1<<b
			for _, attacks := range []func(int, uint64) uint64{rookAttacks, bishopAttacks} {
				if a == b || attacks(a, 0)>>b&1 == 0 {
					continue
				}
				between[a][b] = attacks(a, both) & attacks(b, both)
				through[a][b] = attacks(a, 0)&attacks(b, 0) | both
			}
		}
	}
	return between, through
}

// attackers returns the subset of the pieces some, all of the given side, that attack a square,
// given the occupied squares.
func (p *Position) attackers(square int, occupied, some uint64, side uint8) uint64 {
	k := &p.kinds
	return some & (pawnAttacks[side^1][square]&k[Pawn] |
		knightAttacks[square]&k[Knight] |
		kingAttacks[square]&k[King] |
		bishopAttacks(square, occupied)&(k[Bishop]|k[Queen]) |
		rookAttacks(square, occupied)&(k[Rook]|k[Queen]))
}

// attacks returns the squares that a piece of the side to move attacks from a square.
func (p *Position) attacks(kind, from int, occupied uint64) uint64 {
	switch kind {
	case Pawn:
		return pawnAttacks[p.side][from]
	case Knight:
		return knightAttacks[from]
	case Bishop:
		return bishopAttacks(from, occupied)
	case Rook:
		return rookAttacks(from, occupied)
	case Queen:
		return bishopAttacks(from, occupied) | rookAttacks(from, occupied)
	}
	return kingAttacks[from]
}

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
	opponent := p.occupancy() &^ p.own
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
	occupied, side := p.occupancy(), p.side
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
