package commands

import (
	"github.com/spf13/cobra"

	"kroo/report"
)

func endgameStatsCommand() *cobra.Command {
	var rules, plots string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats [TABLE]",
		Short: "count wins, draws, losses and exact values by seeds in play",
		Long: `Prints a line for each number of seeds in play. A win is a position where the
player to move is sure of more than half of them, a loss one where the opponent is,
a draw one where both are sure of half. The gap is the distance between the bounds,
in seeds for the player to move. TABLE is a file or a folder; the default is
the program's own table.`,
		Example: "  train endgame stats tables/awari.endgame\n  train endgame stats --json tables --rules abapa\n  train endgame stats --plots figures",
		Args:    someArgs(0, 1, "at most one table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := openTable(cmd, append(args, "")[0], rules)
			if err != nil {
				return err
			}
			defer t.Close()
			update, finish := progress("counting", "positions")
			stats, err := t.Stats(cmd.Context(), update)
			finish()
			if err != nil {
				return err
			}
			d := report.EndgameDoc(t, stats)
			if err := saveFigures(cmd, plots, d); err != nil {
				return err
			}
			return show(cmd, "", d)
		},
	}
	servedRulesFlag(cmd, &rules)
	forceFlag(cmd)
	jsonFlag(cmd, &asJSON)
	plotsFlag(cmd, &plots)
	return cmd
}
