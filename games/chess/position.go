// Package chess implements the rules of chess, with two rule sets. [Full] is chess (FIDE Laws of
// Chess, 2023). [LaMoSca] is the rules of LaMoSca v0.06, a small minimax program for WinBoard:
// pieces move as in chess, but there is no castling, no promotion, no en passant and no draw.
//
// Get a position from [Start] or [ParseBoard], and make moves with [Position.Play]. [Descriptor]
// describes the game to code that works for any game.
//
// Boards are written in Forsyth-Edwards notation (FEN), moves as the squares of origin and
// destination, with the letter of the new piece for a promotion: e2e4, e7e8q, and e1g1 for
// castling.
//
// Where the source of LaMoSca is silent, Kroo decides: there is no rule of check, the game ends
// when a king is captured, a side without a move loses, and a pawn that reaches the last row
// stays there.
//
// Under full rules a game is drawn by stalemate, by the third appearance of a position, by fifty
// moves of each side without a capture or pawn move, and if no sequence of moves can checkmate
// for lack of material: king against king, with at most one knight or any bishops on squares of
// one colour.
//
// Caveats: a [Position] has no clocks. The two numbers at the end of a FEN are checked and
// discarded, so fifty moves are counted from the position that was read. Play does not check its
// argument.
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
func (p Position) pieces() int { return bits.OnesCount64(p.occupancy()) }

func (p *Position) occupancy() (all uint64) {
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
	opponent := p.occupancy() &^ p.own
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
	s[p.side], s[p.side^1] = p.own, p.occupancy()&^p.own
	return s
}

// unitsPerWin is the value of a win in pawns, the unit of differences: a score of ten pawns is
// as good as a win.
const unitsPerWin = 10

// darkSquares are the squares of the colour of a1.
const darkSquares = 0xaa55aa55aa55aa55

// Terminal reports whether the position ends the game, and its result for the side to move: 0 or
// ±unitsPerWin.
func (p Position) Terminal() (diff int, over bool) {
	if p.kingless() {
		return -unitsPerWin, true
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
		return -unitsPerWin
	}
	return 0
}

// InCheck reports whether the side to move is in check. It is false under LaMoSca's rules, which
// have no check.
func (p Position) InCheck() bool {
	if p.rules == LaMoSca {
		return false
	}
	occupied := p.occupancy()
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
		q = p.swapSides()
	}
	key := q.Key()
	if q.castling == 0 {
		mirrored := q.mirror()
		key = min(key, mirrored.Key())
	}
	return int64(key)
}

// swapSides returns the position with the colours exchanged and the board turned upside down.
func (p Position) swapSides() Position {
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

// pass returns the same board with the other side to move.
func (p Position) pass() Position {
	p.own ^= p.occupancy()
	p.side ^= 1
	p.passant = 0
	return p
}

// mirror returns the position with the files reversed: a becomes h, and so on.
func (p Position) mirror() Position {
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
