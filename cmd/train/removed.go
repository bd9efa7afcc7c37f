package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
)

// removedCommands are the commands that version 0.1.0 no longer has, by their path, and what to use
// instead.
var removedCommands = map[string]string{
	"gtp":           "use `train uci` with --game othello, and programs that speak UCI",
	"nboard":        "use `train uci` with --game othello, and programs that speak UCI",
	"study book":    "use `train book stats`, or a match with the book against one without",
	"study history": "docs/bounds.md has its result",
}

// removedFlags are the flags that version 0.1.0 no longer has, with the command that had one or, where
// all commands are meant, alone; and what to use instead.
var removedFlags = map[string]string{
	"worker --allow-engine": "programs search on the coordinator's machine only; use --engine or cmd= there, without --farm",
	"tune --farm":           "programs play on this machine only",
}

// removedFlag refuses a flag that a command no longer has, nil for one that it never had.
func removedFlag(cmd *cobra.Command, name string) error {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	instead := cmp.Or(removedFlags[path+" --"+name], removedFlags["--"+name])
	if instead == "" {
		return nil
	}
	return usagef("%s --%s was removed in 0.1.0: %s", cmd.CommandPath(), name, instead)
}

// addRemoved adds to a command a hidden one for each of its subcommands that was removed: it refuses
// whatever it is given, and says what to use instead.
func addRemoved(root *cobra.Command) {
	for path, instead := range removedCommands {
		names := strings.Fields(path)
		parent, _, err := root.Find(names[:len(names)-1])
		if err != nil {
			panic(err) // a path of the table is wrong
		}
		parent.AddCommand(&cobra.Command{
			Use: names[len(names)-1], Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return usagef("train %s was removed in 0.1.0: %s", path, instead)
			},
		})
	}
}
