package study

import (
	"math"
	"strings"
	"testing"

	"kroo/features"
	squares "kroo/features/othello"
	"kroo/internal/testkit"
)

func squareWeights(t *testing.T, set, rules string, points ...float64) *squares.Model {
	t.Helper()
	s := testkit.Must(squares.Sets.ByName(set))(t)
	return testkit.Must(squares.Sets.Model(testkit.Must(features.New("othello", rules, s.Info, s.Names(), points))(t)))(t)
}

func TestThePublishedTableAgreesWithItselfInAnyUnit(t *testing.T) {
	var points []float64
	for _, v := range squares.Figure3 {
		points = append(points, 7*v)
	}
	r := testkit.Must(Figure3(squareWeights(t, "squares", "8x8", points...)))(t)
	if math.Abs(r.Scale-7) > 1e-9 || math.Abs(r.R-1) > 1e-9 || r.Agree != 60 {
		t.Errorf("scale %g, R %g, %d squares agree: want 7, 1, 60", r.Scale, r.R, r.Agree)
	}
	sum := 0
	for _, l := range r.Classes {
		if l.Fitted != l.Published || !l.Agrees {
			t.Errorf("%s: %g, published %g", l.Square, l.Fitted, l.Published)
		}
		sum += l.Squares
	}
	testkit.Equal(t, sum, 60, "classes of")
}

func TestFittedSquaresAgreeWithinRounding(t *testing.T) {
	w := squareWeights(t, "squares", "8x8", 9, 3, 5, 5, 0, 2, 1, 4, 3)
	w.Named.Points[1], w.Named.Points[4], w.Named.Points[8] = 0.5, -6, 8 // b1, b2, d3
	r := testkit.Must(Figure3(w))(t)
	want := map[string]bool{"d2": true, "b1": false, "b2": false, "d3": false}
	for _, l := range r.Classes {
		if agrees, asked := want[l.Square]; asked {
			testkit.Equal(t, l.Agrees, agrees, "%s agrees", l.Square)
		}
	}
	if note := r.Doc().Text(""); strings.Count(note, "·") != 8 || !strings.Contains(note, "   9   3   5   5   5   5   3   9") {
		t.Errorf("boards\n%s", note)
	}
	if rows := tableOf(r); len(rows) != 10 || len(chartOf(r).Curves) != 2 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestFigure3RefusesTheSmallBoard(t *testing.T) {
	_, err := Figure3(squareWeights(t, "squares6", "6x6", 1, 2, 3, 4, 5))
	testkit.Refused(t, err, "expected squares for 8x8")
}

func TestFigure3RefusesWeightsWithoutSomeClasses(t *testing.T) {
	w := squareWeights(t, "squares", "8x8", 9, 3, 5, 5, 0, 2, 1, 4, 3)
	w.Named.Features, w.Named.Points = w.Named.Features[:8], w.Named.Points[:8]
	_, err := Figure3(w)
	testkit.Refused(t, err, "8 features, without d3: expected all 9 of set squares")
}
