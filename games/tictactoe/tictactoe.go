// Package tictactoe implements the rules of tic-tac-toe, a game so small that every value is
// known. It shows that the rest of the program works for games other than oware. Get a position
// from [Start] or [ParseBoard], and make moves with [Position.Play]. [Descriptor] describes the
// game to code that works for any game.
//
// The text of a board is its nine squares in reading order, each "X", "O" or ".". X moves first,
// so the number of stones determines the side to move. A square is named by its column a, b, c
// from the left and its row 1, 2, 3 from the top.
//
// Caveat: Play does not check its argument. AppendMoves does not check whether the game is over;
// [Position.Terminal] does.
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

// Move is the square of the new stone, 0…8 in reading order.
type Move = uint16

// squares is the number of squares of the board.
const squares = 9

// Position is a pair of bit masks, the squares of the side to move and those of the opponent. X
// moves first, so the number of stones determines which side is X.
type Position struct {
	games.Irreversible
	own, opp uint16
}

const full = 1<<squares - 1

var lines = [...]uint16{0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124}

// Start returns the empty board.
func Start() Position { return Position{} }

// AppendMoves appends the empty squares to dst.
func (p Position) AppendMoves(dst []Move) []Move {
	for free := full &^ (p.own | p.opp); free != 0; free &= free - 1 {
		dst = append(dst, Move(bits.TrailingZeros16(free)))
	}
	return dst
}

// Play puts a stone on an empty square and passes the turn.
func (p Position) Play(m Move) Position { return Position{own: p.opp, opp: p.own | 1<<m} }

// Terminal reports whether the game is over, and its result for the side to move: -1 if the
// opponent has a line, 1 if the side to move has one (which cannot occur in play), 0 if the
// board is full.
func (p Position) Terminal() (diff int, over bool) {
	for _, l := range lines {
		if p.opp&l == l {
			return -1, true
		}
		if p.own&l == l {
			return 1, true
		}
	}
	return 0, p.own|p.opp == full
}

// sideToMove returns 0 for X, 1 for O.
func (p Position) sideToMove() int { return p.Progress() & 1 }

// stones returns the squares of X and of O.
func (p Position) stones() (x, o uint16) {
	if p.sideToMove() == 0 {
		return p.own, p.opp
	}
	return p.opp, p.own
}

// Masks returns the squares of the side to move and those of the opponent: bit i is square i in
// reading order.
func (p Position) Masks() (own, opp uint16) { return p.own, p.opp }

// Progress returns the number of stones.
func (p Position) Progress() int { return bits.OnesCount16(p.own | p.opp) }

// NoMoves returns 0, a draw: the board is full.
func (p Position) NoMoves() (diff int) { return 0 }

// Key returns a hash of the position. Different positions have different keys.
func (p Position) Key() uint64 {
	h := (uint64(p.own)<<9 | uint64(p.opp)) * 0x9e37_79b9_7f4a_7c15
	h = (h ^ h>>32) * 0x94d0_49bb_1331_11eb
	return h ^ h>>29
}

// AppendHints appends a 0 for each move: the moves are not ordered.
func (p Position) AppendHints(dst []int32, moves []Move) []int32 {
	return append(dst, make([]int32, len(moves))...)
}

// boards is the number of ways to fill nine squares with X, O or nothing, whether or not turns
// alternate: ranks are 0 … boards-1.
const boards = 19683

// rank returns the number of the position: its digits in base 3 are the squares, lowest digit
// first, 0 for empty, 1 for X and 2 for O. Some numbers below [boards] are not ranks of a
// position.
func (p Position) rank() int64 { return p.rankBy(&symmetries[0]) }

// rankBy returns the rank of the board whose square i is square from[i] of p.
func (p Position) rankBy(from *[squares]uint8) (rank int64) {
	x, o := p.stones()
	for i := squares - 1; i >= 0; i-- {
		rank = 3*rank + int64(x>>from[i]&1) + 2*int64(o>>from[i]&1)
	}
	return rank
}

// unrank is the inverse of [Position.rank]. It returns an error for numbers that are not ranks.
func unrank(rank int64) (Position, error) {
	if rank < 0 || rank >= boards {
		return Position{}, fmt.Errorf("rank %d out of range: expected 0 to %d", rank, boards-1)
	}
	var x, o uint16
	for i := range squares {
		switch rank % 3 {
		case 1:
			x |= 1 << i
		case 2:
			o |= 1 << i
		}
		rank /= 3
	}
	return fromStones(x, o)
}

// orbit numbers the classes of positions under rotation and reflection: it is the least rank in
// the class.
func (p Position) orbit() int64 {
	least := p.rank()
	for i := range symmetries {
		least = min(least, p.rankBy(&symmetries[i]))
	}
	return least
}

// symmetries are the eight symmetries of the square as permutations of the
// board's squares, the identity first.
var symmetries = makeSymmetries()

func makeSymmetries() (s [8][squares]uint8) {
	for k := range s {
		for i := range squares {
			row, column := i/3, i%3
			if k&1 != 0 {
				row = 2 - row
			}
			if k&2 != 0 {
				column = 2 - column
			}
			if k&4 != 0 {
				row, column = column, row
			}
			s[k][i] = uint8(3*row + column)
		}
	}
	return s
}
