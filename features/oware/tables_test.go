package oware

import (
	"math"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func explained(t *testing.T, o *Opened, p oware.Position) *features.Explanation {
	t.Helper()
	return testkit.Must(o.ExplainPosition(p))(t)
}

// sumsOf are a value, and the sums of its parts by house, family and column.
func sumsOf(x *features.Explanation) [4]float64 {
	sums := [4]float64{x.Points, x.Board}
	for _, v := range x.Houses {
		sums[1] += v.Points
	}
	for _, f := range x.Families {
		sums[2] += f.Points
	}
	for _, c := range x.Columns {
		sums[3] += c.Points
	}
	return sums
}

func TestExplanationsAddUp(t *testing.T) {
	m := randomModel(t, "store/2+phase+houses+pairs/2+triples+sixes", 20)
	for _, p := range randomPositions(t, 100) {
		x := explained(t, &Opened{Game: oware.Descriptor(), Model: m}, p)
		for i, c := range x.Columns {
			if c.Points == 0 || c.Name != m.Set.ColumnName(c.Column) || i > 0 && math.Abs(c.Points) > math.Abs(x.Columns[i-1].Points) {
				t.Fatalf("%v: contribution %d is %+v", p, i, c)
			}
		}
		for _, sum := range sumsOf(x) {
			if math.Abs(sum-m.Exact(p)) > 1e-6 || len(x.Families) != len(m.Set.Families()) {
				t.Fatalf("%v: sums %v of %d families: want %v", p, sumsOf(x), len(x.Families), m.Exact(p))
			}
		}
	}
}

func TestExplanationsByTablesAddUp(t *testing.T) {
	for _, spec := range []string{"store+houses", "store+phase+houses+pairs+triples", "storephase+houses/3+pairs/3"} {
		m := randomModel(t, spec, 21)
		e := testkit.Must(Compile(m))(t)
		for _, p := range randomPositions(t, 100) {
			sums := sumsOf(explained(t, &Opened{Game: oware.Descriptor(), Tables: e}, p))
			for _, sum := range sums {
				if math.Abs(sum*centi-float64(e.Evaluate(p))) > 0.5+1e-6 || math.Abs(sum-m.Exact(p))*centi > e.Rounding() {
					t.Fatalf("%s %v: sums %v: want %v points, %d centi-seeds", spec, p, sums, m.Exact(p), e.Evaluate(p))
				}
			}
		}
	}
}

func TestExplanationOfAHandMadeBoard(t *testing.T) {
	s := parse(t, "store+pairs")
	w := make([]float64, s.Len())
	p := position(t, [houses]int{2, 0, 0, 0, 0, 0, 0, 0, 13}, [2]int{20, 13})
	for i := range w {
		switch s.ColumnName(i) {
		case "store difference":
			w[i] = 10
		case "pairs A2 c12+":
			w[i] = -80
		case "pairs A3 c12+":
			w[i] = 500 // of another board
		}
	}
	m := testkit.Must(Sets.NewModel("abapa", s, w, features.Provenance{}))(t)
	x := explained(t, &Opened{Game: oware.Descriptor(), Model: m}, p)
	if x.Points != -10 || x.Board != 70 || x.Houses[0].Points != -40 || x.Houses[8].Points != -40 || x.Houses[1].Points != 0 || len(x.Columns) != 2 ||
		x.Columns[0].Points != -80 || x.Columns[1].Value != 7 || x.Families[1].Points != -80 {
		t.Errorf("%+v", x)
	}
}
