package elo

import (
	"math"
	"math/rand/v2"
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
			p := d.mostLikely(shifted(d.x, logistic(elo)))
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
			p := shape.mostLikely(shifted(shape.x, logistic(under.elo)))
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
		testkit.Refused(t, bad.Check(), want)
	}
	for _, text := range []string{"", "5", "a,b", "1,2,3", "5,5"} {
		testkit.Refused(t, new(Leads).UnmarshalText([]byte(text)), "such as 0,5")
	}
	var l Leads
	testkit.NoError(t, l.UnmarshalText([]byte("-1.5, 3")))
	testkit.Equal(t, l, Leads{-1.5, 3}, "-1.5, 3")
	testkit.Equal(t, string(testkit.Must(l.MarshalText())(t)), "-1.5,3", "written")
}

// Wald's bounds: ln β/(1-α) and ln (1-β)/α.
func TestBoundsOfUnequalRisks(t *testing.T) {
	t.Parallel()
	low, high := SPRT{Alpha: 0.05, Beta: 0.1}.Bounds()
	near(t, "lower bound", low, -2.251292, 1e-6)
	near(t, "upper bound", high, 2.890372, 1e-6)
}
