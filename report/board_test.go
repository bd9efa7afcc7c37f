package report

import (
	"slices"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// South sits below whoever is to move, as in diagrams; what a place is worth is for the
// side to move.
func TestABoardIsDrawnAsPlayersSeeIt(t *testing.T) {
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "10-1-1-0-0-2-9-3-8-0-2-1-7-4-N"))(t)
	worth := [2][oware.Houses + 1]float64{{1000.0 / 24}, {6: -2000.0 / 24}}
	f := must(Board{Position: p, Worth: &worth, Name: "board", Title: "A board", Line: "North to move."}.Draw())
	drawn := words(t, f.SVG)
	a, own := slices.Index(drawn, "a"), slices.Index(drawn, "+1.00")
	if a < 1 || drawn[a-1] != "9" || own != a+1 {
		t.Errorf("North's first house, of 9 seeds, is not worth a seed in %q", drawn)
	}
	south := slices.Index(drawn, "South")
	if south < 1 || drawn[south-1] != "7" || drawn[south+1] != "−2.00" {
		t.Errorf("South's store, of 7 seeds, does not cost two in %q", drawn)
	}
}
