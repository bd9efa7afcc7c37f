package chess

import "math/bits"

// Move is the square that a piece leaves, the square it goes to and what a pawn
// becomes there: from | to<<6 | promotion<<12. The promotion is 0 for none, else the
// kind of piece. Castling is the move of the king.
type Move = uint16

func newMove(from, to, promotion int) Move { return Move(from | to<<6 | promotion<<12) }

// split takes a move apart.
func split(m Move) (from, to, promotion int) { return int(m & 63), int(m >> 6 & 63), int(m >> 12) }

// Kinds of pieces.
const (
	Pawn = iota
	Knight
	Bishop
	Rook
	Queen
	King
	Kinds // how many there are
)

// Squares is the number of squares. They are numbered as FEN writes them: a8 is 0,
// h8 is 7, a1 is 56, h1 is 63.
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
	LaMoSca              // of LaMoSca v0.06
)

// Castling rights.
const (
	whiteShort = 1 << iota
	whiteLong
	blackShort
	blackLong
)

// Position is a board with the side to move and what castling and en passant depend
// on. It is comparable: positions in which the same side can make the same moves with
// the same pieces on the same squares are equal.
type Position struct {
	kinds    [Kinds]uint64 // squares of the pieces of each kind, of both sides
	own      uint64        // squares of the pieces of the side to move
	progress uint16        // as Progress says: it follows from the board
	side     uint8
	castling uint8 // rights that are left
	passant  uint8 // square that an en passant capture goes to, 0 (a8) if none is legal
	rules    Rules
}

// Start returns the initial position.
func Start(rules Rules) Position {
	p, err := ParseBoard(rules, startBoards[rules])
	if err != nil {
		panic(err) // a test reads both
	}
	return p
}

var startBoards = [...]string{
	Full:    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	LaMoSca: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
}

// Rules returns the rule set of the position.
func (p Position) Rules() Rules { return p.rules }

// SideToMove is [White] or [Black].
func (p Position) SideToMove() int { return int(p.side) }

// Masks returns the squares of the pieces of each kind, of both sides, and of all pieces
// of the side to move: bit i is square i.
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
	gone := uint64(1) << to // where an opponent's piece is taken
	if kind == Pawn && to == int(p.passant) && p.passant != 0 {
		gone = 1 << (to - forward[p.side])
	}
	opponent := p.occupied() &^ p.own
	p.progress += p.gain(kind, from, to, promotion, gone&opponent)
	moved := uint64(1)<<from | gone
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
	p.castling &= kept[from] & kept[to]
	p.own = opponent &^ gone
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

// openPassant notes the square that a pawn has just passed, if a pawn of the side to
// move may capture it there.
func (p *Position) openPassant(square int) {
	by := pawnAttacks[p.side^1][square] & p.kinds[Pawn] & p.own
	for ; by != 0; by &= by - 1 {
		if p.passantSafe(bits.TrailingZeros64(by), square) {
			p.passant = uint8(square)
			return
		}
	}
}

// kept are the castling rights that a move from or to a square leaves.
var kept = makeKept()

func makeKept() (k [Squares]uint8) {
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

// The steps of progress. A capture and a promotion gain more than the advance of the
// pawn that they take from the board, which is 6 at most.
const (
	pawnGone  = 7
	pieceGone = 1
)

// gain is by how much a move raises Progress. captured is the square of the piece that
// it takes, 0 for none.
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

// advance is by how many rows a pawn of a side has advanced.
func advance(side, square int) uint16 {
	if side == White {
		return uint16(6 - square>>3)
	}
	return uint16(square>>3 - 1)
}

// progressOf returns the Progress of a board, counted from nothing.
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
