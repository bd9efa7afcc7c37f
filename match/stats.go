package match

import (
	"fmt"
	"math"
)

// Score sums up finished pairs of games, as the first player (A) sees them.
// The zero value is the score before the first pair.
type Score struct {
	Wins   int `json:"wins"` // games
	Draws  int `json:"draws"`
	Losses int `json:"losses"`

	// Pairs counts the pairs that gave A 0, ½, 1, 1½ and 2 points. The two
	// games of a pair are not independent (they share an opening), pairs are:
	// all errors come from these counts.
	Pairs [5]int `json:"pairs"`

	Forfeits [2]int `json:"forfeits"` // games that A and B lost by a fault instead of on the board

	// Seed differences of the pairs without a forfeit or an adjudication by
	// score; a pair's is the sum of its two games'.
	SeedPairs   int   `json:"seed_pairs"`
	SeedSum     int64 `json:"seed_sum"`
	SeedSquares int64 `json:"seed_squares"`
}

// outcome is a finished game as A sees it.
type outcome struct {
	points  int // half-points: 0, 1 or 2
	seeds   int // difference at the end
	forfeit [2]bool
	judged  bool // by the players' scores: what the seeds would have been is not known
}

// add counts a pair.
func (s *Score) add(pair [2]outcome) {
	points, seeds, onBoard := 0, 0, true
	for _, o := range pair {
		points += o.points
		seeds += o.seeds
		onBoard = onBoard && !o.judged
		switch o.points {
		case 0:
			s.Losses++
		case 1:
			s.Draws++
		default:
			s.Wins++
		}
		for i, lost := range o.forfeit {
			if lost {
				s.Forfeits[i]++
				onBoard = false
			}
		}
	}
	s.Pairs[points]++
	if onBoard {
		s.SeedPairs++
		s.SeedSum += int64(seeds)
		s.SeedSquares += int64(seeds) * int64(seeds)
	}
}

// Games is the number of games played.
func (s Score) Games() int { return s.Wins + s.Draws + s.Losses }

// Mean is A's share of the points, 0 to 1: ½ before the first game.
func (s Score) Mean() float64 {
	if s.Games() == 0 {
		return 0.5
	}
	return (float64(s.Wins) + float64(s.Draws)/2) / float64(s.Games())
}

// emptyCount stands for a count of zero wherever the spread of the pairs
// matters: without it a match whose pairs all end alike would have an error of
// 0, and one won without loss an infinite Elo difference. At 0.05 of a pair
// in each of the lower four counts, a match won outright counts as if it had
// lost an eighth of a pair: half of the least it could have lost. (Fishtest
// does the same with 0.001.)
const emptyCount = 0.05

// moments are the mean of the pairs, as a share of their points, and its
// standard error: the square root of variance over number, the variance being
// that of the counts themselves (divided by n), with zeros replaced.
func (s Score) moments() (mean, stderr float64) {
	var n, sum, squares float64
	for i, count := range s.Pairs {
		w, x := float64(count), float64(i-2)/4 // from ½
		if count == 0 {
			w = emptyCount
		}
		n += w
		sum += w * x
		squares += w * x * x
	}
	lead := sum / n
	return 0.5 + lead, math.Sqrt((squares/n - lead*lead) / n)
}

// z95 is the normal quantile of a two-sided 95 % interval.
const z95 = 1.959963984540054

// Elo is A's lead in Elo points with the half-width of its 95 % interval.
//
// The lead is the logistic one, -400·log10(1/m − 1) for a mean score m (Elo,
// The Rating of Chessplayers, 1978). The error is by the delta method: the
// standard error of m from the pair counts, times the slope of the formula,
// 400/ln 10 / (m(1−m)). Pair counts of zero enter the error as 0.05; they
// enter the lead only if A has all the points or none, where it would be
// infinite. Both are finite for every score. Near 0 and 100 % a symmetric
// error is rough: [Score.LOS] says more there.
func (s Score) Elo() (lead, bar float64) {
	regular, stderr := s.moments()
	m := s.Mean()
	if m == 0 || m == 1 {
		m = regular
	}
	slope := 400 / math.Ln10 / (m * (1 - m))
	return 400 * math.Log10(m/(1-m)), z95 * slope * stderr
}

// PairElo is [Score.Elo] from the pair counts alone, for results from elsewhere.
func (s Score) PairElo() (lead, bar float64) {
	for i, n := range s.Pairs { // games won and lost that give the same points
		s.Wins += n * i
		s.Losses += n * (4 - i)
	}
	return s.Elo()
}

// LOS is the likelihood of superiority, 0 to 1: how probable it is, by a
// normal approximation, that A scores more than half in the long run. It is
// Φ((m − ½)/σ) with mean and standard error of the pairs, zero counts taken as
// 0.05 of a pair.
func (s Score) LOS() float64 {
	mean, stderr := s.moments()
	return math.Erfc((0.5-mean)/stderr/math.Sqrt2) / 2
}

// Seeds is the mean over games of A's final difference in seeds, with the
// half-width of its 95 % interval (normal approximation, from pairs, sample
// variance). A game won by a majority counts as it stands then, other seeds in
// play as the rules share them out. Pairs with a forfeit are left out. With fewer
// than two pairs the half-width is 48, the range of the difference.
func (s Score) Seeds() (mean, bar float64) {
	if s.SeedPairs == 0 {
		return 0, 48
	}
	n := float64(s.SeedPairs)
	pair := float64(s.SeedSum) / n
	if s.SeedPairs == 1 {
		return pair / 2, 48
	}
	variance := (float64(s.SeedSquares) - n*pair*pair) / (n - 1)
	return pair / 2, z95 * math.Sqrt(max(variance, 0)/n) / 2
}

// String is the score in one line.
func (s Score) String() string {
	lead, bar := s.Elo()
	seeds, seedBar := s.Seeds()
	normalized, normalizedBar := s.NormalizedElo()
	text := fmt.Sprintf("+%d =%d -%d (%.1f %%), Elo %+.1f ± %.1f (normalised %+.1f ± %.1f), LOS %.1f %%, seeds %+.2f ± %.2f, pairs %v",
		s.Wins, s.Draws, s.Losses, 100*s.Mean(), lead, bar, normalized, normalizedBar, 100*s.LOS(), seeds, seedBar, s.Pairs)
	if s.Forfeits != [2]int{} {
		text += fmt.Sprintf(", forfeits %d and %d", s.Forfeits[0], s.Forfeits[1])
	}
	return text
}
