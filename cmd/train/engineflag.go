package main

import (
	"context"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/engine/uci/programs"
	workers "kroo/farm"
	"kroo/match"
)

// engineFlag is --engine: another program that searches in place of Kroo's engine.
type engineFlag struct {
	text    string
	program client.Command // what the text says; its Path is "" for Kroo's engine
	name    string         // of an engine that a farm's workers have, "" for none
	faults  int
}

// engineHelp explains --engine in the help of a command.
const engineHelp = `
With --engine another program that speaks UCI searches, one process a worker, as match
takes players: 'cmd=PROGRAM ARGUMENTS,option.NAME=VALUE', and dir, startup and timeout.
unit=N says that N of its cp are a seed, or the game's unit (100; study scale tells). A
mate counts as a won game, though nothing proves it. A program that crashes, hangs or
answers nonsense is started again and asked again, three times in all. Endgame tables
decide nothing, unless --tables names them.`

func (e *engineFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.text, "engine", "", "program that searches in place of Kroo's engine: cmd=PROGRAM,option.NAME=VALUE…")
	cmd.Long += "\n" + engineHelp
}

// farmEngineHelp explains --engine name=NAME in the help of a command with --farm.
const farmEngineHelp = `
With a farm, --engine name=NAME is a program that workers have: those that were started
with --allow-engine NAME=cmd=PROGRAM, which say its options too.`

// addFarmed adds the flag to a command with a farm.
func (e *engineFlag) addFarmed(cmd *cobra.Command) {
	e.add(cmd)
	cmd.Long += "\n" + farmEngineHelp
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
	p, err := match.ParseProgram(e.text)
	if err != nil {
		return usagef("--engine: %v", err)
	}
	farm := cmd.Flags().Lookup("farm")
	switch far := farm != nil && farm.Changed; {
	case p.Engine != "" && !far:
		return usagef("--engine name=%s: the workers of a farm have engines by name: expected cmd=PROGRAM here, or a command with --farm", p.Engine)
	case p.Engine == "" && far:
		return usagef("--engine cmd=… with --farm: workers run no command lines of others: expected --engine name=NAME, which they allow by --allow-engine NAME=cmd=PROGRAM")
	}
	watch(&p)
	e.program, e.name, e.faults = p.Program, p.Engine, p.Faults
	return nil
}

// watch has a program's searches compared with their limits.
func watch(p *match.PlayerConfig) { p.Program.Watch = &client.LimitWatch{Warn: tell} }

// noFaults refuses faults= where every search is needed.
func (e *engineFlag) noFaults(why string) error {
	if e.faults > 0 {
		return usagef("--engine: faults=%d: %s; only label leaves positions out", e.faults, why)
	}
	return nil
}

// tables leaves out the endgame tables where another program searches, unless --tables
// names them.
func (e *engineFlag) tables(cmd *cobra.Command, tables *string) {
	if e.text != "" && !cmd.Flags().Changed("tables") {
		*tables = engine.NoTables
	}
}

// searched is a kit by which the program of the flag searches, if there is one.
func searched[P search.Position[P]](ctx context.Context, e engineFlag, k engine.Kit[P]) engine.Kit[P] {
	if e.program.Path == "" {
		return k
	}
	return programs.Kit(ctx, k, e.program)
}

// ofWorkers replaces an evaluation by the program of the flag that a farm's workers have, if it
// names one: it waits until a worker is there that has it. The kit is the one that searches with it.
func ofWorkers[P search.Position[P]](ctx context.Context, e engineFlag, net workers.Network, k engine.Kit[P], rules string, eval *engine.Evaluation[P]) (engine.Kit[P], error) {
	if e.name == "" {
		return k, nil
	}
	p, err := net.Programs(ctx, e.name)
	if err != nil {
		return k, err
	}
	k = workers.Kit(k, p[0])
	*eval, err = k.Evaluation("", rules)
	return k, err
}
