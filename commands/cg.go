package commands

import (
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci"
	"kroo/engine/uci/client"
	"kroo/games/oware"
)

// cgFlags are those of the command cg.
type cgFlags struct {
	rules, weights string
	nodes          int64
	movetime       time.Duration
}

// began is when the program did.
var began = time.Now()

func cgCommand() *cobra.Command {
	var c cgFlags
	cmd := &cobra.Command{
		Use:   "cg",
		Short: "the engine as a bot for the CodinGame arena",
		Long: `Plays one game of oware as a bot of the CodinGame arena: for each of
its moves it reads a line with the seeds of the twelve houses in the order of sowing, its
own six first, and prints the house to sow, 0 to 5 from its left. The first move
may take a second, every other --movetime; a tenth of both is reserved for communication.

The default rules are arena: abapa without repetition, over after 200 plies. Endgame
tables are for abapa only: --rules abapa uses them, and ends games on repetition.`,
		Example: "  echo 4 4 4 4 4 4 4 4 4 4 4 4 | train cg\n  train match --a 'cmd=./train cg,protocol=cg' --b captures --rules arena --movetime 50ms --margin 50ms",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&c.rules, "rules", oware.Arena.String(), "arena, or abapa for play with endgame tables")
	weightsFlag(cmd, &c.weights)
	f.DurationVar(&c.movetime, "movetime", client.MoveOfArena, "time of every move but the first")
	f.Int64Var(&c.nodes, "nodes", 0, "limit each search by positions visited, in place of the time (reproducible)")
	return cmd
}

func (c *cgFlags) run(cmd *cobra.Command) error {
	rules, err := parseRules(c.rules)
	if err != nil {
		return err
	}
	if !rules.LikeAbapa() {
		return usagef("--rules is %q: expected arena or abapa", c.rules)
	}
	if c.nodes < 0 || c.movetime <= 0 {
		return usagef("--nodes %d, --movetime %s: expected 0 or more, and a time", c.nodes, c.movetime)
	}
	config := engine.Config{HashMB: 64, Nodes: c.nodes}
	if err := config.CheckMemory(1); err != nil {
		return err
	}
	e, err := engine.Open(cmd.Context(), engine.Oware(), engine.Spec{Weights: c.weights, Search: config}, rules.String())
	if err != nil {
		return err
	}
	defer e.Close()
	s := uci.Arena{Player: &engine.Player[oware.Position]{Engine: e, Searcher: e.NewSearcher()}, Rules: rules}
	if c.nodes == 0 {
		s.First, s.Move = max(client.FirstTurn, c.movetime), c.movetime
	}
	return s.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), began)
}
