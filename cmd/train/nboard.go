package main

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/nboard"
	"kroo/engine/search"
	"kroo/games/othello"
)

func nboardCommand() *cobra.Command {
	var weights string
	var hash, threads, depth int
	cmd := &cobra.Command{
		Use:   "nboard",
		Short: "the engine as a program for Othello that speaks NBoard",
		Long: `Kroo as a program for Othello on standard input and output, for NBoard and what else
speaks its protocol, version 2. go doc kroo/engine/nboard describes every command.
The board has 8x8 squares.`,
		Example: "  printf 'nboard 2\\nset depth 6\\ngo\\n' | train nboard\n  train match --game othello --a 'cmd=./train nboard,protocol=nboard,depth=6' --b depth=6",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := engine.Config{HashMB: hash, Threads: threads}
			if err := config.CheckMemory(1); err != nil {
				return err
			}
			e, err := engine.Open(engine.Othello(), weights, "", config, othello.Large.String())
			if err != nil {
				return err
			}
			defer e.Close()
			s := nboard.Server{Player: &engine.Player[othello.Position]{Engine: e, Searcher: e.NewSearcher()}, Name: "Kroo", Depth: depth}
			return s.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&weights, "weights", "", "evaluation: by name, or a weights file (default the game's own)")
	intFlag(cmd, &hash, "hash", 64, 1, engine.MaxHashMB, "hash table, in MiB")
	intFlag(cmd, &threads, "threads", 1, 1, search.MaxThreads, "threads of the search")
	intFlag(cmd, &depth, "depth", 10, 1, 60, "depth of the search until set depth")
	return cmd
}
