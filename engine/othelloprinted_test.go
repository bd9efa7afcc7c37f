package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/games/othello"
	"kroo/internal/testkit"
)

// printed is the program of the magazine's article, rewritten: for a home computer on the large
// board, for a calculator on the small one. Each row of cells begins with one of border, which
// holds 1; the side to move is -2 or -1, and -3-x turns a disc x. The article prints both
// listings in full; lines that cannot stand as printed are mended here, but for those named.
type printed struct {
	board othello.Rules
	cells [72]int
	side  int

	// Lines of the home computer's as printed.
	line180 bool // B(I)<0: a cell of the border is free
	line240 bool // < instead of <=
	line280 bool // A = -2 for B(I) = -2: the disc itself is never put
	line460 bool // B(D)>0: also an empty cell ends a row that is turned
}

const border = 1

// newPrinted has the discs of the start where the article means them to be.
func newPrinted(board othello.Rules) (p printed) {
	p.board, p.side = board, -2
	w := p.width()
	for i := 0; i < p.len(); i += w {
		p.cells[i] = border
	}
	d4 := (board.Size()/2-1)*w + board.Size()/2 // d4 of the large board, c3 of the small one
	p.cells[d4], p.cells[d4+1], p.cells[d4+w], p.cells[d4+w+1] = -1, -2, -2, -1
	return p
}

func (p printed) width() int { return p.board.Size() + 1 }

func (p printed) len() int { return p.board.Size() * p.width() }

func (p printed) at(cell int) int {
	if cell < 0 || cell >= p.len() {
		return border
	}
	return p.cells[cell]
}

// turned lists the cells that a disc turns.
func (p printed) turned(cell int) (all []int) {
	if free := p.at(cell) == 0 || p.line180 && p.at(cell) > 0; !free {
		return nil
	}
	w := p.width()
	for _, d := range [...]int{1, -1, w - 1, 1 - w, w, -w, w + 1, -w - 1} {
		var row []int
		to := cell + d
		for p.at(to) == -3-p.side {
			row, to = append(row, to), to+d
		}
		if p.at(to) == p.side || p.line460 && p.at(to) == 0 {
			all = append(all, row...)
		}
	}
	return all
}

// choose scans the cells from the last to the first: most discs, the first found of equals; 0
// passes. With line 240 as printed a cell need only turn as many as the best so far.
func (p printed) choose() (best int) {
	most := 0
	for cell := p.len() - 1; cell > 0; cell-- {
		n := len(p.turned(cell))
		if n > most || p.line240 && n == most && p.at(cell) == 0 {
			most, best = n, cell
		}
	}
	return best
}

func (p printed) play(cell int) printed {
	if cell > 0 {
		turned := p.turned(cell)
		if !p.line280 {
			turned = append(turned, cell)
		}
		for _, c := range turned {
			p.cells[c] = p.side
		}
	}
	p.side = -3 - p.side
	return p
}

// discs are those of -2 and of -1.
func (p printed) discs() (n [2]int) {
	for _, c := range p.cells[:p.len()] {
		if c < 0 {
			n[c+2]++
		}
	}
	return n
}

// playOut plays the program against itself until it passes twice, or no cell is left.
func (p printed) playOut() printed {
	for passes := 0; passes < 2 && slices.Contains(p.cells[:p.len()], 0); {
		c := p.choose()
		p = p.play(c)
		if passes++; c > 0 {
			passes = 0
		}
	}
	return p
}

// position is the printed program's board as ours.
func (p printed) position(t *testing.T) othello.Position {
	t.Helper()
	var b strings.Builder
	for i, c := range p.cells[:p.len()] {
		if i%p.width() > 0 {
			b.WriteByte(map[int]byte{-2: 'X', -1: 'O', 0: '.'}[c])
		}
	}
	return testkit.Must(othello.ParseBoard(p.board, b.String()+map[int]string{-2: "-X", -1: "-O"}[p.side]))(t)
}

// cell is where the printed program has a square.
func (p printed) cell(m othello.Move) int {
	if m == othello.Pass {
		return 0
	}
	edge := (8 - p.board.Size()) / 2 // of our board of eight times eight
	return (int(m/8)-edge)*p.width() + int(m%8) - edge + 1
}

// The printed program against itself ends 19 to 45: the side that moves first loses. If the
// other side begins, it is 20 to 44. On the small board it is 14 to 22, and 9 to 26 with a
// square left.
func TestGreedyPlaysThePrintedProgramsGames(t *testing.T) {
	for _, c := range []struct {
		board othello.Rules
		first int
		want  [2]int // discs of -2 and of -1
	}{
		{othello.Large, -2, [2]int{19, 45}},
		{othello.Large, -1, [2]int{44, 20}},
		{othello.Small, -2, [2]int{14, 22}},
		{othello.Small, -1, [2]int{26, 9}},
	} {
		greedy := level(t, greedyName, c.board)
		p := newPrinted(c.board)
		p.side = c.first
		for range 80 {
			q := p.position(t)
			if _, over := q.Terminal(); over {
				break
			}
			to := p.choose()
			if got := p.cell(greedy(q, 1)); got != to {
				t.Fatalf("%s: cell %d, the printed program takes %d", q, got, to)
			}
			p = p.play(to)
		}
		testkit.Equal(t, p.discs(), c.want, "%s, %d first", c.board, c.first)
	}
}

