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
	squares "kroo/features/othello"
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
	set := testkit.Must(squares.Sets.ByName("squares6"))(t)
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
	testkit.Refused(t, err, "6x6")
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
			testkit.Refused(t, err, c.refused)
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
// listings in full; lines that cannot stand as printed are mended here.
type printed struct {
	board othello.Rules
	cells [72]int
	side  int
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
	if p.at(cell) != 0 {
		return nil
	}
	w := p.width()
	for _, d := range [...]int{1, -1, w - 1, 1 - w, w, -w, w + 1, -w - 1} {
		var row []int
		to := cell + d
		for p.at(to) == -3-p.side {
			row, to = append(row, to), to+d
		}
		if p.at(to) == p.side {
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
		if n := len(p.turned(cell)); n > most {
			most, best = n, cell
		}
	}
	return best
}

func (p printed) play(cell int) printed {
	if cell > 0 {
		for _, c := range append(p.turned(cell), cell) {
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
