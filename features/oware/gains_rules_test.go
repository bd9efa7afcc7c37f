package oware

import (
	"math/rand/v2"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// A grand slam of 18 seeds counts as 15 where it captures: every column stays in its own family,
// one for each house.
func TestGainsHaveOneColumnPerHouseUnderAllRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple, oware.SimpleToEnd} {
		slam := testkit.Must(oware.New(rules, [houses]int{0, 0, 0, 0, 1, 6, 2, 2, 2, 2, 2, 2}, [2]int{20, 9}, oware.South))(t)
		ps := []oware.Position{slam, slam.Swap()}
		for range 3000 {
			p := testkit.Must(oware.Unrank(rules, rng.Int64N(oware.Ranks), oware.Side(rng.IntN(2))))(t)
			ps = append(ps, p)
		}
		for _, p := range ps {
			columns := capturable(nil, p)
			for h, c := range columns[:houses] {
				if int(c)/gains != h {
					t.Fatalf("%v: %v: column %d of house %d", rules, p, c, h)
				}
			}
			if best := columns[houses]; best < gainPairs || best >= gainColumns {
				t.Fatalf("%v: %v: column %d of %d", rules, p, best, gainColumns)
			}
			for side, c := range trades(nil, p) {
				if int(c)/tradeSide != side/2 {
					t.Fatalf("%v: %v: column %d of trades", rules, p, c)
				}
			}
		}
	}
}
