package main

import (
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
