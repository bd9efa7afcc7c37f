package elo

import (
	"math"
	"testing"

	"kroo/internal/testkit"
)

// Figures of commit 803cf08, which had its own normal quantile, elimination
// and Newton's method where this package has gonum's.
func TestFiguresAreThoseOfTheHandWrittenNumerics(t *testing.T) {
	t.Parallel()
	close := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)) }
	for _, c := range []struct {
		pairs                                                    [5]int
		lead, normalized, normalizedBar, los, llr, normalizedLLR float64
	}{
		{[5]int{1, 2, 3, 4, 5}, 120.41199826559, 131.3183079867, 124.3259429872, 0.98078303488161, 0.14133994194973, 0.14093731224938},
		{[5]int{0, 0, 10, 0, 0}, 0, 0, 152.26756105449, 0.5, -0.1394276388154, -0.0026994307556185},
		{[5]int{0, 0, 0, 0, 8}, 724.09300719803, 1139.2652062967, 170.24030864297, 1, 0.11432921396559, 0.16115913211955},
		{[5]int{39, 5335, 18992, 5622, 12}, 1.3492149726522, 3.1285150674251, 2.7800125988613, 0.98629627251433, -15.377552746254, 1.5617305842497},
		{[5]int{3, 0, 1, 0, 0}, -338.0392160057, -366.4200404427, 240.75615334547, 0.0014272969460047, -0.05798408040511, -0.071266571191927},
	} {
		s := ScoreOfPairs(c.pairs)
		test := SPRT{Leads: Leads{0, 5}, Alpha: 0.05, Beta: 0.05, Model: Logistic}
		llr := test.LLR(c.pairs)
		test.Model = Normalized
		lead, _ := s.Elo()
		normalized, normalizedBar := s.NormalizedElo()
		got := [...]float64{lead, normalized, normalizedBar, s.LOS(), llr, test.LLR(c.pairs)}
		for i, want := range [...]float64{c.lead, c.normalized, c.normalizedBar, c.los, c.llr, c.normalizedLLR} {
			if !close(got[i], want) {
				t.Errorf("%v, figure %d: %.14g, want %.14g", c.pairs, i, got[i], want)
			}
		}
	}
	r, err := rate(4, []Pairing{
		{0, 1, ScoreOfPairs([5]int{1, 2, 3, 4, 5})}, {1, 2, ScoreOfPairs([5]int{0, 0, 0, 0, 8})},
		{2, 3, ScoreOfPairs([5]int{10, 20, 30, 5, 1})}, {3, 0, ScoreOfPairs([5]int{7, 0, 0, 2, 2})},
		{1, 3, ScoreOfPairs([5]int{0, 0, 7, 0, 1})},
	})
	testkit.NoError(t, err)
	for i, want := range []struct{ Elo, Bar float64 }{
		{144.73429782177, 93.061694392452}, {65.219235970597, 49.629217941584},
		{-158.50178733053, 55.181415729388}, {-51.451746461835, 56.734237187763},
	} {
		if bar := z95 * math.Sqrt(r.cov.At(i, i)); !close(r.Players[i].Elo, want.Elo) || !close(bar, want.Bar) {
			t.Errorf("player %d: %g ± %g, want %+v", i, r.Players[i].Elo, bar, want)
		}
	}
	lead, bar := r.lead(0, 3)
	if !close(lead, 196.1860442836) || !close(bar, 143.22000273678) || !close(r.los(0, 3), 0.99637137826548) {
		t.Errorf("lead %.14g ± %.14g, LOS %.14g", lead, bar, r.los(0, 3))
	}
}

// Hundreds of pairings of lopsided and missing results all converge.
func TestRatingsSettleForAnyResults(t *testing.T) {
	t.Parallel()
	for seed := range 300 {
		n := 2 + seed%6
		var pairings []Pairing
		for a := range n {
			for b := range a {
				var pairs [5]int
				for i := range pairs {
					if (seed*7+a*5+b*3+i)%4 == 0 {
						pairs[i] = (seed * (i + 1) * (a + 2)) % 5000
					}
				}
				pairings = append(pairings, Pairing{a, b, ScoreOfPairs(pairs)})
			}
		}
		r, err := rate(n, pairings)
		if err == errUnconnected {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum := 0.0
		for _, p := range r.Players {
			sum += p.Elo
		}
		if math.IsNaN(sum) || math.Abs(sum) > 1e-4 {
			t.Errorf("seed %d: mean %g, want 0", seed, sum/float64(n))
		}
	}
}
