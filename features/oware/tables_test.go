package oware

import (
	"math"
	"strings"
	"testing"

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
