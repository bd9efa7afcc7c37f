package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/study"
	"kroo/internal/doc"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/report"
)

func studyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "study",
		Short:   "repeat tables of the literature; accuracy of scores",
		Example: "  train study branching --depth 9 --plots figures\n  train study algorithms --game tictactoe --depth 9",
	}
	group(cmd, studyAlgorithms(), studyBranching(), studyOrders(), studyTable(), studyCycles(), studyNoise(), studyAccuracy(), studySolve(), studyOthello(), studyLaMoSca())
	return cmd
}

// studyFlags are what studies have in common.
type studyFlags struct {
	game, rules, plots, games string
	depth, positions, workers int
	asJSON                    bool
}

func (s *studyFlags) add(cmd *cobra.Command, depth, positions int) {
	f := cmd.Flags()
	s.addOutput(cmd)
	gameFlag(cmd, &s.game)
	gameRulesFlag(cmd, &s.rules)
	intFlag(cmd, &s.depth, "depth", depth, 2, 40, "plies")
	if positions > 0 {
		intFlag(cmd, &s.positions, "positions", positions, 0, 100_000, "positions from generated games")
		f.StringVar(&s.games, "games", "", "all positions of the games in this file of records instead")
		cmd.MarkFlagsMutuallyExclusive("games", "positions")
		workersFlag(cmd, &s.workers)
	}
}

// studySeed is the seed of the games that studies take their positions from.
const studySeed = 1

func (s *studyFlags) sample() study.Sample {
	return study.Sample{Rules: s.rules, Positions: s.positions, Seed: studySeed, Workers: s.workers}
}

// addOutput adds the flags of every study.
func (s *studyFlags) addOutput(cmd *cobra.Command) {
	plotsFlag(cmd, &s.plots)
	forceFlag(cmd)
	jsonFlag(cmd, &s.asJSON)
}

// study runs the study that a configuration is one of.
func (g gameOf[P]) study(ctx context.Context, config any, recorded string, progress parallel.Progress) (study.Result, error) {
	s, err := study.Of(g.kit)
	if err != nil {
		return nil, err
	}
	if recorded != "" {
		records, err := readGames(g.kit.Game, recorded)
		if err != nil {
			return nil, err
		}
		if s, err = s.Recorded(records); err != nil {
			return nil, fmt.Errorf("%s: %w", recorded, err)
		}
	}
	switch c := config.(type) {
	case study.AlgorithmsConfig:
		return study.Algorithms(ctx, s, c, progress)
	case study.PliesConfig:
		return study.Plies(ctx, s, c, progress)
	case study.BranchingConfig:
		return study.Branching(ctx, s, c, progress)
	case study.TablesConfig:
		return study.Tables(ctx, s, c, progress)
	case study.OrdersConfig:
		return study.Orders(ctx, s, c, progress)
	}
	return nil, fmt.Errorf("no study has the configuration %T", config)
}

// run checks the flags, runs a study of their game and shows its result.
func (s *studyFlags) run(cmd *cobra.Command, config any) error {
	g, err := gameNamed(s.game)
	if err != nil {
		return err
	}
	if _, err := rulesOf(g.info(), s.rules); err != nil {
		return err
	}
	return s.measure(cmd, "searches", func(update parallel.Progress) (study.Result, error) {
		return g.study(cmd.Context(), config, s.games, update)
	})
}

// measure does a study, with its progress in the given unit, and shows its result.
func (s *studyFlags) measure(cmd *cobra.Command, unit string, do func(parallel.Progress) (study.Result, error)) error {
	update, finish := progress(cmd.Name(), unit)
	result, err := do(update)
	finish()
	if err != nil {
		return err
	}
	return s.show(cmd, result)
}

// show draws and prints a result.
func (s *studyFlags) show(cmd *cobra.Command, result study.Result) error {
	d := result.Doc()
	err := saveFigures(cmd, s.plots, d) // without its figure too a result is worth printing
	return errors.Join(err, show(cmd, "", d))
}

