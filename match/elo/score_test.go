package elo

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kroo/internal/testkit"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if got != want && !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %.6f, want %.6f", what, got, want)
	}
}

// Results that other programs published from the same kind of counts: fishtest
// in Stockfish's pull request 4160, and fastchess in the descriptions of the
// engines Thom and Copperfish. Fastchess gives half the distance between the
// interval's ends; its spread does not regularise empty counts.
func TestPublishedResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                 string
		wins, draws, losses  int
		pairs                [5]int
		lead, bar, los       float64
		leadDigit, losDigits float64
	}{
		{"Stockfish 4160", 16422, 27389, 16189, [5]int{39, 5335, 18992, 5622, 12}, 1.35, 1.2, 0.986, 0.005, 0.0005},
		{"Thom", 764, 313, 603, [5]int{84, 124, 343, 125, 164}, 33.40, 14.24, 1, 0.005, 0.00005},
		{"Copperfish", 51, 14, 55, [5]int{12, 6, 25, 8, 9}, -11.59, 56.66, 0.3429, 0.005, 0.00005},
	} {
		s := Score{Wins: c.wins, Draws: c.draws, Losses: c.losses, Pairs: c.pairs}
		lead, in := s.Elo()
		near(t, c.name+" lead", lead, c.lead, c.leadDigit)
		near(t, c.name+" interval", (in.High-in.Low)/2, c.bar, 0.005)
		near(t, c.name+" LOS", s.LOS(), c.los, c.losDigits)
	}
}

// By hand, pairs 1 1 2 3 3: m = (0+¼+1+2¼+3)/10 = 0.65, mean square 0.525,
// variance 0.525 − 0.4225 = 0.1025, σ = √(0.1025/10) = 0.101242, 1.959964·σ = 0.198431;
// Elo 400·log10(0.65/0.35) = 107.5381, its ends 400·log10(0.451569/0.548431) = -33.7545 and
// 400·log10(0.848431/0.151569) = 299.1640; LOS Φ(0.15/0.101242) = 0.930776.
func TestEloByHand(t *testing.T) {
	t.Parallel()
	s := ScoreOfPairs([5]int{1, 1, 2, 3, 3})
	lead, in := s.Elo()
	near(t, "lead", lead, 107.538125, 1e-6)
	near(t, "low", in.Low, 400*math.Log10(0.451569/0.548431), 1e-3)
	near(t, "high", in.High, 400*math.Log10(0.848431/0.151569), 1e-3)
	near(t, "LOS", s.LOS(), 0.930775874, 1e-9)
}

func TestScoresAreSymmetric(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		var pairs, mirror [5]int
		for i := range pairs {
			if r.IntN(3) > 0 {
				pairs[i] = r.IntN(50)
			}
			mirror[4-i] = pairs[i]
		}
		a, b := ScoreOfPairs(pairs), ScoreOfPairs(mirror)
		a.DiffPairs = 20
		a.DiffSum = 31
		a.DiffSquares = 900
		b.DiffPairs = 20
		b.DiffSum = -31
		b.DiffSquares = 900
		leadA, inA := a.Elo()
		leadB, inB := b.Elo()
		near(t, "leads", leadA, -leadB, 1e-9)
		near(t, "ends", inA.Low, -inB.High, 1e-9*math.Abs(inA.Low))
		near(t, "ends", inA.High, -inB.Low, 1e-9*math.Abs(inA.High))
		near(t, "LOS", a.LOS(), 1-b.LOS(), 1e-12)
		seedsA, seedBarA := a.Diff(48)
		seedsB, seedBarB := b.Diff(48)
		near(t, "seeds", seedsA, -seedsB, 0)
		near(t, "seed bars", seedBarA, seedBarB, 0)
	}
}

func TestEveryScoreHasALeadWithinItsInterval(t *testing.T) {
	t.Parallel()
	for _, pairs := range [][5]int{{}, {1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1000}, {1000}, {0, 0, 1000}, {0, 0, 0, 1000}, {1, 0, 0, 0, 1000}, {0, 0, 0, 1, 5}} {
		s := ScoreOfPairs(pairs)
		lead, in := s.Elo()
		mean, seedBar := s.Diff(48)
		for _, x := range []float64{lead, s.LOS(), mean, seedBar} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%v: %v", pairs, []float64{lead, s.LOS(), mean, seedBar})
			}
		}
		if !(in.Low < lead && lead < in.High) {
			t.Errorf("%v: %v in %v", pairs, lead, in)
		}
		if m := s.Mean(); m > 0 && m < 1 && s.pairs() > 0 && (math.IsInf(in.Low, 0) || math.IsInf(in.High, 0)) {
			t.Errorf("%v: %v is open", pairs, in)
		}
	}
}

// Pairs with sums of 4, 0 and −1 Diff: mean 1, so ½ a game; sample variance
// ((3)²+(−1)²+(−2)²)/2 = 7; bar 1.959964·√(7/3)/2 = 1.496947.
func TestSeedsByHand(t *testing.T) {
	t.Parallel()
	var s Score
	for _, d := range [][2]int{{6, -2}, {1, -1}, {-3, 2}} {
		s.Add([2]Outcome{{HalfPoints: 2, Diff: d[0]}, {HalfPoints: 0, Diff: d[1]}})
	}
	mean, bar := s.Diff(48)
	near(t, "mean", mean, 0.5, 1e-12)
	near(t, "bar", bar, 1.496947, 1e-6)
}

