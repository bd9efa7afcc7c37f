package commands

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/match"
	"kroo/run/inspect"
)

type openingsArgs struct {
	match.SuiteConfig
	engine.Config
	rulesFlags
	weightsFlag
	Out string `name:"output" flag:"output,o" file:"made" help:"file for the openings (OGN)"`
}

func openingsCommand() *cobra.Command {
	a := openingsArgs{Config: engine.Config{HashMB: 1, Nodes: defaultNodes}}
	return newCommand(&cobra.Command{
		Use:   "openings",
		Short: "make a suite of balanced openings for matches",
		Long: `Searches the positions after all lines of --plies plies from the start, each
position once, and writes those whose score is within --bound for either side.
With --n it draws that many at random, and searches no more than necessary.
With --nodes or --depth the same command always writes the same file.`,
		Example: `  train match openings --plies 4 --bound 50 --nodes 20000 -o openings.ogn
  train match openings --plies 8 --bound 50 --nodes 20000 --n 500 -o openings.ogn`,
	}, func(j *job) error { return a.game().openings(j, &a) }, &a)
}

func (g gameOf[P]) openings(j *job, a *openingsArgs) error {
	if err := j.limit(&a.Config); err != nil {
		return err
	}
	suite := a.SuiteConfig
	var err error
	suite.Made, err = j.claimOutputs([]output{{path: a.Out, kind: inspect.KindGames}}, a.Weights, a.Tables)
	if err != nil {
		return err
	}
	rules, err := a.rules()
	if err != nil {
		return err
	}
	e, err := engine.Open(j.Context(), g.kit, engine.Spec{Weights: a.Weights, Search: a.Config}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	n, err := match.MakeOpenings(j.Context(), e, suite, a.Out, j.progress("openings", "openings"))
	if err != nil {
		return err
	}
	return j.print(map[string]any{"file": a.Out, "openings": n}, "%d openings in %s\n", n, a.Out)
}
