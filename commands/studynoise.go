package commands

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/study"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

func studyNoise() *cobra.Command {
	var s studyFlags
	var nodes int64
	var hash int
	var weights string
	var other engineFlag
	cmd := &cobra.Command{
		Use:   "noise BOOK",
		Short: "error of scores by nodes, against a long search, and of means of iterations",
		Long: `Searches positions that a player of the book meets, and compares scores during the
search, after a half, a quarter, … of its nodes, with the final score: the score of the
last iteration, and the means of the last two, three and four.`,
		Example: "  train study noise default\n  train study noise book.bin --nodes 1000000 --positions 50 --json\n  train study noise book.bin --engine 'cmd=./engine uci' --nodes 1000000",
		Args:    exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if nodes < study.MinNoiseNodes {
				return usagef("--nodes is %d: expected at least %d", nodes, study.MinNoiseNodes)
			}
			if err := other.take(cmd, "weights", "hash"); err != nil {
				return err
			}
			c := engine.Config{Nodes: nodes, HashMB: hash}
			other.tables(cmd, &c.Tables)
			return s.ofBook(cmd, other, weights, args[0], c, func(e *engine.Engine[oware.Position], update parallel.Progress) (study.Result, error) {
				return study.Noise(cmd.Context(), e, study.NoiseConfig{Sample: s.sample(), Nodes: nodes}, update)
			})
		},
	}
	s.addOfBook(cmd, &weights)
	other.add(cmd)
	flags := cmd.Flags()
	flags.Int64Var(&nodes, "nodes", 16_000_000, "positions visited by the long search")
	hashFlag(cmd, &hash, 64)
	return cmd
}

// addOfBook adds the flags of a study of a book's positions.
func (s *studyFlags) addOfBook(cmd *cobra.Command, weights *string) {
	s.addOutput(cmd)
	servedRulesFlag(cmd, &s.rules)
	weightsFlag(cmd, weights)
	workersFlag(cmd, &s.workers)
	intFlag(cmd, &s.positions, "positions", 200, 1, 100_000, "positions, one a game")
}

// ofBook does a study with an engine that has a book, or with another program in its place.
func (s *studyFlags) ofBook(cmd *cobra.Command, other engineFlag, weights, path string, c engine.Config, do func(*engine.Engine[oware.Position], parallel.Progress) (study.Result, error)) error {
	rules, err := rulesOf(oware.Descriptor().Info, s.rules)
	if err != nil {
		return err
	}
	e, err := engine.Open(cmd.Context(), engine.Oware(), engine.Spec{Weights: weights, Book: path, Search: c, Program: other.program}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.CheckMemory(parallel.Workers(s.workers)); err != nil {
		return err
	}
	return s.measure(cmd, "positions", func(update parallel.Progress) (study.Result, error) { return do(e, update) })
}
