package report

import (
	"fmt"

	"kroo/endgame"
)

// kinds describes the values of a table.
var kinds = map[endgame.Bounds]string{endgame.Exact: "exact", endgame.Crude: "crude bounds of the", endgame.Sharp: "sharp bounds of the"}

// EndgameChart shows the shares of wins, losses, draws and exact values by level.
func EndgameChart(t *endgame.Table, stats []endgame.LevelStats) Chart {
	chart := Chart{
		Name:  "endgame-" + t.Rules().String(),
		Title: "Endgame table of " + t.Rules().String(),
		Line:  fmt.Sprintf("%s values of all positions with up to %d seeds in play, for the player to move", kinds[t.Bounds()], t.Seeds()),
		X:     "seeds in play", Y: "share of positions, %",
	}
	for _, s := range stats[min(1, len(stats)-1):] {
		for i, n := range []int{s.Wins, s.Losses, s.Draws, s.Exact} {
			chart.Add([]string{"wins", "losses", "draws", "exact"}[i], float64(s.Seeds), 100*float64(n)/float64(s.Positions))
		}
	}
	return chart
}
