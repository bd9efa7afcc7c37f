package commands

import (
	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/study"
	"kroo/games/tictactoe"
	"kroo/internal/parallel"
)

func studySolve() *cobra.Command {
	var s studyFlags
	var algorithm, table string
	c := study.ProofsConfig{Seed: studySeed}
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "tic-tac-toe, the whole game, by every searcher; or endgames of oware by proof-number search",
		Long: `Walks through all games of tic-tac-toe, counts positions and results, and solves
the game with every searcher of the program. It fails if two of them differ.

With --algorithm pn it proves endgames of oware by proof-number search: whether the
side to move wins random positions, by seeds in play, compared with the engine without
tables. It fails if one of them contradicts the endgame table.`,
		Example: "  train study solve\n  train study solve --plots figures\n  train study solve --algorithm pn --rules awari --json",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("algorithm", algorithm, "all", "pn"); err != nil {
				return err
			}
			if algorithm == "pn" {
				return s.proofs(cmd, table, c)
			}
			for _, name := range []string{"rules", "table", "seeds", "positions", "nodes"} {
				if cmd.Flags().Changed(name) {
					return usagef("--%s is for --algorithm pn", name)
				}
			}
			subject, err := study.Of(engine.TicTacToe())
			if err != nil {
				return err
			}
			result, err := study.Solve(cmd.Context(), subject, tictactoe.Descriptor().Rules[0])
			if err != nil {
				return err
			}
			return s.show(cmd, result)
		},
	}
	s.addOutput(cmd)
	servedRulesFlag(cmd, &s.rules)
	flags := cmd.Flags()
	flags.StringVar(&algorithm, "algorithm", "all", "all: every searcher; pn: proof numbers")
	tableFlag(cmd, &table)
	intFlag(cmd, &c.Seeds, "seeds", 10, 1, endgame.MaxSeeds, "most seeds in play")
	intFlag(cmd, &c.Positions, "positions", 100, 1, 100_000, "won ones, and as many others, of each number of seeds")
	flags.Int64Var(&c.Nodes, "nodes", 100_000, "positions visited by a search, at most")
	return cmd
}

// proofs is the study of proof-number search.
func (s *studyFlags) proofs(cmd *cobra.Command, table string, c study.ProofsConfig) error {
	rules, err := parseRules(s.rules)
	if err != nil {
		return err
	}
	t, err := endgame.Find(table, rules)
	if err != nil {
		return err
	}
	defer t.Close()
	subject, err := study.Of(engine.Oware())
	if err != nil {
		return err
	}
	return s.measure(cmd, "levels", func(update parallel.Progress) (study.Result, error) {
		return study.Proofs(cmd.Context(), subject, t, c, update)
	})
}
