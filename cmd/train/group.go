package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/games"
)

// group puts commands under one, which refuses operands that are none of them
// and names the nearest. A command without work of its own prints its help.
func group(cmd *cobra.Command, subcommands ...*cobra.Command) {
	cmd.AddCommand(subcommands...)
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	if cmd.RunE == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

// fewCommands are as many as fit in an error message.
const fewCommands = 6

// unknownCommand refuses the name of a subcommand that there is not.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	var nearest string
	if like := cmd.SuggestionsFor(name); len(like) > 0 {
		nearest = fmt.Sprintf("did you mean %s? ", games.OrList(like))
	}
	if len(names) > fewCommands {
		return usagef("unknown command %q: %s`%s --help` lists the commands", name, nearest, cmd.CommandPath())
	}
	return usagef("unknown command %q: %s`%s` goes on with %s", name, nearest, cmd.CommandPath(), games.OrList(names))
}
