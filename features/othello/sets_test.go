package othello

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/features"
	"kroo/games/gametest"
	"kroo/games/othello"
	"kroo/internal/testkit"
)

func TestClassesAreThoseOfThePublishedTable(t *testing.T) {
	testkit.EqualSlices(t, ClassNames(othello.Large), strings.Fields("a1 b1 c1 d1 b2 c2 d2 c3 d3"), "8x8")
	testkit.EqualSlices(t, ClassNames(othello.Small), strings.Fields("a1 b1 c1 b2 c2"), "6x6")
	for r, middle := range map[othello.Rules]int{othello.Large: 4, othello.Small: 4} {
		for squares, n := r.Squares(), 0; squares != 0; squares &= squares - 1 {
			at := othello.Move(0)
			for squares>>at&1 == 0 {
				at++
			}
			if ClassOf(r, at) < 0 {
				n++
			}
			if squares&(squares-1) == 0 && n != middle {
				t.Errorf("%s: %d squares without a class, want %d", r, n, middle)
			}
		}
	}
}

// The first rows of the table as printed; the lower half mirrors them.
func TestFigure3AsPrinted(t *testing.T) {
	rows := []string{"9 3 5 5 5 5 3 9", "3 0 2 1 1 2 0 3", "5 2 4 3 3 4 2 5", "5 1 3 · · 3 1 5"}
	sum := 0.0
	for row := range 8 {
		var cells []string
		for column := range 8 {
			c := ClassOf(othello.Large, othello.Move(8*row+column))
			if c < 0 {
				cells = append(cells, "·")
				continue
			}
			cells = append(cells, fmt.Sprint(Figure3[c]))
			sum += Figure3[c]
		}
		if got, want := strings.Join(cells, " "), rows[min(row, 7-row)]; got != want {
			t.Errorf("row %d: %s, want %s", row+1, got, want)
		}
	}
	testkit.Equal(t, sum, 204, "sum")
}

func TestFigure3CountsItsSquares(t *testing.T) {
	const left = "XO......" + ".X......"
	p := testkit.Must(othello.ParseBoard(othello.Large, left+strings.Repeat(".", 48)+"-X"))(t)
	testkit.Equal(t, Figure3Squares().Evaluate(p), (9+0-3)*figure3Worth, "Figure3Squares")
	testkit.Equal(t, Figure3Squares().Evaluate(p.Play(othello.Pass)), -(9+0-3)*figure3Worth, "after a pass")
}

func TestDynamicTurnsToCountingDiscs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := NewDynamic()
	for range 300 {
		p, _ := gametest.RandomGame(rng, othello.Start(othello.Large), rng.IntN(70))
		figure3, discs := float64(Figure3Squares().Evaluate(p)), 100*float64(p.Difference())
		t0 := min(1, float64(p.Empty())/turnFrom)
		if got, want := float64(d.Evaluate(p)), t0*figure3+(1-t0)*discs; math.Abs(got-want) > 1 {
			t.Fatalf("%s: %g, want %g", p, got, want)
		}
	}
}

func weights(t *testing.T, set string, rules othello.Rules, points ...float64) *Model {
	t.Helper()
	s := testkit.Must(Sets.ByName(set))(t)
	return testkit.Must(Sets.Model(testkit.Must(features.New("othello", rules.String(), s.Info, s.Names(), points))(t)))(t)
}

func TestSquaresAreTheFittedFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, w := range []*Model{
		weights(t, "squares", othello.Large, 80, -12, 9.5, 7, -31, 3, 2, 1, 0.25),
		weights(t, smallSet, othello.Small, 80, -12, 9.5, 7, -31),
		weights(t, smallSet, othello.Large, 80, -12, 9.5, 7, -31), // the middle of the board
	} {
		e := NewSquares(w)
		for range 500 {
			p := testkit.Must(othello.Descriptor().Random(rng, w.Rules))(t)
			if got, want := float64(e.Evaluate(p)), w.Exact(p)*6.4; math.Abs(got-want) > 0.5+1e-9 {
				t.Fatalf("%v: %g hundredths: want %g", p, got, want)
			}
			if a, b := e.Evaluate(p), e.Evaluate(p.Play(othello.Pass)); a != -b {
				t.Fatalf("%v: %d, after a pass %d", p, a, b)
			}
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e, d, p, sum := Figure3Squares(), NewDynamic(), othello.Start(othello.Large).Play(19), 0
	if n := testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) + d.Evaluate(p) + Discs{}.Evaluate(p) }); n != 0 || sum == 0 {
		t.Errorf("%v allocations, sum %d", n, sum)
	}
}
