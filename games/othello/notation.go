package othello

import (
	"fmt"
	"math/bits"
	"strings"
)

// letters are the letters of the sides in board texts.
var letters = [2]byte{darkSide: 'X', lightSide: 'O'}

// at returns the bit number of a square, given its row and column.
func (r Rules) at(row, column int) int { return 8*(row+int(r)) + column + int(r) }

// place returns the row and column of a square, given its bit number.
func (r Rules) place(m Move) (row, column int) { return int(m/8) - int(r), int(m%8) - int(r) }

// ParseBoard reads the squares in reading order, each X, O or a dot, then a dash and the side to
// move, X or O.
func ParseBoard(r Rules, s string) (Position, error) {
	n := r.Size() * r.Size()
	if len(s) != n+2 {
		return Position{}, fmt.Errorf("board has %d characters: expected %d, the squares, a dash and X or O to move",
			len(s), n+2)
	}
	if s[n] != '-' || s[n+1] != letters[darkSide] && s[n+1] != letters[lightSide] {
		return Position{}, fmt.Errorf("board ends in %q: expected -X or -O, the side to move", s[n:])
	}
	var discs [2]uint64
	for i, c := range []byte(s[:n]) {
		at := r.at(i/r.Size(), i%r.Size())
		switch c {
		case letters[darkSide]:
			discs[darkSide] |= 1 << at
		case letters[lightSide]:
			discs[lightSide] |= 1 << at
		case '.':
		default:
			return Position{}, fmt.Errorf("square %s is %q: expected X, O or a dot", MoveName(r, Move(at)), c)
		}
	}
	p := Position{own: discs[darkSide], opp: discs[lightSide], rules: r}
	if s[n+1] == letters[lightSide] {
		p = p.pass()
	}
	return p, nil
}

// String returns the position in the notation of [ParseBoard], which does not include the rules.
func (p Position) String() string {
	n := p.rules.Size()
	b := make([]byte, 0, n*n+2)
	for row := range n {
		b = append(b, p.row(row)...)
	}
	return string(append(b, '-', letters[p.side]))
}

// row returns a row as written in board texts.
func (p Position) row(row int) []byte {
	dark, light := p.bySide()
	b := make([]byte, p.rules.Size())
	for column := range b {
		b[column] = '.'
		switch at := p.rules.at(row, column); {
		case dark>>at&1 != 0:
			b[column] = letters[darkSide]
		case light>>at&1 != 0:
			b[column] = letters[lightSide]
		}
	}
	return b
}

const passName = "pass"

// MoveName returns the name of a square, its column and its row from the top, or "pass". It
// returns "?" if the move does not exist.
func MoveName(r Rules, m Move) string {
	if m == Pass {
		return passName
	}
	row, column := r.place(m)
	if m > Pass || row < 0 || column < 0 || row >= r.Size() || column >= r.Size() {
		return "?"
	}
	return string([]byte{'a' + byte(column), '1' + byte(row)})
}

const moveText = "a column a to h and a row 1 to 8 from the top, as f5 (a to f and 1 to 6 on the small board), or pass"

// scanMove reads the name of a move, in upper or lower case, at the beginning of a text, which
// may be longer. It is the inverse of [MoveName].
func scanMove(r Rules, text string) (m Move, length int, err error) {
	if len(text) >= len(passName) && strings.EqualFold(text[:len(passName)], passName) {
		return Pass, len(passName), nil
	}
	if len(text) >= 2 {
		row, column := int(text[1])-'1', int(text[0]|0x20)-'a'
		if row >= 0 && row < r.Size() && column >= 0 && column < r.Size() {
			return Move(r.at(row, column)), 2, nil
		}
	}
	return 0, 0, fmt.Errorf("%q is not a move: expected %s", text[:min(len(text), 4)], moveText)
}

// diagram draws the board for a terminal, with the number of discs, and stars on the squares
// where the side to move can put a disc.
//
//	    a b c d e f
//	1   . . . . . .
//	2   . . * . . .
//	3   . * O X . .
//	4   . . X O * .
//	5   . . . * . .
//	6   . . . . . .
//	X 2, O 2, X to move
func (p Position) diagram() string {
	var b strings.Builder
	n, to := p.rules.Size(), p.targets()
	b.WriteString("   ")
	for column := range n {
		fmt.Fprintf(&b, " %c", 'a'+column)
	}
	for row := range n {
		fmt.Fprintf(&b, "\n%d  ", row+1)
		for column, c := range p.row(row) {
			if to>>p.rules.at(row, column)&1 != 0 {
				c = '*'
			}
			fmt.Fprintf(&b, " %c", c)
		}
	}
	dark, light := p.bySide()
	fmt.Fprintf(&b, "\nX %d, O %d, %c to move\n", bits.OnesCount64(dark), bits.OnesCount64(light), letters[p.side])
	return b.String()
}
