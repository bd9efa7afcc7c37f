package endgame

import (
	"context"

	"kroo/internal/parallel"
)

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

// statsBlock is how many positions are counted between looks at the context.
const statsBlock = 1 << 20

// Stats returns the statistics of every level, from 0 seeds up. The error is that of the
// context, or says that the file of the table was changed meanwhile. progress counts
// positions; it may be nil.
func (t *Table) Stats(ctx context.Context, progress parallel.Progress) ([]LevelStats, error) {
	all := make([]LevelStats, t.seeds+1)
	progress.At(0, int64(base(t.seeds+1)))
	for n := range all {
		c := levelCount{table: t, s: LevelStats{Seeds: n, Positions: Positions(n), Histogram: make([]int, 2*n+1)}}
		for from := 0; from < Positions(n); from += statsBlock {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			to := min(from+statsBlock, Positions(n))
			if err := t.read(func() { c.add(from, to) }); err != nil {
				return nil, err
			}
			progress.At(int64(base(n)+to), int64(base(t.seeds+1)))
		}
		c.s.MeanGap = float64(c.gap) / 2 / float64(c.s.Positions) // one seed more for one player is one less for the other
		all[n] = c.s
	}
	return all, nil
}

// levelCount counts the positions of a level.
type levelCount struct {
	table *Table
	s     LevelStats
	gap   int // sum of the gaps, in the units of the table: two a seed
}

// add counts the positions from one index to before another.
func (c *levelCount) add(from, to int) {
	s := &c.s
	for i := from; i < to; i++ {
		low, high := c.table.at(s.Seeds, i)
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
			s.Histogram[low+s.Seeds]++
		}
		c.gap += high - low
	}
}
