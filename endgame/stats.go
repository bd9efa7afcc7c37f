package endgame

// LevelStats counts the positions with a given number of seeds in play. In a table
// of bounds a win is a position where the mover is sure of more than half of
// them, a loss one where the opponent is, a draw one where both are sure of half.
// The other positions are none of the three.
type LevelStats struct {
	Seeds     int     `json:"seeds"`
	Positions int     `json:"positions"`
	Wins      int     `json:"wins"`
	Draws     int     `json:"draws"`
	Losses    int     `json:"losses"`
	Exact     int     `json:"exact"`    // lower and upper bound agree
	MeanGap   float64 `json:"mean_gap"` // upper minus lower bound, in seeds that the mover takes
	// Histogram counts exact positions by their value, from -Seeds to Seeds.
	Histogram []int `json:"histogram"`
}

// Stats returns the statistics of every level, from 0 seeds up. The error says that the
// file of the table was changed meanwhile.
func (t *Table) Stats() ([]LevelStats, error) {
	all := make([]LevelStats, t.seeds+1)
	for n := range all {
		if err := t.read(func() { all[n] = t.levelStats(n) }); err != nil {
			return nil, err
		}
	}
	return all, nil
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
	s.MeanGap = float64(gap) / 2 / float64(s.Positions) // one seed more for one player is one less for the other
	return s
}
