package oware

import (
	"math"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

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
