package chess

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
)

// Reasons for the end of a game other than repetition and lack of progress.
const (
	Checkmate    games.Reason = "checkmate"
	Stalemate    games.Reason = "stalemate"
	DeadPosition games.Reason = "insufficient material"
	KingCaptured games.Reason = "king captured"
	NoMove       games.Reason = "no move"
)

// maxMoves exceeds the legal moves of any position: the known maximum is 218.
const maxMoves = 256

// Descriptor returns the description of chess for code that works for any game. Positions have
// no keys. All callers share it: do not modify it.
func Descriptor() *games.Game[Position] { return descriptor }

var descriptor = games.New(games.Game[Position]{
	Info:       info,
	Start:      func(rules string) (Position, error) { return Start(rulesNamed(rules)), nil },
	Parse:      func(rules, text string) (Position, error) { return ParseBoard(rulesNamed(rules), text) },
	Print:      Position.String,
	RulesOf:    func(p Position) string { return p.rules.String() },
	SideToMove: Position.SideToMove,
	MoveName:   func(_ Position, m Move) string { return MoveName(m) },
	ScanMove:   Position.scanMove,
	Diagram:    Position.diagram,
	Random: func(rng *rand.Rand, rules string) (Position, error) {
		return games.RandomPlayout(rng, Start(rulesNamed(rules)), longestDraw), nil
	},
	Orbit:     Position.orbit,
	Exchange:  Position.swapSides,
	Pass:      Position.pass,
	Phase:     Position.pieces,
	EndReason: endReason,
	Perft:     Position.perft,
})

// longestDraw exceeds the plies of the random games that Random cuts.
const longestDraw = 100

var info = games.Info{
	Name:        "chess",
	Rules:       []string{Full: "full", LaMoSca: "lamosca"},
	Sides:       sides,
	Mates:       true,
	Unit:        "pawn",
	UnitsPerWin: unitsPerWin,
	Endless:     []string{"lamosca"},
	Claimed:     true,
	MaxMoves:    maxMoves,
	PhaseName:   "pieces",
	MaxPhase:    32,
	BoardText:   "a board in Forsyth-Edwards notation: " + startBoards[Full],
	MoveText:    moveText,
	Draws:       "random games cut at a random ply, 0 to 99, in which the game is not over; not every position equally likely",
}

// rulesNamed finds rules that exist by their name.
func rulesNamed(name string) Rules { return Rules(slices.Index(info.Rules, name)) }

// String returns the name of the rule set.
func (r Rules) String() string { return info.Rules[r] }

func endReason(p Position) games.Reason {
	switch {
	case p.kingless():
		return KingCaptured
	case p.lacksMaterial():
		return DeadPosition
	case p.rules == LaMoSca:
		return NoMove
	case p.InCheck():
		return Checkmate
	}
	return Stalemate
}

// SquareName returns the name of a square, "a8" for 0, or "?" if it does not exist.
func SquareName(square int) string {
	if square < 0 || square >= Squares {
		return "?"
	}
	return string([]byte{'a' + byte(square&7), '8' - byte(square>>3)})
}

// parseSquare reads the name of a square at the beginning of a text.
func parseSquare(text string) (square int, err error) {
	if len(text) < 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' {
		return 0, fmt.Errorf("%q is not a square: expected a1 to h8", text[:min(len(text), 2)])
	}
	return int(text[0]-'a') + 8*int('8'-text[1]), nil
}

const moveText = "the squares of origin and destination and the piece of a promotion, as e2e4, e7e8q, or e1g1 for castling"

// MoveName returns the name of a move, as e2e4 or e7e8q.
func MoveName(m Move) string {
	from, to, promotion := split(m)
	name := SquareName(from) + SquareName(to)
	switch {
	case promotion >= King:
		return "?"
	case promotion > 0:
		name += letters[promotion : promotion+1]
	}
	return name
}

// scanMove reads the name of a move of the side to move at the beginning of a text, which may
// continue. A promotion must name the piece; no other move takes a letter, so names can be
// concatenated.
func (p Position) scanMove(text string) (m Move, length int, err error) {
	from, err := parseSquare(text)
	if err != nil {
		return 0, 0, fmt.Errorf("%w; a move is %s", err, moveText)
	}
	to, err := parseSquare(text[2:])
	if err != nil {
		return 0, 0, fmt.Errorf("after %s: %w", text[:2], err)
	}
	if p.own>>from&1 == 0 {
		return 0, 0, fmt.Errorf("move %s: no piece of %s is on %s", text[:4], sides[p.side], text[:2])
	}
	last := [2]uint64{White: firstRow, Black: lastRow}[p.side]
	if p.rules == LaMoSca || p.kinds[Pawn]>>from&1 == 0 || last>>to&1 == 0 {
		return newMove(from, p.castlingTo(from, to), 0), 4, nil
	}
	for _, promotion := range promotions {
		if strings.HasPrefix(text[4:], letters[promotion:promotion+1]) {
			return newMove(from, to, promotion), 5, nil
		}
	}
	return 0, 0, fmt.Errorf("move %s: expected the promotion piece, q, r, b or n, after it", text[:4])
}