// saveFigures draws the figures of a document into a folder, "" for none.
func saveFigures(cmd *cobra.Command, folder string, d *doc.Doc) error {
	if folder == "" {
		return nil
	}
	for _, figure := range d.Figures() {
		f, err := (*figure).Draw()
		if err != nil {
			return err
		}
		if err := takeInFolder(cmd, folder, pictures(folder, f.Name)); err != nil {
			return err
		}
		if _, err := report.SaveFigure(folder, f); err != nil {
			return err
		}
	}
	return nil
}

func studyAlgorithms() *cobra.Command {
	var s studyFlags
	var budget time.Duration
	var hash int
	cmd := &cobra.Command{
		Use:   "algorithms",
		Short: "minimax, alpha-beta, negascout and the engine by depth, from the start",
		Long: `Searches the start position to increasing depth, by the textbooks' minimax, alpha-beta and
negascout, and by the engine; in oware also by published
listings, reconstructed. The default rules are those of the published table,
simple-to-end. It fails if the textbook searches find different values.

With --games it searches every position of recorded games to one depth instead (default
8), and prints the cost over the course of a game.`,
		Example: "  train study algorithms --budget 30s --plots figures\n  train study algorithms --depth 18 --budget 10m\n  train study algorithms --games games.ogn --depth 8",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if hash < 1 || hash > 1<<16 || budget <= 0 {
				return usagef("--hash %d, --budget %s: expected 1 to 65536, and more than 0", hash, budget)
			}
			if err := (engine.Config{HashMB: hash}).CheckMemory(1); err != nil {
				return err
			}
			if s.games != "" {
				if !cmd.Flags().Changed("depth") {
					s.depth = 8
				}
				return s.run(cmd, study.PliesConfig{Rules: s.rules, Depth: s.depth, HashMB: hash})
			}
			return s.run(cmd, study.AlgorithmsConfig{Rules: s.rules, Depth: s.depth, Budget: budget, HashMB: hash})
		},
	}
	s.add(cmd, 30, 0)
	cmd.Flags().StringVar(&s.games, "games", "", "search the positions of the games in this file of records instead of the start")
	cmd.Flags().DurationVar(&budget, "budget", 3*time.Second, "longest search")
	cmd.MarkFlagsMutuallyExclusive("games", "budget")
	hashFlag(cmd, &hash, 64)
	return cmd
}

func studyBranching() *cobra.Command {
	var s studyFlags
	cmd := &cobra.Command{
		Use:     "branching",
		Short:   "full tree, minimal tree, and the trees of move orderings",
		Example: "  train study branching --depth 9 --plots figures",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := study.BranchingConfig{Sample: s.sample(), Depth: s.depth}
			return s.run(cmd, c)
		},
	}
	s.add(cmd, 9, 600)
	return cmd
}

func studyTable() *cobra.Command {
	var s studyFlags
	var sizes []int
	cmd := &cobra.Command{
		Use:     "table",
		Short:   "replacement schemes of the hash table: hit rate and time",
		Example: "  train study table --depth 15 --sizes 256,4096 --plots figures",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, kib := range sizes {
				if kib < 1 || kib > 1<<22 {
					return usagef("--sizes: %d KiB: expected 1 to 4194304", kib)
				}
			}
			if err := tablesFit(sizes, s.workers); err != nil {
				return err
			}
			c := study.TablesConfig{Sample: s.sample(), Depth: s.depth, Sizes: sizes}
			return s.run(cmd, c)
		},
	}
	s.add(cmd, 13, 40)
	cmd.Flags().IntSliceVar(&sizes, "sizes", []int{64, 512, 4096}, "of the tables, in KiB")
	return cmd
}

// tablesFit refuses hash tables, of which each worker has one, that do not fit into
// memory.
func tablesFit(kib []int, workers int) error {
	workers, largest := parallel.Workers(workers), slices.Max(append(kib, 0))
	return memory.Check(fmt.Sprintf("%d hash tables of %d KiB", workers, largest), int64(workers)*int64(largest)<<10)
}
