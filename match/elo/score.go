package elo

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Score aggregates finished pairs of games, as seen by the first player (A). The zero value is the
// score before the first pair.
type Score struct {
	Wins   int `json:"wins"` // games
	Draws  int `json:"draws"`
	Losses int `json:"losses"`

	// Pairs counts the pairs in which A scored 0, ½, 1, 1½ and 2 points. The two games of a pair
	// share an opening and so are not independent, but pairs are: all errors come from these counts.
	Pairs [5]int `json:"pairs"`

	Forfeits [2]int `json:"forfeits"` // games lost by a fault of A and B

	// Final differences, in the game's units, of the pairs in which both games have one; a pair's is
	// their sum. The JSON names say seeds for every game.
	DiffPairs   int   `json:"seed_pairs"`
	DiffSum     int64 `json:"seed_sum"`
	DiffSquares int64 `json:"seed_squares"`
}

// Outcome is a finished game as seen by A.
type Outcome struct {
	HalfPoints int     // 0, 1 or 2
	Diff       int     // final difference in the game's units
	Forfeit    [2]bool // lost by a fault of A or B
	Reason     string  // of a forfeit
	NoDiff     bool    // unknown final difference: the game ended early
}

// Add counts a pair of games. Pairs with a forfeit have no difference.
func (s *Score) Add(pair [2]Outcome) {
	halfPoints := 0
	diff := 0
	known := true
	for _, o := range pair {
		halfPoints += o.HalfPoints
		diff += o.Diff
		known = known && !o.NoDiff
		switch o.HalfPoints {
		case 0:
			s.Losses++
		case 1:
			s.Draws++
		default:
			s.Wins++
		}
		for i, lost := range o.Forfeit {
			if lost {
				s.Forfeits[i]++
				known = false
			}
		}
	}
	s.Pairs[halfPoints]++
	if known {
		s.DiffPairs++
		s.DiffSum += int64(diff)
		s.DiffSquares += int64(diff) * int64(diff)
	}
}

// Games returns the number of games played.
func (s Score) Games() int { return s.Wins + s.Draws + s.Losses }

// Mean returns A's share of the points, 0 to 1; ½ before the first game.
func (s Score) Mean() float64 {
	if s.Games() == 0 {
		return 0.5
	}
	return (float64(s.Wins) + float64(s.Draws)/2) / float64(s.Games())
}

// emptyCount replaces a count of zero wherever the spread of the pairs matters: otherwise a match
// whose pairs all end alike would have an error of 0, and a clean sweep an infinite lead. With it a
// sweep counts as if an eighth of a pair was lost, half of the smallest possible loss.
const emptyCount = 0.05

// moments returns the mean of A's share of the points in a pair, and its standard error.
func (s Score) moments() (mean, stderr float64) { return momentsOf(s.Pairs[:]) }

