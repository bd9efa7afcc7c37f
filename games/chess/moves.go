package chess

import (
	"math/bits"
)

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
	g := guard{occupied: p.occupied(), allowed: ^uint64(0)}
	if p.rules == LaMoSca {
		return g
	}
	opponent := g.occupied &^ p.own
	g.king = bits.TrailingZeros64(p.kinds[King] & p.own)
	checkers := p.attackers(g.king, g.occupied, opponent, p.side^1)
	if g.checks = bits.OnesCount64(checkers); g.checks == 1 {
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
	occupied := p.occupied()&^(1<<from|captured) | 1<<to
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
	var room [MaxMoves]Move
	moves := p.AppendMoves(room[:0])
	if depth == 1 {
		return int64(len(moves))
	}
	for _, m := range moves {
		n += p.Play(m).perft(depth - 1)
	}
	return n
}
