package tictactoe

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"

	"kroo/games"
)

// Reasons for the end of a game.
const (
	ThreeInRow games.Reason = "three in a row"
	FullBoard  games.Reason = "full board"
)

// Descriptor returns the description of tic-tac-toe for code that works for any game. Its keys
// are ranks. All callers share it: do not modify it.
func Descriptor() *games.Game[Position] { return descriptor }

var descriptor = games.New(games.Game[Position]{
	Info:       info,
	Start:      func(string) (Position, error) { return Start(), nil },
	Parse:      func(_, text string) (Position, error) { return ParseBoard(text) },
	Print:      Position.String,
	SideToMove: Position.sideToMove,
	MoveName:   func(_ Position, m Move) string { return moveName(m) },
	ScanMove: func(_ Position, text string) (Move, int, error) {
		m, err := parseMove(text)
		return m, 2, err
	},
	Diagram: Position.diagram,
	Random: func(rng *rand.Rand, _ string) (Position, error) {
		return games.RandomPlayout(rng, Start(), squares), nil
	},
	Key:       func(p Position) (int64, bool) { return p.rank(), true },
	FromKey:   func(_ string, key int64) (Position, error) { return unrank(key) },
	Orbit:     Position.orbit,
	Phase:     Position.Progress,
	EndReason: endReason,
})

var info = games.Info{
	Name:        "tictactoe",
	Rules:       []string{"standard"},
	Sides:       sides,
	Unit:        "win",
	UnitsPerWin: 1,
	MaxMoves:    squares,
	PhaseName:   "stones",
	MaxPhase:    squares,
	BoardText:   "nine squares in reading order, X, O or a dot: XO.......; X moves first",
	MoveText:    moveText,
	Draws:       "random games cut at a random ply, 0 to 8, in which the game is not over; not every position equally likely",
}

func endReason(p Position) games.Reason {
	if diff, _ := p.Terminal(); diff != 0 {
		return ThreeInRow
	}
	return FullBoard
}

// ParseBoard reads nine squares in reading order, each "X", "O" or ".". X moves first. It
// returns an error if the sides cannot have alternated.
func ParseBoard(s string) (Position, error) {
	if len(s) != squares {
		return Position{}, fmt.Errorf("board has %d characters: expected %d", len(s), squares)
	}
	var x, o uint16
	for i, c := range []byte(s) {
		switch c {
		case 'X':
			x |= 1 << i
		case 'O':
			o |= 1 << i
		case '.':
		default:
			return Position{}, fmt.Errorf("square %s is %q: expected X, O or a dot", moveName(Move(i)), c)
		}
	}
	return fromStones(x, o)
}

// fromStones returns the position with stones of X and O on the given, disjoint squares.
func fromStones(x, o uint16) (Position, error) {
	switch bits.OnesCount16(x) - bits.OnesCount16(o) {
	case 0:
		return Position{own: x, opp: o}, nil
	case 1:
		return Position{own: o, opp: x}, nil
	}
	return Position{}, fmt.Errorf("board has %d X and %d O: expected equal numbers, or one more X",
		bits.OnesCount16(x), bits.OnesCount16(o))
}

// String returns the position in the notation that [ParseBoard] reads.
func (p Position) String() string {
	var b [squares]byte
	x, o := p.stones()
	for i := range b {
		switch {
		case x>>i&1 != 0:
			b[i] = 'X'
		case o>>i&1 != 0:
			b[i] = 'O'
		default:
			b[i] = '.'
		}
	}
	return string(b[:])
}

// moveName returns the name of a square: its column a to c and its row 1 to 3 from the top. It
// returns "?" unless the move is 0…8.
func moveName(m Move) string {
	if m >= squares {
		return "?"
	}
	return string([]byte{'a' + byte(m%3), '1' + byte(m/3)})
}

const moveText = "a column a to c and a row 1 to 3 from the top, as b2"

// parseMove reads the name of a square at the beginning of a text, which may be longer. It is
// the inverse of [moveName].
func parseMove(text string) (Move, error) {
	if len(text) < 2 || text[0] < 'a' || text[0] > 'c' || text[1] < '1' || text[1] > '3' {
		return 0, fmt.Errorf("%q is not a square: expected %s", text[:min(len(text), 2)], moveText)
	}
	return Move(text[0]-'a') + 3*Move(text[1]-'1'), nil
}

// diagram draws the board for a terminal.
//
//	    a   b   c
//	1   X | . | .
//	2   . | O | .
//	3   . | . | .     X to move
func (p Position) diagram() string {
	var b strings.Builder
	b.WriteString("    a   b   c\n")
	text := p.String()
	for row := range 3 {
		squares := strings.Split(text[3*row:3*row+3], "")
		fmt.Fprintf(&b, "%d   %s", row+1, strings.Join(squares, " | "))
		if row == 2 {
			fmt.Fprintf(&b, "     %s to move", sides[p.sideToMove()])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var sides = [2]string{"X", "O"}
