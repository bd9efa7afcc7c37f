package elo

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kroo/internal/testkit"
)

// The ratio that fastchess documents for this result: 0.92.
func TestPublishedRatio(t *testing.T) {
	t.Parallel()
	test := SPRT{Leads: Leads{0, 2}, Alpha: 0.05, Beta: 0.05, Model: Normalized}
	if got := test.LLRGames(36433, 68692, 36027); math.Abs(got-0.92) > 0.005 {
		t.Errorf("LLR %.4f, want 0.92", got)
	}
}

// The solution satisfies the constraint on the mean or on the deviation.
func TestMostLikelyMeetsItsCondition(t *testing.T) {
	t.Parallel()
	for _, pairs := range [][5]int{{1, 2, 3, 4, 5}, {0, 0, 50, 0, 0}, {30, 0, 0, 0, 0}, {0, 0, 0, 0, 30}, {0, 0, 0, 0, 0}, {5, 0, 900, 1, 0}} {
		d := distributionOf(pairs[:])
		for _, elo := range []float64{-100, -3, 0, 5, 100} {
			p := d.mostLikely(shift(d.x, logistic(elo)))
			if mean, _ := stat.PopMeanStdDev(d.x, p); math.Abs(mean-logistic(elo)) > 1e-9 {
				t.Errorf("%v: mean %v under Elo %v, want %v", pairs, mean, elo, logistic(elo))
			}
			want := elo * math.Ln10 / 800 * math.Sqrt2
			mean, sd := stat.PopMeanStdDev(d.x, d.mostLikelyDeviation(want))
			if math.Abs((mean-0.5)/sd-want) > 1e-6 {
				t.Errorf("%v: deviation %v, want %v", pairs, (mean-0.5)/sd, want)
			}
		}
	}
}

func TestRatioIsSymmetricAndGrows(t *testing.T) {
	t.Parallel()
	for _, model := range []Model{Logistic, Normalized} {
		test, mirrored := SPRT{Leads: Leads{-1, 4}, Model: model}, SPRT{Leads: Leads{-4, 1}, Model: model}
		last := math.Inf(-1)
		for wins := 0; wins <= 60; wins += 10 {
			pairs := [5]int{60 - wins, 7, 20, 9, wins}
			llr := test.LLR(pairs)
			swapped := [5]int{pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]}
			if other := mirrored.LLR(swapped); math.Abs(llr+other) > 1e-6 {
				t.Errorf("%s %v: %v, and %v for the other player", model, pairs, llr, other)
			}
			if !(llr > last) {
				t.Errorf("%s: %d pairs won give %v, fewer gave %v", model, wins, llr, last)
			}
			last = llr
		}
	}
}

// Wald's error rates are respected: of many tests under H0 no more than alpha accept H1, within
// statistical error, and vice versa.
func TestErrorRatesHold(t *testing.T) {
	t.Parallel()
	const runs, alpha = 400, 0.1
	for _, model := range []Model{Logistic, Normalized} {
		test := SPRT{Leads: Leads{0, 60}, Alpha: alpha, Beta: alpha, Model: model}
		shape := distribution{x: []float64{0, .25, .5, .75, 1}, p: []float64{.1, .2, .4, .2, .1}, n: 1}
		for _, under := range []struct {
			name  string
			elo   float64
			wrong Verdict
		}{{"H0", test.Leads.Elo0, AcceptedH1}, {"H1", test.Leads.Elo1, AcceptedH0}} {
			p := shape.mostLikely(shift(shape.x, logistic(under.elo)))
			if model == Normalized {
				p = shape.mostLikelyDeviation(under.elo * math.Ln10 / 800 * math.Sqrt2)
			}
			random := rand.New(rand.NewPCG(1, uint64(under.elo)))
			wrong := 0
			for range runs {
				if play(test, p, random) == under.wrong {
					wrong++
				}
			}
			// Four standard errors above the rate.
			if most := runs*alpha + 4*math.Sqrt(runs*alpha*(1-alpha)); float64(wrong) > most {
				t.Errorf("%s under %s: %d of %d tests went wrong, want at most %.0f", model, under.name, wrong, runs, most)
			}
		}
	}
}

// play draws pairs until the test decides.
func play(test SPRT, p []float64, random *rand.Rand) Verdict {
	var pairs [5]int
	for n := 1; ; n++ {
		u := random.Float64()
		i := 0
		for ; i < 4 && u >= p[i]; i++ {
			u -= p[i]
		}
		pairs[i]++
		if n%10 == 0 {
			if v := test.Decide(test.LLR(pairs)); v != Undecided {
				return v
			}
		}
	}
}

func TestWrongTestsAreRefused(t *testing.T) {
	t.Parallel()
	good := SPRT{Leads: Leads{0, 5}, Alpha: 0.05, Beta: 0.05, Model: Normalized}
	testkit.NoError(t, good.Check())
	for want, change := range map[string]func(*SPRT){
		"0,5":        func(t *SPRT) { t.Leads.Elo0, t.Leads.Elo1 = 5, 0 },
		"such as":    func(t *SPRT) { t.Leads.Elo1 = math.NaN() },
		"±100":       func(t *SPRT) { t.Leads.Elo1 = 101 },
		"0.05":       func(t *SPRT) { t.Alpha = 0 },
		"normalized": func(t *SPRT) { t.Model = "bayes" },
	} {
		bad := good
		change(&bad)
		testkit.ErrorContains(t, bad.Check(), want)
	}
	for _, text := range []string{"", "5", "a,b", "1,2,3", "5,5"} {
		testkit.ErrorContains(t, new(Leads).UnmarshalText([]byte(text)), "such as 0,5")
	}
	var l Leads
	testkit.NoError(t, l.UnmarshalText([]byte("-1.5, 3")))
	testkit.Equal(t, l, Leads{-1.5, 3}, "-1.5, 3")
	testkit.Equal(t, string(testkit.Must(l.MarshalText())(t)), "-1.5,3", "written")
}

// Wald's bounds: ln β/(1-α) and ln (1-β)/α.
func TestBoundsOfUnequalRisks(t *testing.T) {
	t.Parallel()
	low, high := SPRT{Alpha: 0.05, Beta: 0.1}.LLRBounds()
	near(t, "lower bound", low, -2.251292, 1e-6)
	near(t, "upper bound", high, 2.890372, 1e-6)
}

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

// Bounds of a test that are taken are numbers that a test can be made with.
func FuzzBounds(f *testing.F) {
	for _, text := range []string{"0,5", " -1.5 , 2e1", "nan,5", "inf,1", "-inf,inf", "1", "1,2,3", "5,0", ",", strings.Repeat("9", 600)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var l Leads
		if err := l.UnmarshalText([]byte(text)); err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		s := SPRT{Leads: l, Alpha: 0.05, Beta: 0.05, Model: Normalized}
		if s.Check() == nil && !(-100 <= l.Elo0 && l.Elo0 < l.Elo1 && l.Elo1 <= 100) {
			t.Errorf("%q: a test of %g, %g", text, l.Elo0, l.Elo1)
		}
	})
}
