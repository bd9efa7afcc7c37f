package main

import (
	"github.com/spf13/cobra"

	"kroo/games/oware"
)

// owareOnly adds --game to a command and its subcommands, which refuse any game but
// oware: what they work on, such as opening books, exists for no other.
func owareOnly(cmd *cobra.Command, what string) {
	var game string
	name := oware.Descriptor().Name
	cmd.PersistentFlags().StringVar(&game, "game", name, what+" exist for oware only")
	cmd.PersistentPreRunE = func(*cobra.Command, []string) error {
		if game != name {
			return usagef("--game is %q: %s exist for %s only", game, what, name)
		}
		return nil
	}
}
