package report

import (
	"fmt"

	"kroo/endgame"
	"kroo/internal/doc"
)

// kinds describes the values of a table.
var kinds = map[endgame.Bounds]string{endgame.Exact: "exact", endgame.Crude: "crude bounds of the", endgame.Sharp: "sharp bounds of the"}

// EndgameDoc has the numbers of wins, losses, draws and exact values by level, and draws their shares.
func EndgameDoc(t *endgame.Table, stats []endgame.LevelStats) *doc.Doc {
	resolved := ""
	if t.Resolved() > 0 {
		resolved = fmt.Sprintf(", resolved up to %d seeds", t.Resolved())
	}
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
	table := doc.TableOf([]string{"seeds", "positions", "wins", "draws", "losses", "exact", "share", "mean gap"}, stats, func(s endgame.LevelStats) []any {
		return []any{s.Seeds, s.Positions, s.Wins, s.Draws, s.Losses, s.Exact, fmt.Sprintf("%.2f %%", 100*float64(s.Exact)/float64(s.Positions)), fmt.Sprintf("%.3f", s.MeanGap)}
	})
	return &doc.Doc{
		Title: fmt.Sprintf("%s, %s values%s, made by %s", t.Rules(), t.Bounds(), resolved, t.Made()), Value: stats,
		Sections: []doc.Section{{Table: table, Figures: []doc.Drawing{chart}, Drawn: true}},
	}
}
