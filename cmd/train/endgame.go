package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/revision"
)

func endgameCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "endgame",
		Short: "endgame tables: build, verify, query, stats",
		Long: `Tables of what the player to move is sure of in every position with few seeds in
play: exact for awari and simple rules, rigorous bounds for abapa, where a cycle
has no value of its own.`,
		Example: "  train endgame build --rules awari --seeds 12 -o tables\n  train endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S",
	}
	group(cmd, endgameBuildCommand(), endgameVerifyCommand(), endgameQueryCommand(), endgameStatsCommand())
	return cmd
}

func endgameBuildCommand() *cobra.Command {
	var rules, bounds, folder string
	var c endgame.Config
	cmd := &cobra.Command{
		Use:   "build",
		Short: "build a table, level by level",
		Long: `Builds the table of all positions with up to --seeds seeds in play and writes it
to DIR/RULES.endgame. Finished levels are kept in a journal until then: the same
command goes on where another was stopped.`,
		Example: "  train endgame build --rules awari --seeds 16 -o tables\n  train endgame build --rules abapa --bounds sharp --seeds 12 -o tables",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if c.Rules, err = parseRules(rules); err != nil {
				return err
			}
			if c.Bounds, err = endgame.ParseBounds(bounds, c.Rules); err != nil {
				return usageError{err}
			}
			if c.Seeds < 0 || c.Seeds > endgame.MaxSeeds {
				return usagef("--seeds is %d: expected 0 to %d", c.Seeds, endgame.MaxSeeds)
			}
			if err := workersInRange(c.Workers); err != nil {
				return err
			}
			if folder == "" {
				return usagef("no output folder: give -o DIR")
			}
			if c.Settle < 0 || c.Budget < 0 {
				return usagef("--settle %d, --budget %d: expected 0 or more", c.Settle, c.Budget)
			}
			if c.Settle = min(c.Settle, c.Seeds); c.Bounds == endgame.Exact || c.Bounds == endgame.Crude && !cmd.Flags().Changed("settle") {
				c.Settle = 0
			}
			c.Made = "train endgame build, " + revision.Get()
			fmt.Fprintf(cmd.ErrOrStderr(), "building takes up to %d MiB of memory\n", c.Memory()>>20+1)
			update, finish := progress("endgame", "positions")
			path, err := endgame.BuildFile(cmd.Context(), c, folder, update)
			finish()
			if err != nil {
				return resumable{err, thisCommand()}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s, %s values, up to %d seeds: %s\nnext: train endgame verify %s\n", c.Rules, c.Bounds, c.Seeds, path, quoted(path))
			return nil
		},
	}
	f := cmd.Flags()
	rulesFlag(cmd, &rules)
	workersFlag(cmd, &c.Workers)
	f.StringVar(&bounds, "bounds", "", "of abapa: crude or sharp (default sharp); other rules are exact")
	f.IntVar(&c.Seeds, "seeds", 12, "most seeds in play")
	f.IntVar(&c.Settle, "settle", 7, "of sharp bounds: search levels of up to so many seeds for exact values")
	f.Int64Var(&c.Budget, "budget", 0, "nodes to settle a position with before it is left in bounds (default 4 billion up to 7 seeds, 20 million beyond)")
	f.StringVarP(&folder, "output", "o", "", "folder for the table")
	return cmd
}

// openTable opens the table of an operand or a flag: a file, a folder, or "" for
// the one that comes with the program. Without --rules a file tells its own.
func openTable(cmd *cobra.Command, path, rules string) (*endgame.Table, error) {
	r, err := parseRules(rules)
	if err != nil {
		return nil, err
	}
	if path != "" && !cmd.Flags().Changed("rules") {
		if t, err := endgame.Open(path); err == nil {
			return t, nil
		}
		r = onlyTable(path, r)
	}
	return endgame.Find(path, r)
}

// onlyTable is the rule set of the only table in a folder, if there is but one.
func onlyTable(folder string, otherwise oware.Rules) oware.Rules {
	var found []oware.Rules
	for r := oware.Abapa; r <= oware.Simple; r++ {
		if t, err := endgame.Find(folder, r); err == nil {
			t.Close()
			found = append(found, r)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return otherwise
}
