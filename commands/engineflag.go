package commands

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci/client"
)

// engineFlag is --engine: another program that searches instead of Kroo's engine.
type engineFlag struct {
	text    string
	program client.Command // what the text says; its Path is "" for Kroo's engine
}

// engineHelp explains --engine in the help of a command.
const engineHelp = `
With --engine another UCI program searches instead: see ` + "`train help players`" + `.`

func (e *engineFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.text, "engine", "", "UCI program that searches instead of Kroo's engine: cmd=PROGRAM,option.NAME=VALUE…")
	cmd.Long += "\n" + engineHelp
}

// take reads the flag, and refuses flags that are for Kroo's engine alone.
func (e *engineFlag) take(cmd *cobra.Command, forKroo ...string) error {
	if e.text == "" {
		return nil
	}
	for _, name := range forKroo {
		if cmd.Flags().Changed(name) {
			return usagef("--%s with --engine: it is for Kroo's engine; options of the program are option.NAME=VALUE", name)
		}
	}
	p, err := engine.ParseProgram(e.text)
	if err != nil {
		return usagef("--engine: %v", err)
	}
	if farm := cmd.Flags().Lookup("farm"); farm != nil && farm.Changed {
		return usagef("--engine with --farm: the program searches on this machine only: leave out --farm")
	}
	watch(&p)
	e.program = p
	return nil
}

// watch makes a program report searches that exceed their limits.
func watch(p *client.Command) { p.Watch = &client.LimitWatch{Warn: tell} }

// tables leaves out the endgame tables where another program searches, unless --tables
// names them.
func (e *engineFlag) tables(cmd *cobra.Command, tables *string) {
	if e.text != "" && !cmd.Flags().Changed("tables") {
		*tables = engine.NoTables
	}
}