func TestGreedyIsThePrintedProgramExceptAtTheEnd(t *testing.T) {
	for _, board := range []othello.Rules{othello.Large, othello.Small} {
		greedy := level(t, greedyName, board)
		rng := rand.New(rand.NewPCG(3, 14))
		compared := 0
		for range 400 {
			p := newPrinted(board)
			for range rng.IntN(board.Size()*board.Size() - 6) {
				if moves := p.position(t).AppendMoves(nil); len(moves) > 0 {
					p = p.play(p.cell(moves[rng.IntN(len(moves))]))
				}
			}
			q := p.position(t)
			ends := func(m othello.Move) bool { _, over := q.Play(m).Terminal(); return over }
			if _, over := q.Terminal(); over || slices.ContainsFunc(q.AppendMoves(nil), ends) {
				continue
			}
			compared++
			if got, want := p.cell(greedy(q, 1)), p.choose(); got != want {
				t.Fatalf("%s: cell %d, the printed program takes %d", q, got, want)
			}
		}
		if compared < 300 {
			t.Errorf("%s: %d positions compared, want most of 400", board, compared)
		}
	}
}

// What each misprint of the listings that is known does to the program.
func TestMisprintsOfThePrintedPrograms(t *testing.T) {
	// Line 240, < for <=: the last of equals wins, and a disc that turns none is better than
	// a pass.
	p := newPrinted(othello.Large)
	misprinted := p
	misprinted.line240 = true
	if a, b := p.choose(), misprinted.choose(); a != 50 || b != 22 || len(p.turned(a)) != len(p.turned(b)) {
		t.Errorf("first moves to cells %d and %d", a, b)
	}
	p, misprinted = p.playOut(), misprinted.playOut()
	for cell := 1; cell < p.len(); cell++ { // the start is its own image, and nobody passes in this game
		if cell%9 > 0 && p.cells[cell] != misprinted.cells[72-cell] {
			t.Fatalf("cell %d: the games are not each other's image by half a turn of the board", cell)
		}
	}
	stuck := printed{board: othello.Large, side: -2, line240: true}
	for i := 0; i < stuck.len(); i += stuck.width() {
		stuck.cells[i] = border
	}
	stuck.cells[71] = -1
	if c := stuck.choose(); c != 1 || len(stuck.turned(c)) != 0 {
		t.Errorf("without a legal move it takes cell %d: want the first, where it turns nothing", c)
	}
	if stuck.line240 = false; stuck.choose() != 0 {
		t.Errorf("the program as meant takes cell %d without a legal move", stuck.choose())
	}

	// Line 460, B(D)>0: a row that an empty cell ends is turned, too.
	p = newPrinted(othello.Large)
	p.line460 = true
	if got := p.playOut().discs(); got != [2]int{11, 53} {
		t.Errorf("with line 460 as printed the game ends %v", got)
	}

	// Line 180, B(I)<0: cells of the border are taken, seven of them.
	p = newPrinted(othello.Large)
	p.line180 = true
	if got := p.playOut().discs(); got[0]+got[1] != 71 {
		t.Errorf("with line 180 as printed the game ends %v", got)
	}

	// Line 280, A = -2: the disc is not put, so discs are turned to and fro forever.
	p = newPrinted(othello.Large)
	p.line280 = true
	for range 1000 {
		p = p.play(p.choose())
	}
	if got := p.discs(); got != [2]int{2, 2} {
		t.Errorf("with line 280 as printed there are %v discs after 1000 moves", got)
	}

	// B(46) and B(47) for 40 and 41: two discs of the start lie at the edge, and the game is
	// over after two moves.
	p = newPrinted(othello.Large)
	p.cells[46], p.cells[47], p.cells[40], p.cells[41] = p.cells[40], p.cells[41], 0, 0
	if q := p.position(t); len(q.AppendMoves(nil)) != 2 {
		t.Errorf("%s: %d moves", q, len(q.AppendMoves(nil)))
	}
	if got := p.playOut().discs(); got != [2]int{3, 3} {
		t.Errorf("from there the game ends %v", got)
	}

	// STO 34 for 24, of the calculator: one disc of the start lies at the edge, and the game
	// ends with nine squares empty.
	p = newPrinted(othello.Small)
	p.cells[34], p.cells[24] = p.cells[24], 0
	if q := p.position(t); len(q.AppendMoves(nil)) != 2 {
		t.Errorf("%s: %d moves", q, len(q.AppendMoves(nil)))
	}
	if got := p.playOut().discs(); got != [2]int{15, 12} {
		t.Errorf("from there the calculator's game ends %v", got)
	}
}
