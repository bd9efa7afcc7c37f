package main

import (
	"github.com/spf13/cobra"

	"kroo/engine/nboard"
)

func nboardCommand() *cobra.Command {
	var o othelloFlags
	var depth int
	cmd := &cobra.Command{
		Use:   "nboard",
		Short: "the engine as a program for Othello that speaks NBoard",
		Long: `Kroo as a program for Othello on standard input and output, for NBoard and what else
speaks its protocol, version 2. go doc kroo/engine/nboard describes every command.
The board has 8x8 squares.`,
		Example: "  printf 'nboard 2\\nset depth 6\\ngo\\n' | train nboard\n  train match --game othello --a 'cmd=./train nboard,protocol=nboard,depth=6' --b depth=6",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := o.player()
			if err != nil {
				return err
			}
			defer p.Engine.Close()
			s := nboard.Server{Player: p, Name: "Kroo", Depth: depth}
			return s.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	o.register(cmd)
	intFlag(cmd, &depth, "depth", 10, 1, 60, "depth of the search until set depth")
	return cmd
}
