package commands

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/internal/console"
)

// engineFlag is another program that searches instead of Kroo's engine.
type engineFlag struct {
	Engine string `name:"engine" group:"Search" help:"UCI program that searches instead of Kroo's engine: cmd=PROGRAM,option.NAME=VALUE…"`
}

const engineHelp = `
With --engine another UCI program searches instead: see ` + "`train help players`" + `.`

// searcher returns the program, or Kroo's engine with weights, and sets the limits of its searches.
func (e engineFlag) searcher(j *job, weights string, c *engine.Config) (engine.Spec, error) {
	if err := j.limit(c); err != nil {
		return engine.Spec{}, err
	}
	s, err := e.spec(j, weights, &c.Tables)
	if err != nil {
		return engine.Spec{}, err
	}
	s.Search = *c
	return s, nil
}

// spec returns the program, or Kroo's engine with weights. It refuses flags for Kroo's engine if
// there is a program, which also uses no endgame tables unless --tables is given.
func (e engineFlag) spec(j *job, weights string, tables *string) (engine.Spec, error) {
	s := engine.Spec{Weights: weights}
	if e.Engine == "" {
		return s, nil
	}
	for _, name := range []string{"weights", "hash", "full-width", "step"} {
		if j.given(name) {
			return engine.Spec{}, usagef("--%s with --engine: it is for Kroo's engine; options of the program are option.NAME=VALUE", name)
		}
	}
	p, err := engine.ParseProgram(e.Engine)
	if err != nil {
		return engine.Spec{}, usagef("--engine: %v", err)
	}
	if j.given("farm") {
		return engine.Spec{}, usagef("--engine with --farm: the program searches on this machine only: leave out --farm")
	}
	watch(&p)
	s.Program = p
	if !j.given("tables") {
		*tables = engine.NoTables
	}
	return s, nil
}

// watch warns of searches of a program that exceed their limits.
func watch(p *client.Command) { p.Watch = &client.LimitWatch{Warn: console.Warn} }

func engineCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "engine",
		Short:   "other programs that speak UCI",
		Example: "  train engine check 'cmd=./engine uci'",
	}, engineCheckCommand())
}
