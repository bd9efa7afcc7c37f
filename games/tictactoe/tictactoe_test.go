package tictactoe

import (
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// parse is ParseBoard for valid boards.
func parse(t *testing.T, board string) Position {
	t.Helper()
	return testkit.Must(ParseBoard(board))(t)
}

func TestLineEndsGame(t *testing.T) {
	for _, tt := range []struct {
		board string
		diff  int
		over  bool
	}{
		{"XXXOO....", -1, true},
		{"OO.XXX...", -1, true},
		{"OO....XXX", -1, true},
		{"XO.XO.X..", -1, true},
		{"OX.OX..X.", -1, true},
		{"O.XO.X..X", -1, true},
		{"XO..X.O.X", -1, true},
		{"OOX.X.X..", -1, true},
		{"OOO.XX.X.", -1, true}, // the line is O's, X is to move
		{"XXXOO.O..", 1, true},  // impossible in play: the winner is to move
		{"XOXXOOOXX", 0, true},
		{"XOXXOXOXO", 0, true},
		{"XX.OO....", 0, false},
		{".........", 0, false},
	} {
		if diff, over := parse(t, tt.board).Terminal(); diff != tt.diff || over != tt.over {
			t.Errorf("%s: Terminal() = %d, %v, want %d, %v", tt.board, diff, over, tt.diff, tt.over)
		}
	}
}

func TestNothingRepeats(t *testing.T) {
	p := Start()
	if _, over := p.Repetition(3); over {
		t.Error("a repetition ends the game")
	}
	if p.MinCycle() <= 9 {
		t.Errorf("MinCycle() = %d, want more than the plies of a game", p.MinCycle())
	}
	testkit.EqualSlices(t, p.AppendHints(nil, p.AppendMoves(nil)), make([]int32, 9), "hints")
}

func TestParseBoardRefuses(t *testing.T) {
	for board, want := range map[string]string{
		"":          "expected 9",
		"XO":        "expected 9",
		"XO..z....": "square b2",
		"XX.......": "2 X and 0 O",
		"O........": "0 X and 1 O",
	} {
		_, err := ParseBoard(board)
		testkit.Refused(t, err, want)
	}
}

func TestPlayAllocatesNothing(t *testing.T) {
	p, buf := Start(), make([]uint16, 0, 9)
	if n := testing.AllocsPerRun(100, func() {
		buf = p.Play(4).AppendMoves(buf[:0])
		p.Terminal()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if want := []uint16{0, 1, 2, 3, 5, 6, 7, 8}; !slices.Equal(buf, want) {
		t.Errorf("moves after the centre = %v, want %v", buf, want)
	}
}
