package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/report"
)

func endgameStatsCommand() *cobra.Command {
	var f struct {
		rulesFlag
		plotsFlag
	}
	return newCommand(&cobra.Command{
		Use:   "stats [TABLE]",
		Short: "count wins, draws, losses and exact values by seeds in play",
		Long: `Prints a line for each number of seeds in play. A win is a position where the
player to move is sure of more than half of them, a loss one where the opponent is,
a draw one where both are sure of half. The mean is over the exact values, as a difference
in seeds for the player to move. The gap is the distance between the bounds, in seeds that
they take. TABLE is a file or a folder; the default is
the program's own table.`,
		Example: "  train endgame stats tables/awari.endgame\n" +
			"  train endgame stats --json tables --rules abapa\n" +
			"  train endgame stats --plots figures",
	}, func(j *job) error {
		t, err := j.openTable(f.Rules)
		if err != nil {
			return err
		}
		stats, err := t.Stats(j.Context(), j.progress("counting", "positions"))
		if err != nil {
			return err
		}
		d := endgameStats(t, stats)
		if err := f.save(j, d); err != nil {
			return err
		}
		return j.show("", d)
	}, &f)
}

// endgameStats has the numbers of wins, losses, draws and exact values by level, and draws their shares.
func endgameStats(t *endgame.Table, stats []endgame.LevelStats) *outline.Doc {
	resolved := ""
	if t.ResolvedLevel() > 0 {
		resolved = fmt.Sprintf(", resolved up to %d seeds", t.ResolvedLevel())
	}
	kinds := map[endgame.Bounds]string{endgame.Exact: "exact", endgame.Crude: "crude bounds of the",
		endgame.Sharp: "sharp bounds of the"}
	chart := report.Chart{
		Name:  "endgame-" + t.Rules().String(),
		Title: "Endgame table of " + t.Rules().String(),
		Line: fmt.Sprintf("%s values of all positions with up to %d seeds in play, for the player to move",
			kinds[t.Bounds()], t.Seeds()),
		X: "seeds in play", Y: "share of positions, %",
	}
	for _, s := range stats[min(1, len(stats)-1):] {
		for i, n := range []int{s.Wins, s.Losses, s.Draws, s.Exact} {
			chart.Add([]string{"wins", "losses", "draws", "exact"}[i], float64(s.Seeds), 100*float64(n)/float64(s.Positions))
		}
	}
	table := outline.TableOf([]string{"seeds", "positions", "wins", "draws", "losses", "exact", "share", "mean",
		"mean gap"}, stats,
		func(s endgame.LevelStats) []any {
			return []any{s.Seeds, s.Positions, s.Wins, s.Draws, s.Losses, s.Exact,
				fmt.Sprintf("%.2f %%", 100*float64(s.Exact)/float64(s.Positions)), fmt.Sprintf("%+.3f", s.Mean),
				fmt.Sprintf("%.3f", s.MeanGap)}
		})
	return &outline.Doc{
		Title: fmt.Sprintf("%s, %s values%s, made by %s", t.Rules(), t.Bounds(), resolved, wording.WithoutIDs(t.Made())), Value: stats,
		Sections: []outline.Section{{Table: table, Figures: []outline.Drawing{chart}, Drawn: true}},
	}
}
