package report

import (
	"fmt"

	"kroo/endgame"
)

// kinds describes the values of a table.
var kinds = map[endgame.Bounds]string{endgame.Exact: "exact", endgame.Crude: "crude bounds of the", endgame.Sharp: "sharp bounds of the"}

// EndgameChart shows the shares of wins, losses, draws and exact values by level.
func EndgameChart(t *endgame.Table, stats []endgame.LevelStats) Chart {
	share := func(name string, count func(endgame.LevelStats) int) Curve {
		c := Curve{Name: name}
		for _, s := range stats[min(1, len(stats)-1):] {
			c.Points = append(c.Points, Point{X: float64(s.Seeds), Y: 100 * float64(count(s)) / float64(s.Positions)})
		}
		return c
	}
	return Chart{
		Name:  "endgame-" + t.Rules().String(),
		Title: "Endgame table of " + t.Rules().String(),
		Line:  fmt.Sprintf("%s values of all positions with up to %d seeds in play, for the player to move", kinds[t.Bounds()], t.Seeds()),
		X:     "seeds in play", Y: "share of positions, %",
		Curves: []Curve{
			share("wins", func(s endgame.LevelStats) int { return s.Wins }),
			share("losses", func(s endgame.LevelStats) int { return s.Losses }),
			share("draws", func(s endgame.LevelStats) int { return s.Draws }),
			share("exact", func(s endgame.LevelStats) int { return s.Exact }),
		},
	}
}
