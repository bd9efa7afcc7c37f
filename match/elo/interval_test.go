package elo

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"kroo/internal/testkit"
)

// 151½ of 160 points are a lead of 500, with far more room above than below.
func TestIntervalsAreAsymmetricNearTheEnds(t *testing.T) {
	t.Parallel()
	lead, in := ScoreOfPairs([5]int{1, 0, 1, 11, 67}).Elo()
	testkit.Equal(t, in.Text(lead, Signed(0)), "+500 [+412, +669]", "in.Text")
	lead, in = ScoreOfPairs([5]int{67, 11, 1, 0, 1}).Elo()
	testkit.Equal(t, in.Text(lead, Signed(0)), "-500 [-669, -412]", "in.Text")
}

// Who wins 6 pairs with a chance of 5 % wins one with 0.05^(1/6) = 0.6070, and has that share
// of the points if it loses the others: 400·log10(0.6070/0.3930) = 75.5.
func TestACleanSweepGivesABound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pairs [5]int
		want  string
	}{
		{[5]int{0, 0, 0, 0, 6}, "more than +75.5"},
		{[5]int{6, 0, 0, 0, 0}, "less than -75.5"},
		{[5]int{}, "unknown"},
	} {
		lead, in := ScoreOfPairs(c.pairs).Elo()
		testkit.Equal(t, in.Text(lead, Signed(1)), c.want, "%v", c.pairs)
	}
	for pairs, n := 1, 12; n > 0; n-- { // half a point less never has a higher low end
		sweep, less := [5]int{4: pairs + 1}, [5]int{3: 1, 4: pairs}
		_, all := ScoreOfPairs(sweep).Elo()
		_, almost := ScoreOfPairs(less).Elo()
		if almost.Low > all.Low || math.IsInf(almost.High, 1) {
			t.Errorf("%v: %v, %v: %v", sweep, all, less, almost)
		}
		pairs *= 2
	}
}

// Games counted singly: 10 wins of 10 bound the share by 0.05^(1/10) = 0.7411.
func TestGamesAloneHaveAnInterval(t *testing.T) {
	t.Parallel()
	lead, in := GamesElo(10, 0, 0)
	testkit.Equal(t, in.Text(lead, Signed(1)), "more than +182.7", "ten wins")
	// m = 0.55, variance 0.5 + 0.1/4 − 0.55² = 0.2225, 1.96·√(0.2225/100) = 0.09245.
	lead, in = GamesElo(50, 10, 40)
	near(t, "lead", lead, 400*math.Log10(55.0/45), 1e-9)
	near(t, "low", in.Low, 400*math.Log10(0.45755/0.54245), 0.02)
	near(t, "high", in.High, 400*math.Log10(0.64245/0.35755), 0.02)
}

// Of a player 320 Elo ahead, in matches of 20 pairs, intervals have the true lead in at least
// 93 of 100.
func TestIntervalsNearTheEndsCoverTheTruth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	const trials, truth = 4000, 320.0
	covered := 0
	for range trials {
		var s Score
		for range 20 {
			var pair [2]Outcome
			for i := range pair {
				if random.Float64() < logistic(truth) {
					pair[i].Points = 2
				}
			}
			s.Add(pair)
		}
		if _, in := s.Elo(); in.Low <= truth && truth <= in.High {
			covered++
		}
	}
	if share := float64(covered) / trials; share < 0.93 {
		t.Errorf("intervals have the truth in %.1f %% of %d matches", 100*share, trials)
	}
}

func TestIntervalsSurviveJSON(t *testing.T) {
	t.Parallel()
	for want, in := range map[string]Interval{"[-1.5,2]": {-1.5, 2}, "[75.5,null]": {75.5, math.Inf(1)}, "[null,null]": unknown} {
		text, err := json.Marshal(in)
		var back Interval
		if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || back != in {
			t.Errorf("%v: %s, %v, back %v", in, text, err, back)
		}
	}
	for _, text := range []string{"[1]", "3", "[1,2,3]"} {
		if err := json.Unmarshal([]byte(text), new(Interval)); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}

func TestSignedHasNoMinusZero(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]string{-0.04: "+0.0", 0.04: "+0.0", -0.06: "-0.1", 12.34: "+12.3", math.Copysign(0, -1): "+0.0"} {
		testkit.Equal(t, Signed(1)(x), want, "%g", x)
	}
}
