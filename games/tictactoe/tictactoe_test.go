package tictactoe

import (
	"slices"
	"testing"

	"kroo/games"
	"kroo/games/gametest"
	"kroo/internal/testkit"
)

func TestDescriptor(t *testing.T) { gametest.Run(t, Descriptor()) }

func TestAWinIsWorthAThousandPoints(t *testing.T) {
	testkit.Equal(t, Descriptor().PointsPerUnit(), 1000, "Descriptor")
}

// With up to four stones nobody can have won: 9·8·7·6·5 sequences. The numbers of games won with
// the fifth to the eighth stone are known: 1440, 5328, 47952 and 72576. They end there, so 54720
// = (15120−1440)·4, and so on up to the 127872 that fill the board.
func TestPerftFromStart(t *testing.T) {
	for depth, want := range []int64{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872} {
		testkit.Equal(t, games.Perft(Start(), depth), want, "depth %d", depth)
	}
}

// Of the 255168 games X wins 131184 and O 77904, as is known.
func TestResultsOfAllGames(t *testing.T) {
	results := map[int]int{}
	var walk func(p Position, sign int)
	walk = func(p Position, sign int) {
		if diff, over := p.Terminal(); over {
			results[sign*diff]++
			return
		}
		for _, m := range p.AppendMoves(nil) {
			walk(p.Play(m), -sign)
		}
	}
	walk(Start(), 1)
	if results[1] != 131184 || results[-1] != 77904 || results[0] != 46080 {
		t.Errorf("%v", results)
	}
}

func TestAllReachablePositions(t *testing.T) {
	seen, keys, ranks, orbits := map[Position]bool{}, map[uint64]bool{}, map[int64]bool{}, map[int64]bool{}
	var walk func(p Position)
	walk = func(p Position) {
		if seen[p] {
			return
		}
		seen[p], keys[p.Key()], ranks[p.rank()], orbits[p.orbit()] = true, true, true, true
		if q, err := ParseBoard(p.String()); err != nil || q != p {
			t.Fatalf("%s read as %s, error %v", p, q, err)
		}
		if q, err := unrank(p.rank()); err != nil || q != p {
			t.Fatalf("%s has the rank of %s, error %v", p, q, err)
		}
		if _, over := p.Terminal(); over {
			return
		}
		for _, m := range p.AppendMoves(nil) {
			walk(p.Play(m))
		}
	}
	walk(Start())
	if len(seen) != 5478 || len(keys) != 5478 || len(ranks) != 5478 || len(orbits) != 765 { // 765 is the known number of positions up to symmetry
		t.Errorf("%d positions, %d keys, %d ranks, %d orbits; want 5478, 5478, 5478, 765", len(seen), len(keys), len(ranks), len(orbits))
	}
}

func TestUnrankRefuses(t *testing.T) {
	for rank, want := range map[int64]string{
		-1: "out of range", boards: "out of range", 2: "0 X and 1 O", boards - 1: "0 X and 9 O", 1 + 3: "2 X and 0 O",
	} {
		_, err := unrank(rank)
		testkit.ErrorContains(t, err, want)
	}
}

func TestSquaresAreNamedFromTheTopLeft(t *testing.T) {
	names := ""
	for m := range Move(squares) {
		names += moveName(m) + " "
	}
	if names != "a1 b1 c1 a2 b2 c2 a3 b3 c3 " || moveName(9) != "?" {
		t.Errorf("squares are named %s and %s", names, moveName(9))
	}
	for _, text := range []string{"", "a", "1a", "d1", "a0", "a4", "A1"} {
		if m, err := parseMove(text); err == nil {
			t.Errorf("ParseMove(%q) = %d, want an error", text, m)
		}
	}
}

func TestEndReason(t *testing.T) {
	for _, tt := range []struct {
		moves  string
		diff   int
		reason games.Reason
		over   bool
	}{
		{"b2 a1 c1 b1 a3", 1, ThreeInRow, true},
		{"a1 b2 a2 c1 b3 a3", -1, ThreeInRow, true},
		{"a1 b2 c3 b3 b1 c1 a3 a2 c2", 0, FullBoard, true},
		{"b2a1", 0, "", false},
	} {
		l := Descriptor().NewLine(Start())
		testkit.NoError(t, l.PlayText(tt.moves))
		if diff, reason, over := l.Over(); diff != tt.diff || reason != tt.reason || over != tt.over {
			t.Errorf("%s: Over() = %d, %q, %v, want %d, %q, %v", tt.moves, diff, reason, over, tt.diff, tt.reason, tt.over)
		}
	}
}

func TestDiagram(t *testing.T) {
	const want = `    a   b   c
1   X | . | .
2   . | O | .
3   . | . | .     X to move
`
	testkit.Equal(t, parse(t, "X...O....").diagram(), want, "drawn as")
}

func TestOrbitAllocatesNothing(t *testing.T) {
	p := Start().Play(4).Play(0)
	if n := testing.AllocsPerRun(100, func() { p.orbit(); p.rank() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

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
		testkit.ErrorContains(t, err, want)
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