// momentsOf returns the mean of counted shares, evenly spaced from 0 to 1, and its standard error
// from the mean square deviation. A count of zero enters as emptyCount.
func momentsOf(counts []int) (mean, stderr float64) {
	var n, sum, squares float64
	for i, count := range counts {
		w, x := float64(count), float64(i)/float64(len(counts)-1)-0.5
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
var z95 = distuv.UnitNormal.Quantile(0.975)

// eloPerNat is the Elo difference whose expected score has log-odds of 1.
const eloPerNat = 400 / math.Ln10

// logistic returns the expected score of a lead in Elo.
func logistic(elo float64) float64 { return 1 / (1 + math.Exp(-elo/eloPerNat)) }

// leadOf returns the lead in Elo with this expected score.
func leadOf(score float64) float64 { return eloPerNat * math.Log(score/(1-score)) }

// Elo returns A's logistic lead in Elo, -400·log10(1/m − 1) for a mean score m (Elo 1978), with its
// 95 % interval: the ends of m's interval by the pair counts, converted to leads. So it is asymmetric,
// more so the further m is from ½. After a clean sweep the lead is only for further computation, from pair
// counts of 0.05 instead of 0; quote the interval, which is a bound.
func (s Score) Elo() (lead float64, in Interval) {
	regular, stderr := s.moments()
	m := s.Mean()
	in = leads(shares(m, stderr, s.pairs(), 0.25))
	if m == 0 || m == 1 {
		m = regular
	}
	return leadOf(m), in
}

// GamesElo is [Score.Elo] of games counted singly, as if they were independent.
func GamesElo(wins, draws, losses int) (lead float64, in Interval) {
	regular, stderr := momentsOf([]int{losses, draws, wins})
	m := Score{Wins: wins, Draws: draws, Losses: losses}.Mean()
	in = leads(shares(m, stderr, wins+draws+losses, 0.5))
	if m == 0 || m == 1 {
		m = regular
	}
	return leadOf(m), in
}

// ScoreOfPairs returns the score of pair counts alone, for results from elsewhere; they do not
// include the number of drawn games.
func ScoreOfPairs(pairs [5]int) Score {
	s := Score{Pairs: pairs}
	for points, n := range pairs {
		s.Wins += n * (points / 2)
		s.Draws += n * (points % 2)
		s.Losses += n * (2 - points/2 - points%2)
	}
	return s
}

// pairs returns the number of pairs played.
func (s Score) pairs() int {
	return s.Pairs[0] + s.Pairs[1] + s.Pairs[2] + s.Pairs[3] + s.Pairs[4]
}

// NormalizedElo returns A's lead in normalized Elo with the half-width of its 95 % interval, from
// pairs. See [Normalized]. The error treats the spread as known.
func (s Score) NormalizedElo() (lead, bar float64) {
	mean, stderr := s.moments()
	sd := stderr * math.Sqrt(float64(max(s.pairs(), 1))) * math.Sqrt2 // of one game
	return (mean - 0.5) / sd * 2 * eloPerNat, z95 * stderr / sd * 2 * eloPerNat
}

// LOS returns the likelihood of superiority, 0 to 1: the probability, by a normal approximation,
// that A scores more than half in the long run. It is Φ((m − ½)/σ) with the mean and standard error
// of the pairs; zero counts enter as 0.05 of a pair.
func (s Score) LOS() float64 {
	mean, stderr := s.moments()
	return distuv.UnitNormal.CDF((mean - 0.5) / stderr)
}

// Diff returns A's mean final difference per game, in the game's units, with the half-width of its
// 95 % interval, from the pairs that have a known difference. With fewer than two of them the
// half-width is widest, the range of the difference.
func (s Score) Diff(widest float64) (mean, bar float64) {
	if s.DiffPairs == 0 {
		return 0, widest
	}
	n := float64(s.DiffPairs)
	pair := float64(s.DiffSum) / n
	if s.DiffPairs == 1 {
		return pair / 2, widest
	}
	variance := (float64(s.DiffSquares) - n*pair*pair) / (n - 1)
	return pair / 2, z95 * math.Sqrt(max(variance, 0)/n) / 2
}

// plus adds the pairs of two scores.
func (s Score) plus(t Score) Score {
	s.Wins += t.Wins
	s.Draws += t.Draws
	s.Losses += t.Losses
	for i, n := range t.Pairs {
		s.Pairs[i] += n
	}
	for i, n := range t.Forfeits {
		s.Forfeits[i] += n
	}
	s.DiffPairs += t.DiffPairs
	s.DiffSum += t.DiffSum
	s.DiffSquares += t.DiffSquares
	return s
}

// reverse returns the score as seen by B.
func (s Score) reverse() Score {
	s.Wins, s.Losses = s.Losses, s.Wins
	s.Pairs = [5]int{s.Pairs[4], s.Pairs[3], s.Pairs[2], s.Pairs[1], s.Pairs[0]}
	s.Forfeits = [2]int{s.Forfeits[1], s.Forfeits[0]}
	s.DiffSum = -s.DiffSum
	return s
}
