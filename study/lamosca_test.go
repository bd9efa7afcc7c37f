package study

import (
	"strings"
	"testing"

	"kroo/engine/search"
	values "kroo/features/chess"
	"kroo/games/chess"
)

// Every figure of the published sessions that the reconstruction determines.
func TestLaMoScasSessions(t *testing.T) {
	r, err := LaMoSca(t.Context(), values.LaMoSca(), "lamosca", nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(list []MoveValue, moves, want int) {
		t.Helper()
		n := 0
		for _, v := range list {
			if v.Published == nil {
				continue
			}
			if n++; v.Value != *v.Published {
				t.Errorf("%s is worth %d, want %d", v.Move, v.Value, *v.Published)
			}
		}
		if n != want || len(list) != moves {
			t.Errorf("%d moves, %d of them published: want %d and %d", len(list), n, moves, want)
		}
	}
	check(r.Replies, 20, 20)
	check(r.Sessions[0].Moves, 20, 20)
	check(r.Sessions[1].Moves, 20, 2)
	if r.First != "a2a3" || r.Sessions[0].Choice != "d2d4" || r.Sessions[1].Choice != "b1c3" {
		t.Errorf("after %s it chooses %s and %s, want d2d4 and b1c3", r.First, r.Sessions[0].Choice, r.Sessions[1].Choice)
	}
	if reply := r.Sessions[1].Moves[7].Reply; reply != "b8c6" {
		t.Errorf("d2d4 is refuted by %s, want b8c6", reply)
	}
	if r.Line.Value != -101 || r.Line.Published != -101 {
		t.Errorf("%s is worth %d, want -101", r.Line.Moves, r.Line.Value)
	}
	if r.Sessions[0].Leaves != 400 || r.Sessions[1].Leaves != 197742 {
		t.Errorf("%d and %d leaves", r.Sessions[0].Leaves, r.Sessions[1].Leaves)
	}
	if rows := r.Rows(); len(rows) != 1+20+21+21+1 {
		t.Errorf("%d rows", len(rows))
	}
}

// One hundredth of a pawn more on d5 and level 4 has other values: the test above has
// teeth.
func TestLaMoScasSessionsDependOnTheTable(t *testing.T) {
	other := search.EvaluatorFunc[chess.Position](func(p chess.Position) int {
		return values.LaMoSca().Evaluate(p) + pawnsOnTheFifth(p)
	})
	r, err := LaMoSca(t.Context(), other, "other", nil)
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Sessions[1].Moves[7]; v.Move != "d2d4" || v.Value != -5 {
		t.Errorf("%s is worth %d, want -5", v.Move, v.Value)
	}
}

// pawnsOnTheFifth counts the pawns on d5 and e5, as their owners see them, of the side
// to move less those of the other side.
func pawnsOnTheFifth(p chess.Position) (n int) {
	kinds, own := p.Masks()
	for square, side := range map[int]int{27: chess.White, 28: chess.White, 35: chess.Black, 36: chess.Black} {
		if kinds[chess.Pawn]>>square&1 == 0 {
			continue
		}
		if mine := own>>square&1 != 0; mine == (side == p.SideToMove()) {
			if mine {
				n++
			} else {
				n--
			}
		}
	}
	return n
}

func TestLaMoScasSearchAgreesWithMinimax(t *testing.T) {
	p := chess.Start(chess.LaMoSca)
	for _, name := range strings.Fields("f2f4 e7e5 g2g4") {
		m, _, err := p.ScanMove(name)
		if err != nil {
			t.Fatal(err)
		}
		p = p.Play(m)
	}
	for depth := range 4 {
		m := minimax{eval: values.LaMoSca()}
		got, _ := m.best(p, depth)
		want, _ := search.Minimax(p, nil, depth, search.Evaluator[chess.Position](values.LaMoSca()))
		if want > search.MaxHeuristic {
			want = search.Win // minimax of LaMoSca does not ask how soon
		}
		if got != want {
			t.Errorf("depth %d: %d, want %d", depth, got, want)
		}
	}
}

func TestFittedValuesStandBesideLaMoScas(t *testing.T) {
	f := ValuesBesideLaMoSca("itself", values.LaMoScaTable())
	for _, v := range f.Pieces {
		for row := range 8 {
			for file := range 4 {
				if x := v.Published[row][file]; x != nil && *x != v.Squares[row][file]+v.Fitted-v.LaMoSca {
					t.Errorf("%s, rank %d, file %d: %g beside %g", v.Piece, 8-row, file, v.Squares[row][file], *x)
				}
			}
		}
	}
	text := f.text()
	for _, want := range []string{"pawn 100 | 100", "queen 1000 | 1000", "king 0 | 0", "5  ", "+11"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
