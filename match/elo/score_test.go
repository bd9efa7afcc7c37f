package elo

import (
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
		a.DiffPairs, a.DiffSum, a.DiffSquares = 20, 31, 900
		b.DiffPairs, b.DiffSum, b.DiffSquares = 20, -31, 900
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
		s.Add([2]Outcome{{Points: 2, Diff: d[0]}, {Points: 0, Diff: d[1]}})
	}
	mean, bar := s.Diff(48)
	near(t, "mean", mean, 0.5, 1e-12)
	near(t, "bar", bar, 1.496947, 1e-6)
}

func TestForfeitsAreOutOfTheSeeds(t *testing.T) {
	t.Parallel()
	var s Score
	s.Add([2]Outcome{{Points: 2, Forfeit: [2]bool{false, true}}, {Points: 0, Diff: -9}})
	s.Add([2]Outcome{{Points: 1, Diff: 0}, {Points: 2, Diff: 8}})
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
	testkit.Equal(t, s.reversed(), want, "s.reversed")
}
