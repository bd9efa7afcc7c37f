package othello

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/gametest"
	"kroo/internal/testkit"
)

func TestDescriptor(t *testing.T) { gametest.Run(t, Descriptor()) }

// The counts for the large board are known, for example from the perft results that Othello
// programmers publish.
func TestPerftOfTheLargeBoard(t *testing.T) {
	for depth, want := range []int64{1, 4, 12, 56, 244, 1396, 8200, 55092, 390216} {
		testkit.Equal(t, Start(Large).perft(depth), want, "depth %d", depth)
	}
}

func TestPerftOfTheSmallBoardAgreesWithTheTwin(t *testing.T) {
	for depth := range 7 {
		if got, want := Start(Small).perft(depth), twinOf(Start(Small)).perft(depth); got != want {
			t.Errorf("depth %d: %d, want %d", depth, got, want)
		}
	}
}

// Late positions have passes and ends within the depth.
func TestPerftCountsPassesAndStopsAtEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for i := range 40 {
		p, _ := gametest.RandomGame(rng, Start(Small), 24+i%7)
		want := twinOf(p).perft(4)
		if got, made := p.perft(4), games.Perft(p, 4); got != want || made != want {
			t.Errorf("%s: %d, move by move %d, want %d", p, got, made, want)
		}
	}
}

func TestASideWithoutAMovePasses(t *testing.T) {
	p := parse(t, Small, "XXXXX."+"OOOOO."+strings.Repeat(".", 24)+"-X")
	q := parse(t, Small, "XOOOO."+strings.Repeat(".", 30)+"-O")
	if got := p.AppendMoves(nil); slices.Contains(got, Pass) {
		t.Errorf("%v: a pass among moves", got)
	}
	testkit.EqualSlices(t, q.AppendMoves(nil), []Move{Pass}, "Light has")
	if after := q.Play(Pass); after.side != darkSide || MoveName(Small, after.AppendMoves(nil)[0]) != "f1" {
		t.Errorf("after the pass %s, want f1 for Dark", after)
	}
}

func TestEndReason(t *testing.T) {
	for _, tt := range []struct {
		board  string
		diff   int
		reason games.Reason
		over   bool
	}{
		{strings.Repeat("X", 30) + "OOOOOO-O", -24, FullBoard, true},
		{strings.Repeat("X", 36) + "-X", 36, FullBoard, true},
		{strings.Repeat(".", 30) + "XXXXX.-O", -5, NoDiscs, true},
		{"X....O" + strings.Repeat(".", 30) + "-X", 0, NoMove, true},
		{"XO...." + strings.Repeat(".", 30) + "-X", 0, "", false},
	} {
		p := parse(t, Small, tt.board)
		diff, over := p.Terminal()
		if diff != tt.diff || over != tt.over || over && endReason(p) != tt.reason {
			t.Errorf("%s: %d, %v, %q: want %d, %v, %q", tt.board, diff, over, endReason(p), tt.diff, tt.over, tt.reason)
		}
	}
}

func TestOutcomeCountsDiscsOfBothSides(t *testing.T) {
	l := Descriptor().NewLine(parse(t, Small, strings.Repeat("X", 20)+strings.Repeat("O", 15)+".-X"))
	testkit.NoError(t, l.PlayText("F6"))
	testkit.Equal(t, l.Outcome(), "Dark 25, Light 11", "outcome")
	if _, reason, over := l.Over(); !over || reason != FullBoard {
		t.Errorf("over %v, %q", over, reason)
	}
}

// parse is ParseBoard for valid boards.
func parse(t *testing.T, r Rules, board string) Position {
	t.Helper()
	return testkit.Must(ParseBoard(r, board))(t)
}

func TestParseBoardRefuses(t *testing.T) {
	empty := strings.Repeat(".", 36)
	for board, want := range map[string]string{
		"":                "expected 38",
		empty:             "expected 38",
		empty + "-Y":      `ends in "-Y"`,
		empty + "+X":      "expected -X or -O",
		empty[1:] + "x-X": "square f6",
	} {
		_, err := ParseBoard(Small, board)
		testkit.ErrorContains(t, err, want)
	}
}

func TestSquaresAreNamedFromTheTopLeft(t *testing.T) {
	for _, tt := range []struct {
		rules Rules
		name  string
		bit   Move
	}{{Large, "a1", 0}, {Large, "h1", 7}, {Large, "a8", 56}, {Large, "f5", 37}, {Small, "a1", 9}, {Small, "f6", 54}, {Small, "pass", Pass}} {
		if m, n, err := scanMove(tt.rules, tt.name+"x"); err != nil || m != tt.bit || n != len(tt.name) || MoveName(tt.rules, m) != tt.name {
			t.Errorf("%s: %d of %d bytes, error %v, want %d", tt.name, m, n, err, tt.bit)
		}
	}
	for _, text := range []string{"", "a", "1a", "g1", "a7", "pas", "@1"} {
		if m, _, err := scanMove(Small, text); err == nil {
			t.Errorf("ScanMove(%q) = %d, want an error", text, m)
		}
	}
	testkit.Equal(t, MoveName(Small, 0), "?", "name of a square of the border")
}

func TestSymmetriesMapTheBoardOntoItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	slow := func(k, row, column int) (int, int) {
		if k&1 != 0 {
			row = 7 - row
		}
		if k&2 != 0 {
			column = 7 - column
		}
		if k&4 != 0 {
			row, column = column, row
		}
		return row, column
	}
	for k := range Symmetries {
		for range 50 {
			squares, want := rng.Uint64(), uint64(0)
			for i := range 64 {
				if squares>>i&1 != 0 {
					row, column := slow(k, i/8, i%8)
					want |= 1 << (8*row + column)
				}
			}
			if got := Symmetry(k, squares); got != want {
				t.Fatalf("symmetry %d of %#x is %#x, want %#x", k, squares, got, want)
			}
		}
		testkit.Equal(t, Symmetry(k, Small.Squares()), Small.Squares(), "symmetry %d leads out of the small board", k)
	}
}

// Images of a position have the same perft.
func TestOrbitIsEqualForImagesAndForExchangedColours(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 7))
	orbits := map[int64]int64{}
	for range 300 {
		p, _ := gametest.RandomGame(rng, Start(Small), rng.IntN(30))
		perft := p.perft(3)
		for k := range Symmetries {
			q := Position{own: Symmetry(k, p.own), opp: Symmetry(k, p.opp), side: player(rng.IntN(2)), rules: Small}
			if q.orbit() != p.orbit() || q.perft(3) != perft {
				t.Fatalf("%s and %s: orbits %d and %d, perft %d and %d", p, q, p.orbit(), q.orbit(), perft, q.perft(3))
			}
		}
		if known, ok := orbits[p.orbit()]; ok && known != perft {
			t.Errorf("%s: another position with its orbit has perft %d, not %d", p, known, perft)
		}
		orbits[p.orbit()] = perft
	}
	if len(orbits) < 200 {
		t.Errorf("only %d orbits of 300 random positions", len(orbits))
	}
	if Start(Large).orbit() == Start(Small).orbit() || Start(Large).Key() == Start(Small).Key() {
		t.Error("both boards share an orbit")
	}
}

func TestNothingRepeats(t *testing.T) {
	p := Start(Large)
	if _, over := p.Repetition(3); over || p.MinCycle() <= 120 || p.DrawClock() != 0 {
		t.Error("a repetition, or a clock, ends the game")
	}
	testkit.EqualSlices(t, p.AppendHints(nil, p.AppendMoves(nil)), make([]int32, 4), "hints")
}

func TestDiagram(t *testing.T) {
	const want = `    a b c d e f
1   . . . . . .
2   . . * . . .
3   . * O X . .
4   . . X O * .
5   . . . * . .
6   . . . . . .
X 2, O 2, X to move
`
	testkit.Equal(t, Start(Small).diagram(), want, "drawn as")
}

func TestPlayAllocatesNothing(t *testing.T) {
	p, buffer, sum := Start(Large), make([]Move, 0, 64), int64(0)
	if n := testing.AllocsPerRun(100, func() {
		buffer = p.AppendMoves(buffer[:0])
		q := p.Play(buffer[0])
		diff, _ := q.Terminal()
		sum += int64(diff) + int64(q.Key()) + q.orbit() + q.perft(3)
	}); n != 0 || sum == 0 {
		t.Errorf("%v allocations, sum %d", n, sum)
	}
}

func FuzzParseBoard(f *testing.F) {
	f.Add(Start(Small).String())
	f.Add(Start(Large).String())
	f.Fuzz(func(t *testing.T, s string) {
		for r := range Rules(len(rulesNames)) {
			p, err := ParseBoard(r, s)
			if err != nil {
				continue
			}
			testkit.Equal(t, p.String(), s, "p.String")
			compare(t, p)
		}
	})
}

func FuzzScanMove(f *testing.F) {
	for _, text := range []string{"f5", "pass", "PASSa1", "h8", "§"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for r := range Rules(len(rulesNames)) {
			m, n, err := scanMove(r, text)
			if err == nil && !strings.EqualFold(MoveName(r, m), text[:n]) {
				t.Errorf("%q is read as %s", text, MoveName(r, m))
			}
		}
	})
}
