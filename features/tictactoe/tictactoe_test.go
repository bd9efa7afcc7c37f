package tictactoe

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/features"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

func position(t *testing.T, text string) tictactoe.Position {
	t.Helper()
	return testkit.Must(tictactoe.ParseBoard(text))(t)
}

func TestValuesOfHandCountedBoards(t *testing.T) {
	s := testkit.Must(Sets.ByName("squares"))(t)
	own, opp := make([]int, 4), make([]int, 4)
	for _, c := range []struct {
		board    string
		own, opp []int
	}{
		{".........", []int{0, 0, 0, 0}, []int{0, 0, 0, 0}},
		{"X........", []int{0, 0, 0, 0}, []int{3, 0, 0, 1}}, // O to move
		{"X...O....", []int{2, 0, 0, 1}, []int{3, 0, 1, 0}}, // X to move
		{"XX..O....", []int{2, 0, 1, 0}, []int{1, 1, 0, 1}}, // O to move
		{"X.X.O...O", []int{1, 1, 0, 2}, []int{3, 0, 1, 1}}, // X to move
	} {
		s.Values(position(t, c.board), own, opp)
		if !slices.Equal(own, c.own) || !slices.Equal(opp, c.opp) {
			t.Errorf("%s: own %v, opp %v: want %v, %v", c.board, own, opp, c.own, c.opp)
		}
	}
}

func weights(t *testing.T, set string, points ...float64) *features.Model[tictactoe.Position] {
	t.Helper()
	s := testkit.Must(Sets.ByName(set))(t)
	return testkit.Must(Sets.Model(testkit.Must(features.New("tictactoe", "standard", s.Info, s.Names(), points))(t)))(t)
}

func TestEvaluateIsTheFittedFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, w := range []*features.Model[tictactoe.Position]{weights(t, "squares", 11, 230, 120, -35), weights(t, "lines", 40, 300)} {
		e := features.NewDirect(Sets.Game, w)
		own, opp := make([]int, w.Set.Len()), make([]int, w.Set.Len())
		for range 1000 {
			p := testkit.Must(tictactoe.Descriptor().Random(rng, "standard"))(t)
			want := 0.0
			w.Set.(*features.Set[tictactoe.Position]).Values(p, own, opp)
			for i := range own {
				want += w.Weights[i] * float64(own[i]-opp[i]) / 10
			}
			if got := float64(e.Evaluate(p)); math.Abs(got-want) > 0.5+1e-9 {
				t.Fatalf("%v: %g hundredths: want %g", p, got, want)
			}
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e := features.NewDirect(Sets.Game, weights(t, "squares", 11, 230, 120, -35))
	p, sum := position(t, "X.X.O...O"), 0
	if n := testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) }); n != 0 || sum == 0 {
		t.Errorf("%v allocations, sum %d", n, sum)
	}
}
