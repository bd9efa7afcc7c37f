package main

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/match"
)

// engineFlag is --engine: another program that searches in place of Kroo's engine.
type engineFlag struct {
	text    string
	program client.Command // what the text says; its Path is "" for Kroo's engine
}

func (e *engineFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.text, "engine", "", "program that searches in place of Kroo's engine: cmd=PROGRAM,option.NAME=VALUE…")
}

// take reads the flag, refuses flags that are for Kroo's engine alone, and leaves out the
// endgame tables unless --tables names them.
func (e *engineFlag) take(cmd *cobra.Command, c *engine.Config, forKroo ...string) error {
	if e.text == "" {
		return nil
	}
	for _, name := range forKroo {
		if cmd.Flags().Changed(name) {
			return usagef("--%s with --engine: it is for Kroo's engine; options of the program are option.NAME=VALUE", name)
		}
	}
	p, err := match.ParsePlayer(e.text)
	if err != nil {
		return usagef("--engine: %v", err)
	}
	if p.Program.Path == "" {
		return usagef("--engine %s: expected a program, cmd=PROGRAM", e.text)
	}
	if e.program = p.Program; !cmd.Flags().Changed("tables") {
		c.Tables = engine.NoTables
	}
	return nil
}
