package chess

import (
	"cmp"
	"fmt"
	"strings"
)

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

// ScanMove reads the name of a move of the side to move at the beginning of a text, which may
// continue. A promotion must name the piece; no other move takes a letter, so names can be
// concatenated.
func (p Position) ScanMove(text string) (m Move, length int, err error) {
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
