package commands

import (
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci"
	"kroo/internal/revision"
)

// uciFlags are those of the command uci.
type uciFlags struct {
	game, rules, weights, book, tables string
	hash, threads                      int
	tuning                             bool
}

func uciCommand() *cobra.Command {
	var u uciFlags
	cmd := &cobra.Command{
		Use:   "uci",
		Short: "the engine as a UCI program on standard input and output",
		Long: "Kroo as a UCI service on standard input and output, for programs that show\n" +
			"boards or play matches. Boards and moves are those of the game; go doc\n" +
			"kroo/engine/uci describes every command.\n\n" +
			"Options (setoption name NAME value VALUE): " + strings.Join(uci.OptionNames(engine.Oware()), ", ") + ".\n" +
			"Send uci to see their defaults and ranges, and which ones the game has.",
		Example: "  printf 'position startpos moves Ff\\ngo depth 12\\nquit\\n' | train uci --weights weights.json --book none",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return onGame(u.game, func(g game) error { return g.uci(cmd, u) })
		},
	}
	gameFlag(cmd, &u.game)
	gameRulesFlag(cmd, &u.rules)
	weightsFlag(cmd, &u.weights)
	bookFlag(cmd, &u.book)
	hashFlag(cmd, &u.hash, 64)
	intFlag(cmd, &u.threads, "threads", 1, 1, search.MaxThreads, "threads of the search")
	tablesFlag(cmd, &u.tables)
	cmd.Flags().BoolVar(&u.tuning, "tuning", false, "also offer the settings of the search as options, for train tune")
	return cmd
}

// uci serves a game.
func (g gameOf[P]) uci(cmd *cobra.Command, u uciFlags) error {
	rules, err := rulesOf(g.info(), u.rules)
	if err != nil {
		return err
	}
	if err := (engine.Config{HashMB: u.hash}).CheckMemory(1); err != nil {
		return err
	}
	e, err := engine.Open(cmd.Context(), g.kit, engine.Spec{Weights: u.weights, Book: u.book, OwnBook: true, Search: engine.Config{HashMB: u.hash, Threads: u.threads, Tables: engine.NoTables}}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	e.Spec.Search.Tables = u.tables // to build tables may take a second: the first search opens them
	server, err := uci.New(e, uci.Config{Name: "Kroo", Version: revision.Get(), Seed: rand.Uint64(), Tuning: u.tuning})
	if err != nil {
		return err
	}
	return server.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
}
