package engine

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/engine/search"
	"kroo/features"
	othellofeatures "kroo/features/othello"
	"kroo/games/gametest"
	"kroo/games/othello"
	"kroo/internal/testkit"
)

// level is a built-in player of a level.
func level(t *testing.T, evaluation string, board othello.Rules) func(p othello.Position, depth int) othello.Move {
	t.Helper()
	e := testkit.Must(Open(t.Context(), Othello(), Spec{Weights: evaluation, Search: Config{Depth: 1, HashMB: 1, FullWidth: true}}, board.String()))(t)
	s := e.NewSearcher()
	return func(p othello.Position, depth int) othello.Move {
		s.Clear()
		r, err := s.Search(context.Background(), p, nil, search.Limits{Depth: depth}, search.Query{})
		if err != nil {
			t.Error(err)
		}
		return r.Best
	}
}

func TestLevelsOfFigure3LookAtReplies(t *testing.T) {
	e := testkit.Must(Othello().Evaluation(figure3Name, "8x8"))(t)
	choose := level(t, figure3Name, othello.Large)
	rng := rand.New(rand.NewPCG(3, 15))
	differ := 0
	for range 30 {
		p, _ := gametest.RandomGame(rng, othello.Start(othello.Large), rng.IntN(50))
		for depth := 1; depth <= 3; depth++ {
			minimax := search.Textbook[othello.Position]{Eval: e.Evaluator}
			want, _ := minimax.Search(t.Context(), p, nil, depth)
			best := choose(p, depth)
			if got, _ := minimax.Search(t.Context(), p.Play(best), nil, depth-1); -got != want && max(-got, -want, got, want) < search.MaxHeuristic {
				t.Errorf("%s: level %d plays %s worth %d, want %d", p, depth, othello.MoveName(othello.Large, best), -got, want)
			}
			if best != choose(p, 1) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("all levels play alike")
	}
}

func TestOthelloPlaysFittedSquares(t *testing.T) {
	set := testkit.Must(othellofeatures.Sets.ByName("squares6"))(t)
	w := testkit.Must(features.New("othello", "6x6", set.Info, set.Names(), []float64{50, 0, 0, 0, 0}))(t)
	path := filepath.Join(t.TempDir(), "w.json")
	testkit.NoError(t, w.Save(path))
	spec := Spec{Weights: path, Search: Config{Depth: 1, HashMB: 1}}
	e := testkit.Must(Open(t.Context(), Othello(), spec, "6x6"))(t)
	p := testkit.Must(othello.ParseBoard(othello.Small, "X....X"+strings.Repeat(".", 24)+"O.....-X"))(t)
	if got := e.Eval.Evaluate(p); e.Eval.Name != "weights "+w.Hash() || got != 320 { // 50 points of 6.4 hundredths
		t.Errorf("%s: %d, want 320", e.Eval.Name, got)
	}
	_, err := Open(t.Context(), Othello(), spec, "8x8")
	testkit.ErrorContains(t, err, "6x6")
}

func TestOthelloEvaluationsByNameAndBoard(t *testing.T) {
	for _, c := range []struct{ name, rules, want, refused string }{
		{"", "8x8", dynamicName, ""},
		{DefaultName, "6x6", greedyName, ""},
		{figure3Name, "8x8", figure3Name, ""},
		{greedyName, "6x6", greedyName, ""},
		{figure3Name, "6x6", "", "expected 6x6"},
		{"no such file", "8x8", "", "dynamic, figure3 or greedy"},
		{"greedy", "abapa", "", "8x8 or 6x6"},
	} {
		e, err := Open(t.Context(), Othello(), Spec{Weights: c.name, Search: Config{Depth: 1, HashMB: 1}}, c.rules)
		if c.refused != "" {
			testkit.ErrorContains(t, err, c.refused)
			continue
		}
		if err != nil || e.Eval.Name != c.want {
			t.Errorf("%q under %s: %v, error %v, want %s", c.name, c.rules, e, err, c.want)
		}
	}
}

// printed is the program of the magazine's article, rewritten: for a home computer on the large
// board, for a calculator on the small one. Each row of cells begins with one of border, which
// is 1; the side to move is -2 or -1, and -3-x turns a disc x. The article prints both
// listings in full; lines that cannot stand as printed are mended here, unless misprints names them.
type printed struct {
	board     othello.Rules
	cells     [72]int
	side      int
	misprints misprints
}

// misprints are lines of the home computer's listing to execute as printed.
type misprints struct {
	line180 bool // B(I)<0 for B(I)<>0: cells of the border are played too
	line240 bool // < for <=: a cell need turn only as many as the best so far
	line280 bool // A = -2 for B(I) = -2: the disc itself is not placed
	line460 bool // B(D)>0 for B(D)>=0: a row that ends at an empty cell is turned too
}

const border = 1

// newPrinted has the discs of the start where the article means them to be.
func newPrinted(board othello.Rules) (p printed) {
	p.board = board
	p.side = -2
	w := p.width()
	for i := 0; i < p.len(); i += w {
		p.cells[i] = border
	}
	d4 := (board.Size()/2-1)*w + board.Size()/2 // d4 of the large board, c3 of the small one
	for cell, disc := range map[int]int{d4: -1, d4 + 1: -2, d4 + w: -2, d4 + w + 1: -1} {
		p.cells[cell] = disc
	}
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
	if p.at(cell) < 0 || p.at(cell) == border && !p.misprints.line180 {
		return nil
	}
	w := p.width()
	for _, d := range [...]int{1, -1, w - 1, 1 - w, w, -w, w + 1, -w - 1} {
		var row []int
		to := cell + d
		for p.at(to) == -3-p.side {
			row = append(row, to)
			to += d
		}
		if p.at(to) == p.side || p.at(to) == 0 && p.misprints.line460 {
			all = append(all, row...)
		}
	}
	return all
}

// choose scans the cells from the last to the first: most discs, the first found of equals; 0
// passes.
func (p printed) choose() (best int) {
	most := 0
	for cell := p.len() - 1; cell > 0; cell-- {
		n := len(p.turned(cell))
		if n > most || n == most && p.at(cell) == 0 && p.misprints.line240 {
			most = n
			best = cell
		}
	}
	return best
}

func (p printed) play(cell int) printed {
	if cell > 0 {
		for _, c := range p.turned(cell) {
			p.cells[c] = p.side
		}
		if !p.misprints.line280 {
			p.cells[cell] = p.side
		}
	}
	p.side = -3 - p.side
	return p
}

// playOut plays the program against itself until both sides pass, or for 200 turns.
func (p printed) playOut() (end printed, over bool) {
	passes := 0
	for range 200 {
		cell := p.choose()
		p = p.play(cell)
		passes++
		if cell > 0 {
			passes = 0
		}
		if passes == 2 {
			return p, true
		}
	}
	return p, false
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

// Each misprint of the listings, left as printed: how the program's game against itself ends.
func TestMisprintsOfTheListings(t *testing.T) {
	// move moves discs of the start to the cells of a misprint.
	move := func(p printed, cells map[int]int) printed {
		for from, to := range cells {
			p.cells[to] = p.cells[from]
			p.cells[from] = 0
		}
		return p
	}
	large, small := newPrinted(othello.Large), newPrinted(othello.Small)
	as := func(m misprints) printed {
		p := large
		p.misprints = m
		return p
	}
	for _, c := range []struct {
		name    string
		program printed
		discs   [2]int
		endless bool
	}{
		{name: "as meant", program: large, discs: [2]int{19, 45}},
		{name: "B(46),B(47) for 40 and 41", program: move(large, map[int]int{40: 46, 41: 47}), discs: [2]int{3, 3}},
		{name: "line 180", program: as(misprints{line180: true}), discs: [2]int{13, 58}}, // 71: on the border too
		{name: "line 240", program: as(misprints{line240: true}), discs: [2]int{19, 45}},
		{name: "line 280", program: as(misprints{line280: true}), endless: true},
		{name: "line 460", program: as(misprints{line460: true}), discs: [2]int{11, 53}},
		{name: "STO 34 for 24", program: move(small, map[int]int{24: 34}), discs: [2]int{15, 12}},
	} {
		end, over := c.program.playOut()
		if over == c.endless {
			t.Errorf("%s: the game is over: %t", c.name, over)
		}
		if !c.endless {
			testkit.Equal(t, end.discs(), c.discs, "%s: discs", c.name)
		}
	}
}

// Line 240 as printed takes the last of equal moves, and a disc that turns nothing instead of a pass.
func TestLine240NeverPasses(t *testing.T) {
	meant, asPrinted := newPrinted(othello.Large), newPrinted(othello.Large)
	asPrinted.misprints.line240 = true
	testkit.Equal(t, [2]int{meant.choose(), asPrinted.choose()}, [2]int{50, 22}, "first moves")
	meantEnd, _ := meant.playOut()
	printedEnd, _ := asPrinted.playOut()
	for cell := 1; cell < meant.len(); cell++ { // nobody passes in this game
		if cell%9 > 0 && meantEnd.cells[cell] != printedEnd.cells[72-cell] {
			t.Fatalf("cell %d: expected the same game, rotated by half a turn", cell)
		}
	}
	stuck := newPrinted(othello.Large)
	for cell := range stuck.cells {
		if stuck.cells[cell] < 0 {
			stuck.cells[cell] = 0
		}
	}
	stuck.cells[71] = -1
	testkit.Equal(t, stuck.choose(), 0, "without a legal move")
	stuck.misprints.line240 = true
	testkit.Equal(t, stuck.choose(), 1, "without a legal move, as printed")
}