func TestForfeitsAreOutOfTheSeeds(t *testing.T) {
	t.Parallel()
	var s Score
	s.Add([2]Outcome{{HalfPoints: 2, Forfeit: [2]bool{false, true}}, {HalfPoints: 0, Diff: -9}})
	s.Add([2]Outcome{{HalfPoints: 1, Diff: 0}, {HalfPoints: 2, Diff: 8}})
	if s.Forfeits != [2]int{0, 1} || s.DiffPairs != 1 || s.DiffSum != 8 || s.Pairs != [5]int{0, 0, 1, 1, 0} {
		t.Errorf("%+v", s)
	}
	if mean, bar := s.Diff(48); mean != 4 || bar != 48 {
		t.Errorf("seeds %v ± %v", mean, bar)
	}
}

func TestTheScoreAsTheOtherSideSeesIt(t *testing.T) {
	t.Parallel()
	s := Score{Wins: 1, Draws: 2, Losses: 3, Pairs: [5]int{1, 2, 3, 4, 5}, Forfeits: [2]int{6, 7}, DiffSum: 8}
	want := Score{Wins: 3, Draws: 2, Losses: 1, Pairs: [5]int{5, 4, 3, 2, 1}, Forfeits: [2]int{7, 6}, DiffSum: -8}
	testkit.Equal(t, s.reverse(), want, "s.reversed")
}

// 151½ of 160 points are a lead of 500, with far more room above than below.
func TestIntervalsAreAsymmetricNearTheEnds(t *testing.T) {
	t.Parallel()
	lead, in := ScoreOfPairs([5]int{1, 0, 1, 11, 67}).Elo()
	testkit.Equal(t, in.Text(lead, SignedFormat(0)), "+500 [+412, +669]", "in.Text")
	lead, in = ScoreOfPairs([5]int{67, 11, 1, 0, 1}).Elo()
	testkit.Equal(t, in.Text(lead, SignedFormat(0)), "-500 [-669, -412]", "in.Text")
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
		testkit.Equal(t, in.Text(lead, SignedFormat(1)), c.want, "%v", c.pairs)
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
	testkit.Equal(t, in.Text(lead, SignedFormat(1)), "more than +182.7", "ten wins")
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
					pair[i].HalfPoints = 2
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
		testkit.Equal(t, SignedFormat(1)(x), want, "%g", x)
	}
}

// addLines adds lines of equal games, a third of them won and the others drawn
// or lost in turn.
func addLines(l *Lines, lines, games int) {
	for i := range lines {
		for range games {
			l.Add(fmt.Sprint(i), Outcome{HalfPoints: 2 - i%3})
		}
	}
}

// The games of a line are one sample: more of the same do not narrow the interval.
func TestGamesOfALineAreOneSample(t *testing.T) {
	var once, often Lines
	addLines(&once, 30, 1)
	addLines(&often, 30, 50)
	in, ok := once.Interval()
	in2, ok2 := often.Interval()
	if !ok || !ok2 || math.Abs(in.Low-in2.Low) > 1e-9 || math.Abs(in.High-in2.High) > 1e-9 {
		t.Errorf("%v of a game a line, %v of fifty", in, in2)
	}
	testkit.Equal(t, often.Len(), 30, "often.Len")
}

// Where each pair is a line of its own, the interval is about that from pairs.
func TestIntervalOfManyLinesIsThatOfPairs(t *testing.T) {
	var l Lines
	var s Score
	for i := range 999 {
		points := [2]int{i % 3, (i / 3) % 3}
		s.Add([2]Outcome{{HalfPoints: points[0]}, {HalfPoints: points[1]}})
		for _, p := range points {
			l.Add(fmt.Sprint(i), Outcome{HalfPoints: p})
		}
	}
	in, ok := l.Interval()
	_, want := s.Elo()
	if !ok || math.Abs(in.Low-want.Low) > 1.5 || math.Abs(in.High-want.High) > 1.5 {
		t.Errorf("%v by lines: want about %v", in, want)
	}
}

func TestFewLinesHaveNoInterval(t *testing.T) {
	var l Lines
	addLines(&l, minLines-1, 100)
	if in, ok := l.Interval(); ok {
		t.Errorf("%v of nine lines", in)
	}
}

// A match won outright is worth a bound by its lines: 0.05^(1/20) = 0.8609 of the points.
func TestWinsInAllLinesGiveABound(t *testing.T) {
	var won, lost Lines
	for i := range 20 {
		won.Add(fmt.Sprint(i), Outcome{HalfPoints: 2})
		lost.Add(fmt.Sprint(i), Outcome{})
	}
	bound := 400 * math.Log10(0.86089/0.13911)
	if in, _ := won.Interval(); math.Abs(in.Low-bound) > 0.01 || !math.IsInf(in.High, 1) {
		t.Errorf("%v: want more than %g", in, bound)
	}
	if in, _ := lost.Interval(); math.Abs(in.High+bound) > 0.01 || !math.IsInf(in.Low, -1) {
		t.Errorf("%v: want less than %g", in, -bound)
	}
}
