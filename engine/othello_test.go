package engine

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/engine/search"
	squares "kroo/features/othello"
	"kroo/features/weightsfile"
	"kroo/games/gametest"
	"kroo/games/othello"
)

// printed is the program of the magazine's article, with its printing errors mended:
// cells 0 to 71, nine a row, of which the first is border and holds 1; the side to move
// is -2 or -1, and -3-x turns a disc x.
type printed struct {
	cells [72]int
	side  int
}

const border = 1

func newPrinted() (p printed) {
	for i := 0; i < 72; i += 9 {
		p.cells[i] = border
	}
	p.cells[32], p.cells[40], p.cells[31], p.cells[41] = -2, -2, -1, -1
	p.side = -2
	return p
}

func (p printed) at(cell int) int {
	if cell < 0 || cell >= len(p.cells) {
		return border
	}
	return p.cells[cell]
}

// turned lists the cells that a disc turns.
func (p printed) turned(cell int) (all []int) {
	if p.at(cell) != 0 {
		return nil
	}
	for _, d := range [...]int{1, -1, 8, -8, 9, -9, 10, -10} {
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

// choose scans the cells from 71 to 1: most discs, the first found of equals; 0 passes.
func (p printed) choose() (best int) {
	most := 0
	for cell := 71; cell > 0; cell-- {
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

// position is the printed program's board as ours.
func (p printed) position(t *testing.T) othello.Position {
	t.Helper()
	var b strings.Builder
	for i, c := range p.cells {
		if i%9 > 0 {
			b.WriteByte(map[int]byte{-2: 'X', -1: 'O', 0: '.'}[c])
		}
	}
	q, err := othello.ParseBoard(othello.Large, b.String()+map[int]string{-2: "-X", -1: "-O"}[p.side])
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// cell is where the printed program has a square.
func cell(m othello.Move) int {
	if m == othello.Pass {
		return 0
	}
	return int(m/8)*9 + int(m%8) + 1
}

// level is a built-in player of a level.
func level(t *testing.T, evaluation string) func(p othello.Position, depth int) othello.Move {
	t.Helper()
	e, err := Open(Othello(), evaluation, "", Config{Depth: 1, HashMB: 1, FullWidth: true}, "8x8")
	if err != nil {
		t.Fatal(err)
	}
	s := e.NewSearcher()
	return func(p othello.Position, depth int) othello.Move {
		s.Clear()
		return s.Search(context.Background(), p, nil, search.Limits{Depth: depth}, search.Query{}).Best
	}
}

// The printed program against itself ends 19 to 45: the side that moves first loses.
// If the other side begins, it is 20 to 44.
func TestGreedyPlaysThePrintedProgramsGames(t *testing.T) {
	greedy := level(t, greedyName)
	for first, want := range map[int][2]int{-2: {19, 45}, -1: {20, 44}} {
		p := newPrinted()
		p.side = first
		for range 80 {
			q := p.position(t)
			if _, over := q.Terminal(); over {
				break
			}
			c := p.choose()
			if got := cell(greedy(q, 1)); got != c {
				t.Fatalf("%s: cell %d, the printed program takes %d", q, got, c)
			}
			p = p.play(c)
		}
		var discs [2]int
		for _, c := range p.cells {
			switch c {
			case first:
				discs[0]++
			case -3 - first:
				discs[1]++
			}
		}
		if discs != want {
			t.Errorf("%d first: %d to %d, want %v", first, discs[0], discs[1], want)
		}
	}
}

func TestGreedyIsThePrintedProgramExceptAtTheEnd(t *testing.T) {
	greedy := level(t, greedyName)
	rng := rand.New(rand.NewPCG(3, 14))
	compared := 0
	for range 400 {
		p := newPrinted()
		for range rng.IntN(58) {
			if moves := p.position(t).AppendMoves(nil); len(moves) > 0 {
				p = p.play(cell(moves[rng.IntN(len(moves))]))
			}
		}
		q := p.position(t)
		ends := func(m othello.Move) bool { _, over := q.Play(m).Terminal(); return over }
		if _, over := q.Terminal(); over || slices.ContainsFunc(q.AppendMoves(nil), ends) {
			continue
		}
		compared++
		if got, want := cell(greedy(q, 1)), p.choose(); got != want {
			t.Fatalf("%s: cell %d, the printed program takes %d", q, got, want)
		}
	}
	if compared < 300 {
		t.Errorf("%d positions compared, want most of 400", compared)
	}
}

func TestLevelsOfFigure3LookAtReplies(t *testing.T) {
	e, err := othelloEvaluation(figure3Name, "8x8")
	if err != nil {
		t.Fatal(err)
	}
	choose := level(t, figure3Name)
	rng := rand.New(rand.NewPCG(3, 15))
	differ := 0
	for range 30 {
		p, _ := gametest.RandomGame(rng, othello.Start(othello.Large), rng.IntN(50))
		for depth := 1; depth <= 3; depth++ {
			want, _ := search.SearchTextbook(t.Context(), search.TextbookMinimax, p, nil, depth, e.Evaluator)
			best := choose(p, depth)
			if got, _ := search.SearchTextbook(t.Context(), search.TextbookMinimax, p.Play(best), nil, depth-1, e.Evaluator); -got != want && max(-got, -want, got, want) < search.MaxHeuristic {
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

func TestOthelloPlaysFittedPatterns(t *testing.T) {
	set, err := squares.PatternSets.Parse(othello.Small.String(), "mobility")
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float32, set.Len())
	w[3] = 50 // three moves for the side to move
	m, err := squares.PatternSets.NewModel(othello.Small.String(), set, w, weightsfile.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.weights")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	e, err := Open(Othello(), path, "", Config{Depth: 1, HashMB: 1}, "6x6")
	if err != nil {
		t.Fatal(err)
	}
	p := othello.Start(othello.Small).Play(othello.Start(othello.Small).AppendMoves(nil)[0])
	if got := e.Eval.Evaluate(p); e.Eval.Name != "weights "+m.Hash() || got != 320 { // 50 points of 6.4 hundredths
		t.Errorf("%s: %d, want 320", e.Eval.Name, got)
	}
	if _, err := Open(Othello(), path, "", Config{Depth: 1, HashMB: 1}, "8x8"); err == nil || !strings.Contains(err.Error(), "6x6") {
		t.Errorf("weights of the small board on the large one: %v", err)
	}
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
		e, err := Open(Othello(), c.name, "", Config{Depth: 1, HashMB: 1}, c.rules)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%q under %s: error %v, want one with %q", c.name, c.rules, err, c.refused)
			}
			continue
		}
		if err != nil || e.Eval.Name != c.want {
			t.Errorf("%q under %s: %v, error %v, want %s", c.name, c.rules, e, err, c.want)
		}
	}
}
