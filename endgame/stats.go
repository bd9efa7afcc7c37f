package endgame

// LevelStats sums up the positions with so many seeds in play. Of bounds, wins
// are positions where the mover is sure of more than half, losses those where
// his opponent is, draws those where both are sure of half; what is left is
// none of them.
type LevelStats struct {
	Seeds     int     `json:"seeds"`
	Positions int     `json:"positions"`
	Wins      int     `json:"wins"`
	Draws     int     `json:"draws"`
	Losses    int     `json:"losses"`
	Exact     int     `json:"exact"`    // lower and upper bound are the same
	MeanGap   float64 `json:"mean_gap"` // upper less lower bound, in seeds for the mover
	// Histogram counts exact positions by their value, from -Seeds to Seeds.
	Histogram []int `json:"histogram"`
}

// Stats sums up every level.
func (t *Table) Stats() []LevelStats {
	all := make([]LevelStats, t.seeds+1)
	for n := range all {
		all[n] = t.levelStats(n)
	}
	return all
}

func (t *Table) levelStats(n int) LevelStats {
	s := LevelStats{Seeds: n, Positions: Positions(n), Histogram: make([]int, 2*n+1)}
	gap := 0
	for i := range s.Positions {
		low, high := t.at(n, i)
		switch {
		case low > 0:
			s.Wins++
		case high < 0:
			s.Losses++
		case low == 0 && high == 0:
			s.Draws++
		}
		if low == high {
			s.Exact++
			s.Histogram[low+n]++
		}
		gap += high - low
	}
	s.MeanGap = float64(gap) / 2 / float64(s.Positions) // a seed more for one is one less for the other
	return s
}
