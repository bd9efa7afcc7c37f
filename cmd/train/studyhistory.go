package main

import (
	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/study"
)

func studyHistory() *cobra.Command {
	var s studyFlags
	var table string
	var seeds int
	cmd := &cobra.Command{
		Use:   "history",
		Short: "which values of abapa endgames hold whatever stood before",
		Long: `A repetition ends a game of abapa, so the value of an endgame can depend on the
positions since the last capture. Counts the positions whose value does not, and those
where it does: a line of play shows it. docs/bounds.md defines the classes.`,
		Example: "  train study history --seeds 6\n  train study history --seeds 8 --positions 20 --json",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := endgame.Find(table, oware.Abapa)
			if err != nil {
				return err
			}
			defer t.Close()
			update, finish := progress(cmd.Name(), "positions")
			result, err := study.History(cmd.Context(), t, seeds, s.positions, s.seed, update)
			finish()
			if err != nil {
				return err
			}
			return s.show(cmd, result)
		},
	}
	s.addOutput(cmd)
	owareOnly(cmd, "endgame tables")
	flags := cmd.Flags()
	flags.StringVar(&table, "table", "", "table file or folder of tables (default the program's own table)")
	intFlag(cmd, &seeds, "seeds", 7, 1, endgame.MaxSeeds, "most seeds in play")
	intFlag(cmd, &s.positions, "positions", 50, 0, 100_000, "of each number of seeds, to look for lines of play in")
	flags.Uint64Var(&s.seed, "seed", 1, "of those positions")
	return cmd
}
