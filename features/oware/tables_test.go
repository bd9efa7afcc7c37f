package oware

import (
	"math"
	"strings"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// A position's cells in all tables of its stage add up to the patterns' value in the explanation;
// the smallest and the largest cell are those of the points.
func TestTablesAgreeWithTheExplanation(t *testing.T) {
	e := testkit.Must(Default("abapa"))(t)
	all := e.Tables()
	if len(all) != e.stages*triplePairs || all[0].Houses != "ABCDEF" || all[0].To != 48 || all[len(all)-1].From != 0 {
		t.Fatalf("%d tables, the first %+v", len(all), all[0])
	}
	points := make([][]float64, len(all))
	for i, table := range all {
		low, high := math.Inf(1), math.Inf(-1)
		for cell := range patternSize {
			p := e.patterns[table.stage].points(table.pair, cell)
			low, high = min(low, p), max(high, p)
			points[i] = append(points[i], p)
		}
		if table.Low.Points != low || table.High.Points != high || len(strings.Fields(table.High.Name)) != 6 {
			t.Errorf("table %+v: its points go from %g to %g", table, low, high)
		}
	}
	for _, p := range randomPositions(t, 200) {
		b, sum := bucketsOf(p), 0.0
		for i, table := range all {
			if n := p.SeedsInPlay(); n < table.From || n > table.To {
				continue
			}
			at := [2]int{} // column and row
			for k, name := range table.Houses {
				at[k/3] |= int(b[strings.IndexRune(houseNames, name)]) << (bucketBits * (k % 3))
			}
			sum += points[i][at[1]<<tripleBits|at[0]]
		}
		if want := explained(t, &Opened{Game: oware.Descriptor(), Tables: e}, p).Families[2].Points; math.Abs(sum-want) > 1e-9 {
			t.Fatalf("%v: the tables give %g, the explanation %g", p, sum, want)
		}
	}
	bare, err := Compile(randomModel(t, "store+houses", 20))
	if err != nil || bare.Tables() != nil {
		t.Errorf("an evaluator without patterns has the tables %v, %v", bare.Tables(), err)
	}
}

// Curves and slices agree with the explanation of the position itself.
func TestCurvesAndSlicesAgreeWithTheExplanation(t *testing.T) {
	e := testkit.Must(Compile(randomModel(t, "store+phase+houses/2+pairs/2+triples", 20)))(t)
	for i, p := range randomPositions(t, 100) {
		x := explained(t, &Opened{Game: oware.Descriptor(), Tables: e}, p)
		curves, sum := e.Curves(p), 0.0
		for h, n := range seedsOf(p) {
			sum += curves[h][n]
		}
		if math.Abs(sum-x.Families[1].Points) > 1e-9 {
			t.Fatalf("%v: the curves give %g, the explanation %g", p, sum, x.Families[1].Points)
		}
		g, h := i%houses, (i*5+1)%houses
		if g == h {
			continue
		}
		b := bucketsOf(p)
		if got := e.Slice(p, g, h)[b[g]][b[h]]; math.Abs(got-x.Families[2].Points) > 1e-9 {
			t.Fatalf("%v: the slice of %d and %d gives %g, the explanation %g", p, g, h, got, x.Families[2].Points)
		}
	}
	bare := testkit.Must(Compile(randomModel(t, "store+houses", 20)))(t)
	if s := bare.Slice(randomPositions(t, 1)[0], 0, 1); s != nil {
		t.Errorf("an evaluator without patterns has the slice %v", s)
	}
	if names := strings.Join(BucketNames(), " "); names != "0 1 2 3 4-5 6-8 9-11 12+" {
		t.Errorf("the buckets are %s", names)
	}
}

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
	m := randomModel(t, "store/2+phase+houses+pairs/2+triples+sixes+mobility+tempo", 20)
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
	m := testkit.Must(PatternSets.NewModel("abapa", s, w, features.Provenance{}))(t)
	x := explained(t, &Opened{Game: oware.Descriptor(), Model: m}, p)
	if x.Points != -10 || x.Board != 70 || x.Houses[0].Points != -40 || x.Houses[8].Points != -40 || x.Houses[1].Points != 0 || len(x.Columns) != 2 ||
		x.Columns[0].Points != -80 || x.Columns[1].Value != 7 || x.Families[1].Points != -80 {
		t.Errorf("%+v", x)
	}
}
