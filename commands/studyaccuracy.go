package commands

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/study"
)

// accuracyFlags are those of train study accuracy.
type accuracyFlags struct {
	study                 studyFlags
	engine                engineFlag
	weights, table, seeds string
	hash                  int
	config                study.AccuracyConfig
}

func studyAccuracy() *cobra.Command {
	var f accuracyFlags
	cmd := &cobra.Command{
		Use:   "accuracy",
		Short: "how often searches without tables keep the proven value of an endgame",
		Long: `Draws endgames whose value the table proves and in which some moves keep it and
others do not, and searches them without tables with --nodes. Right moves are counted by
seeds in play, with Wilson's interval of 95 %.`,
		Example: "  train study accuracy --seeds 6-8 --positions 100\n  train study accuracy --rules awari --weights thesis12 --nodes 1000 --json",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := &f.study
	s.addOutput(cmd)
	servedRulesFlag(cmd, &s.rules)
	weightsFlag(cmd, &f.weights)
	workersFlag(cmd, &s.workers)
	f.engine.add(cmd)
	flags := cmd.Flags()
	tableFlag(cmd, &f.table)
	flags.StringVar(&f.seeds, "seeds", "4-12", "seeds in play, a number or two")
	intFlag(cmd, &f.config.Positions, "positions", 300, 1, 100_000, "of each number of seeds")
	flags.Int64SliceVar(&f.config.Nodes, "nodes", []int64{1000, 10_000, 100_000}, "positions visited by each search: `N,…`")
	hashFlag(cmd, &f.hash, 16)
	return cmd
}

func (f *accuracyFlags) run(cmd *cobra.Command) error {
	c := &f.config
	c.Seed = studySeed
	if len(c.Nodes) == 0 || slices.Min(c.Nodes) < 1 {
		return usagef("--nodes: expected numbers of at least 1")
	}
	if err := f.readSeeds(); err != nil {
		return err
	}
	rules, err := parseRules(f.study.rules)
	if err != nil {
		return err
	}
	t, err := endgame.Find(f.table, rules)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := f.engine.take(cmd, "weights", "hash"); err != nil {
		return err
	}
	config := engine.Config{Nodes: slices.Max(c.Nodes), HashMB: f.hash, Tables: engine.NoTables}
	e, err := engine.Open(cmd.Context(), engine.Oware(), engine.Spec{Weights: f.weights, Search: config, Program: f.engine.program}, rules.String())
	if err != nil {
		return err
	}
	defer e.Close()
	c.Player = e.Eval.Name
	pool, err := e.Searchers(f.study.workers)
	if err != nil {
		return err
	}
	update, finish := progress(cmd.Name(), "searches")
	result, err := study.Accuracy(cmd.Context(), pool, t, *c, update)
	finish()
	if err := cmp.Or(err, t.Err()); err != nil {
		return err
	}
	return f.study.show(cmd, result)
}

// readSeeds reads --seeds, a number or two with a hyphen.
func (f *accuracyFlags) readSeeds() error {
	c := &f.config
	n, _ := fmt.Sscanf(f.seeds, "%d-%d", &c.Fewest, &c.Most)
	if n == 1 {
		c.Most = c.Fewest
	}
	text := fmt.Sprint(c.Fewest)
	if n == 2 {
		text = fmt.Sprintf("%d-%d", c.Fewest, c.Most)
	}
	if n == 0 || text != f.seeds || c.Fewest < 1 || c.Most < c.Fewest || c.Most > endgame.MaxSeeds {
		return usagef("--seeds %s: expected a number of 1 to %d or two, as 4-12", f.seeds, endgame.MaxSeeds)
	}
	return nil
}