// castlingTo returns the destination of a king that captures its own rook, which is how many
// programs write castling: g1 for e1h1. For other moves it returns to.
func (p Position) castlingTo(from, to int) int {
	for _, c := range castlingRights {
		if p.castling&c.right != 0 && c.king == from && c.rook == to {
			return from + 2*cmp.Compare(to, from)
		}
	}
	return to
}

var sides = [2]string{White: "White", Black: "Black"}

// diagram draws the board for a terminal.
//
//	8  r n b q k b n r
//	7  p p p p p p p p
//	6  . . . . . . . .
//	5  . . . . . . . .
//	4  . . . . . . . .
//	3  . . . . . . . .
//	2  P P P P P P P P
//	1  R N B Q K B N R
//	   a b c d e f g h
//	White to move
func (p Position) diagram() string {
	var b strings.Builder
	white := p.sides()[White]
	for row := range 8 {
		fmt.Fprintf(&b, "%d ", 8-row)
		for file := range 8 {
			fmt.Fprintf(&b, " %c", p.letterAt(8*row+file, white))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "   a b c d e f g h\n%s to move", sides[p.side])
	if p.InCheck() {
		b.WriteString(", in check")
	}
	b.WriteByte('\n')
	return b.String()
}

// letters are the letters of the kinds of pieces for Black; White's are upper case.
const letters = "pnbrqk"

// ParseBoard reads a position in Forsyth-Edwards notation: the rows from rank 8 to rank 1, the
// side to move, castling rights, the en passant square, and optionally the two clocks, which are
// checked and discarded. It refuses boards that are obviously impossible: pieces that a side
// cannot have, a side in check that has just moved, castling rights without the king or rook in
// place.
func ParseBoard(rules Rules, text string) (Position, error) {
	p := Position{rules: rules}
	fields := strings.Fields(text)
	if len(fields) != 4 && len(fields) != 6 {
		return Position{}, fmt.Errorf("board %.20q has %d fields: expected rows, side to move, castling, en passant, with or without two clocks, as %q",
			text, len(fields), startBoards[rules])
	}
	for _, read := range []func() error{
		func() error { return p.parseRows(fields[0], fields[1]) },
		p.checkPieces,
		func() error { return p.parseCastling(fields[2]) },
		p.checkKings,
		func() error { return p.parsePassant(fields[3]) },
		func() error { return checkClocks(fields[4:]) },
	} {
		if err := read(); err != nil {
			return Position{}, err
		}
	}
	p.progress = p.progressOf()
	return p, nil
}

// parseRows reads the pieces and the side to move.
func (p *Position) parseRows(text, turn string) error {
	side := strings.Index("wb", turn)
	if side < 0 || len(turn) != 1 {
		return fmt.Errorf("side to move is %.20q: expected w or b", turn)
	}
	p.side = uint8(side)
	rows := strings.Split(text, "/")
	if len(rows) != 8 {
		return fmt.Errorf("board has %d rows: expected 8, from rank 8 down, with / between them", len(rows))
	}
	for i, row := range rows {
		if err := p.parseRow(8*i, row); err != nil {
			return fmt.Errorf("rank %d: %w", 8-i, err)
		}
	}
	return nil
}

// parseRow reads a row whose first square is number first.
func (p *Position) parseRow(first int, row string) error {
	file := 0
	for _, c := range []byte(row) {
		if c >= '1' && c <= '8' {
			file += int(c - '0')
			continue
		}
		kind := strings.IndexByte(letters, c|' ')
		if kind < 0 || c < 'A' {
			return fmt.Errorf("%q is not a piece: expected one of PNBRQK and pnbrqk, or a number of empty squares", c)
		}
		if file > 7 {
			return fmt.Errorf("%.20q has more than 8 squares", row)
		}
		square := uint64(1) << (first + file)
		p.kinds[kind] |= square
		if side := uint8(c >> 5 & 1); side == p.side { // lower case is Black's
			p.own |= square
		}
		file++
	}
	if file != 8 {
		return fmt.Errorf("%.20q has %d squares: expected 8", row, file)
	}
	return nil
}

// checkPieces refuses more pieces than promotions can make, and pawns on impossible rows.
func (p *Position) checkPieces() error {
	for side, squares := range p.sides() {
		count := func(kind int) int { return bits.OnesCount64(p.kinds[kind] & squares) }
		least := 1
		if p.rules == LaMoSca && side == int(p.side) {
			least = 0 // captured
		}
		if n := count(King); n < least || n > 1 {
			return fmt.Errorf("%s has %d kings: expected 1", sides[side], n)
		}
		extra := 0
		for kind, n := range map[int]int{Knight: 2, Bishop: 2, Rook: 2, Queen: 1} {
			extra += max(count(kind)-n, 0)
		}
		if pawns := count(Pawn); pawns+extra > 8 {
			return fmt.Errorf("%s has %d pawns and %d pieces that were pawns: expected at most 8", sides[side], pawns, extra)
		}
		nowhere := [2]uint64{White: lastRow, Black: firstRow}[side]
		if p.rules == Full {
			nowhere = firstRow | lastRow
		}
		if wrong := p.kinds[Pawn] & squares & nowhere; wrong != 0 {
			return fmt.Errorf("%s has a pawn on %s: no pawn can be there", sides[side], SquareName(bits.TrailingZeros64(wrong)))
		}
	}
	return nil
}

// castlingRights are the letters of the rights with the squares of king and rook.
var castlingRights = [...]struct {
	letter     string
	right      uint8
	side       int
	king, rook int
}{
	{"K", whiteShort, White, 60, 63}, {"Q", whiteLong, White, 60, 56},
	{"k", blackShort, Black, 4, 7}, {"q", blackLong, Black, 4, 0},
}

func (p *Position) parseCastling(text string) error {
	if text == "-" {
		return nil
	}
	if p.rules == LaMoSca {
		return fmt.Errorf("castling rights are %.20q: expected -, nobody castles under lamosca rules", text)
	}
	for _, c := range castlingRights {
		rest := strings.Replace(text, c.letter, "", 1)
		if rest == text {
			continue
		}
		text = rest
		own := p.sides()[c.side]
		if p.kinds[King]&own>>c.king&1 == 0 || p.kinds[Rook]&own>>c.rook&1 == 0 {
			return fmt.Errorf("castling right %s: expected the king on %s and a rook on %s",
				c.letter, SquareName(c.king), SquareName(c.rook))
		}
		p.castling |= c.right
	}
	if text != "" || p.castling == 0 {
		return fmt.Errorf("castling rights with %.20q: expected each of KQkq at most once, or -", text)
	}
	return nil
}

// checkKings refuses positions in which a king could be captured.
func (p *Position) checkKings() error {
	if p.rules == LaMoSca {
		return nil
	}
	occupied := p.occupancy()
	king := bits.TrailingZeros64(p.kinds[King] &^ p.own)
	if p.attackers(king, occupied, p.own, p.side) != 0 {
		return fmt.Errorf("%s is in check: expected it to be their turn", sides[p.side^1])
	}
	return nil
}

// parsePassant reads the square that a pawn has just passed. It is kept only if a capture there
// is possible.
func (p *Position) parsePassant(text string) error {
	if text == "-" {
		return nil
	}
	if p.rules == LaMoSca {
		return fmt.Errorf("en passant square is %.20q: expected -, nobody captures so under lamosca rules", text)
	}
	square, err := parseSquare(text)
	if err != nil || len(text) != 2 {
		return fmt.Errorf("en passant square is %.20q: expected - or a square, as e3", text)
	}
	row := [2]int{White: 2, Black: 5}[p.side]
	pawn, from := square-forward[p.side], square+forward[p.side]
	occupied := p.occupancy()
	if square>>3 != row || (p.kinds[Pawn]&^p.own)>>pawn&1 == 0 || occupied>>square&1 != 0 || occupied>>from&1 != 0 {
		return fmt.Errorf("en passant square is %s: no pawn of %s can have passed it", text, sides[p.side^1])
	}
	p.openPassant(square)
	return nil
}

// checkClocks refuses clocks that are not numbers.
func checkClocks(fields []string) error {
	for i, field := range fields {
		if n, err := strconv.Atoi(field); err != nil || n < 0 || n > 10_000 {
			return fmt.Errorf("%s is %.20q: expected a number", [...]string{"half-move clock", "move number"}[i], field)
		}
	}
	return nil
}

// String returns the position in the notation of [ParseBoard], with dummy clocks: "0 1".
func (p Position) String() string {
	var b strings.Builder
	white := p.sides()[White]
	for square := range Squares {
		if square > 0 && square&7 == 0 {
			b.WriteByte('/')
		}
		b.WriteByte(p.letterAt(square, white))
	}
	text := b.String()
	for n := 8; n > 0; n-- { // longest runs of empty squares first
		text = strings.ReplaceAll(text, strings.Repeat(".", n), strconv.Itoa(n))
	}
	rights := ""
	for _, c := range castlingRights {
		if p.castling&c.right != 0 {
			rights += c.letter
		}
	}
	if rights == "" {
		rights = "-"
	}
	passant := "-"
	if p.passant != 0 {
		passant = SquareName(int(p.passant))
	}
	return text + " " + "wb"[p.side:p.side+1] + " " + rights + " " + passant + " 0 1"
}

// letterAt returns the letter of the piece on a square, or a dot.
func (p *Position) letterAt(square int, white uint64) byte {
	kind := p.kindAt(square)
	switch {
	case kind == Kinds:
		return '.'
	case white>>square&1 != 0:
		return letters[kind] &^ ' '
	}
	return letters[kind]
}
