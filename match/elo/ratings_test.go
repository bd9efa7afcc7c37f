package elo

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"kroo/internal/testkit"
)

func within(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestTwoPlayersAreRatedByTheirScore(t *testing.T) {
	t.Parallel()
	for _, pairs := range [][5]int{{1, 2, 3, 4, 5}, {0, 0, 0, 0, 8}, {3, 0, 0, 0, 0}, {0, 0, 7, 0, 0}, {40, 20, 35, 10, 60}} {
		s := ScoreOfPairs(pairs)
		r := testkit.Must(rate(2, []Pairing{{A: 1, B: 0, Score: s}}))(t)
		lead, in := s.Elo()
		_, stderr := s.moments()
		p := logistic(lead)
		bar := z95 * eloPerNat / (p * (1 - p)) * stderr
		gotLead, gotBar := r.lead(1, 0)
		if !within(gotLead, lead, 1e-6) || !within(gotBar, bar, 1e-6) {
			t.Errorf("%v: %f ± %f, want %f ± %f", pairs, gotLead, gotBar, lead, bar)
		}
		for _, c := range [][2]float64{
			{r.Players[1].Elo, lead}, {r.Players[1].Interval.Low, in.Low}, {r.Players[1].Interval.High, in.High},
			{r.Players[0].Elo, -lead}, {r.Players[0].Interval.Low, -in.High}, {r.Players[0].Interval.High, -in.Low},
		} {
			if got, want := c[0], c[1]/2; got != want && !within(got, want, 1e-6) {
				t.Errorf("%v: %v, want half of %v and of %v", pairs, r.Players, lead, in)
			}
		}
		if got, want := r.los(1, 0), math.Erfc(-lead*z95/bar/math.Sqrt2)/2; !within(got, want, 1e-9) {
			t.Errorf("%v: LOS %f, want %f", pairs, got, want)
		}
	}
}

// climb is the slow twin of maximise: one strength after the other, by halving
// an interval until the expected points are those scored.
func climb(n int, links []link) []float64 {
	theta := make([]float64, n)
	for range 200 {
		for i := range theta {
			low, high := -20.0, 20.0
			for range 60 {
				theta[i] = (low + high) / 2
				surplus := 0.0
				for _, l := range links {
					switch i {
					case l.a:
						surplus += l.games * (l.mean - expectedScore(theta[l.a]-theta[l.b]))
					case l.b:
						surplus -= l.games * (l.mean - expectedScore(theta[l.a]-theta[l.b]))
					}
				}
				if surplus > 0 {
					low = theta[i]
				} else {
					high = theta[i]
				}
			}
		}
	}
	mean := 0.0
	for _, x := range theta {
		mean += x / float64(n)
	}
	for i := range theta {
		theta[i] -= mean
	}
	return theta
}

func TestSeveralPlayersAreRatedByTheirExpectedPoints(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		var pairings []Pairing
		const n = 4
		for a := range n {
			for b := range a {
				var pairs [5]int
				for i := range pairs {
					pairs[i] = random.IntN(30)
				}
				pairings = append(pairings, Pairing{a, b, ScoreOfPairs(pairs)})
			}
		}
		pairings[2].Score = ScoreOfPairs([5]int{0, 0, 0, 0, 9})
		r := testkit.Must(rate(n, pairings))(t)
		for i, want := range climb(n, newLikelihood(n, pairings).links) {
			if !within(r.Players[i].Elo, want*eloPerNat, 1e-4) {
				t.Errorf("player %d: %f, want %f", i, r.Players[i].Elo, want*eloPerNat)
			}
		}
	}
}

// TestRatingBarsCoverTheTruth plays tournaments between players of known strength, whose pairs are
// not independent within themselves: the bars must cover the true lead in about 95 of 100.
func TestRatingBarsCoverTheTruth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	strength := []float64{0.4, 0.1, -0.1, -0.4}
	const trials, pairs = 1500, 60
	covered, leads := 0, 0
	for range trials {
		var pairings []Pairing
		for a := range strength {
			for b := range a {
				var s Score
				for range pairs {
					p := expectedScore(strength[a] - strength[b])
					points := 0
					if random.Float64() < p {
						points = 2
					}
					second := points // half of the openings decide both games
					if random.Float64() < 0.5 {
						second = 0
						if random.Float64() < p {
							second = 2
						}
					}
					s.Add([2]Outcome{{HalfPoints: points}, {HalfPoints: second}})
				}
				pairings = append(pairings, Pairing{a, b, s})
			}
		}
		r := testkit.Must(rate(len(strength), pairings))(t)
		for i := range strength {
			for j := range i {
				lead, bar := r.lead(i, j)
				if math.Abs(lead-(strength[i]-strength[j])*eloPerNat) <= bar {
					covered++
				}
				leads++
			}
		}
	}
	if share := float64(covered) / float64(leads); share < 0.93 || share > 0.965 {
		t.Errorf("bars hold the truth in %.2f %% of %d leads, want about 95", 100*share, leads)
	}
}

func TestRatingsOfPlayersThatWinAll(t *testing.T) {
	t.Parallel()
	all := ScoreOfPairs([5]int{0, 0, 0, 0, 10})
	r := testkit.Must(rate(3, []Pairing{{0, 1, all}, {0, 2, all}, {1, 2, all}}))(t)
	for i, p := range r.Players {
		if math.IsInf(p.Elo, 0) || math.IsNaN(p.Elo) || math.IsNaN(p.Interval.Low) || math.IsInf(p.Interval.High, 1) != (i == 0) || math.IsInf(p.Interval.Low, -1) != (i == 2) || i > 0 && p.Elo >= r.Players[i-1].Elo {
			t.Errorf("player %d: %+v", i, r.Players)
		}
	}
}

func TestRatingsNeedLinks(t *testing.T) {
	t.Parallel()
	s := ScoreOfPairs([5]int{1, 1, 1, 1, 1})
	if _, err := rate(4, []Pairing{{0, 1, s}, {2, 3, s}, {1, 2, Score{}}}); !errors.Is(err, errUnconnected) {
		t.Errorf("two islands: %v", err)
	}
	for _, p := range []Pairing{{0, 0, s}, {0, 4, s}, {-1, 0, s}} {
		if _, err := rate(4, []Pairing{p}); err == nil {
			t.Errorf("players %d and %d: no error", p.A, p.B)
		}
	}
	if r, err := rate(3, []Pairing{{0, 1, s}, {2, 1, s}}); err != nil || !within(r.Players[0].Elo, r.Players[2].Elo, 1e-6) || !within(r.Players[0].Interval.High, r.Players[2].Interval.High, 1e-6) { // a gauntlet
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCrossTableIsInOrder(t *testing.T) {
	t.Parallel()
	table, err := Standings([]string{"weak", "strong", "middle"}, []Pairing{
		{0, 1, ScoreOfPairs([5]int{6, 2, 1, 0, 0})},
		{0, 2, ScoreOfPairs([5]int{3, 2, 1, 0, 0})},
		{1, 2, ScoreOfPairs([5]int{0, 1, 2, 2, 3})},
	})
	testkit.NoError(t, err)
	for i, want := range []string{"strong", "middle", "weak"} {
		testkit.Equal(t, table[i].Name, want, "place %d", i+1)
	}
	// 9 pairs against weak, 15 wins by the pair counts; 8 against middle.
	s := table[0]
	if s.Games() != 34 || s.Against[2].Games() != 18 || s.Against[2].Pairs != [5]int{0, 0, 1, 2, 6} || s.Against[0].Games() != 0 {
		t.Errorf("%+v", s)
	}
}
