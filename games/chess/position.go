package chess

import "math/bits"

// Move encodes the squares of origin and destination and the piece of a promotion: from | to<<6
// | promotion<<12, where promotion is 0 or the kind of piece. Castling is a move of the king.
type Move = uint16

func newMove(from, to, promotion int) Move { return Move(from | to<<6 | promotion<<12) }

// split is the inverse of newMove.
func split(m Move) (from, to, promotion int) { return int(m & 63), int(m >> 6 & 63), int(m >> 12) }

// Kinds of pieces.
const (
	Pawn = iota
	Knight
	Bishop
	Rook
	Queen
	King
	Kinds // number of kinds
)

// Squares is the number of squares, numbered in the order of FEN: a8 is 0, h8 is 7, a1 is 56, h1
// is 63.
const Squares = 64

// The sides, as indices of the game's Sides.
const (
	White = iota
	Black
)

// Rules is a rule set.
type Rules uint8

// The rule sets.
const (
	Full    Rules = iota // chess as it is played
	LaMoSca              // chess as played by LaMoSca v0.06
)

// Castling rights.
const (
	whiteShort = 1 << iota
	whiteLong
	blackShort
	blackLong
)

// Position is a board with the side to move, castling rights and en passant square. Positions
// are equal if the same side can make the same moves with the same pieces on the same squares.
type Position struct {
	kinds    [Kinds]uint64 // squares of the pieces of each kind, of both sides
	own      uint64        // squares of the pieces of the side to move
	progress uint16        // the value of Progress, which is a function of the board
	side     uint8
	castling uint8 // remaining rights
	passant  uint8 // destination of an en passant capture, 0 (a8) if none is legal
	rules    Rules
}

// Start returns the initial position.
func Start(rules Rules) Position {
	p, err := ParseBoard(rules, startBoards[rules])
	if err != nil {
		panic(err) // tests parse both boards
	}
	return p
}

var startBoards = [...]string{
	Full:    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	LaMoSca: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
}

// Rules returns the rule set of the position.
func (p Position) Rules() Rules { return p.rules }

// SideToMove returns [White] or [Black].
func (p Position) SideToMove() int { return int(p.side) }

// Masks returns the squares of the pieces of each kind, of both sides, and of all pieces of the
// side to move: bit i is square i.
func (p Position) Masks() (kinds [Kinds]uint64, own uint64) { return p.kinds, p.own }

// pieces returns the number of pieces on the board.
func (p Position) pieces() int { return bits.OnesCount64(p.occupied()) }

func (p *Position) occupied() (all uint64) {
	for _, squares := range p.kinds {
		all |= squares
	}
	return all
}

// kindAt returns the kind of the piece on a square, Kinds if the square is empty.
func (p *Position) kindAt(square int) int {
	for kind, squares := range p.kinds {
		if squares>>square&1 != 0 {
			return kind
		}
	}
	return Kinds
}

// Play makes a legal move.
func (p Position) Play(m Move) Position {
	from, to, promotion := split(m)
	kind := p.kindAt(from)
	captured := uint64(1) << to // the square of a captured piece
	if kind == Pawn && to == int(p.passant) && p.passant != 0 {
		captured = 1 << (to - forward[p.side])
	}
	opponent := p.occupied() &^ p.own
	p.progress += p.gain(kind, from, to, promotion, captured&opponent)
	moved := uint64(1)<<from | captured
	for k := range p.kinds {
		p.kinds[k] &^= moved
	}
	if promotion != 0 {
		p.kinds[promotion] |= 1 << to
	} else {
		p.kinds[kind] |= 1 << to
	}
	if kind == King && p.castling != 0 {
		p.moveRook(from, to)
	}
	p.castling &= keptRights[from] & keptRights[to]
	p.own = opponent &^ captured
	p.side ^= 1
	p.passant = 0
	if kind == Pawn && (to-from == 16 || from-to == 16) && p.rules == Full {
		p.openPassant((from + to) / 2)
	}
	return p
}

// moveRook moves the rook of a castling king.
func (p *Position) moveRook(from, to int) {
	var rook uint64
	switch to - from {
	case 2:
		rook = 1<<(to+1) | 1<<(to-1)
	case -2:
		rook = 1<<(to-2) | 1<<(to+1)
	default:
		return
	}
	p.kinds[Rook] ^= rook
}

// openPassant records the square that a pawn has just passed, if a pawn of the side to move may
// capture it there.
func (p *Position) openPassant(square int) {
	by := pawnAttacks[p.side^1][square] & p.kinds[Pawn] & p.own
	for ; by != 0; by &= by - 1 {
		if p.passantSafe(bits.TrailingZeros64(by), square) {
			p.passant = uint8(square)
			return
		}
	}
}

// keptRights are the castling rights that remain after a move from or to a square.
var keptRights = makeKeptRights()

func makeKeptRights() (k [Squares]uint8) {
	for i := range k {
		k[i] = whiteShort | whiteLong | blackShort | blackLong
	}
	for square, lost := range map[int]uint8{
		0: blackLong, 4: blackShort | blackLong, 7: blackShort,
		56: whiteLong, 60: whiteShort | whiteLong, 63: whiteShort,
	} {
		k[square] &^= lost
	}
	return k
}

// Steps of progress. A capture and a promotion gain more than the advance of the pawn that they
// remove, which is at most 6.
const (
	pawnGone  = 7
	pieceGone = 1
)

// gain returns by how much a move increases Progress. captured is the square of the captured
// piece as a mask, 0 if the move captures nothing.
func (p *Position) gain(kind, from, to, promotion int, captured uint64) (n uint16) {
	if kind == Pawn {
		n = advance(int(p.side), to) - advance(int(p.side), from)
		if promotion != 0 {
			n += pawnGone - advance(int(p.side), to)
		}
	}
	if captured == 0 {
		return n
	}
	n += pieceGone
	if captured&p.kinds[Pawn] != 0 {
		n += pawnGone - advance(int(p.side^1), bits.TrailingZeros64(captured))
	}
	return n
}

// advance returns the number of rows that a pawn has advanced.
func advance(side, square int) uint16 {
	if side == White {
		return uint16(6 - square>>3)
	}
	return uint16(square>>3 - 1)
}

// progressOf computes Progress from the board.
func (p *Position) progressOf() (n uint16) {
	pawns := 0
	for side, squares := range p.sides() {
		for s := squares & p.kinds[Pawn]; s != 0; s &= s - 1 {
			n += advance(side, bits.TrailingZeros64(s))
			pawns++
		}
	}
	return n + uint16(pawnGone*(16-pawns)+pieceGone*(32-p.pieces()))
}

// sides returns the squares of White's and of Black's pieces.
func (p *Position) sides() (s [2]uint64) {
	s[p.side], s[p.side^1] = p.own, p.occupied()&^p.own
	return s
}
