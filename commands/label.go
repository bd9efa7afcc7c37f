package commands

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/engine"
	"kroo/internal/console"
	"kroo/internal/journal"
	"kroo/internal/outline"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/run/inspect"
	"kroo/sampler"
)

type labelArgs struct {
	engine.Config
	workersFlag
	farmFlags
	engineFlag
	weightsFlag
	whereFlag
	Out string `name:"output" flag:"output,o" file:"made" help:"dataset to write (.parquet, .arrow or .csv)"`
}

func labelCommand() *cobra.Command {
	a := labelArgs{Config: engine.Config{MoveTime: engine.Duration{Duration: 200 * time.Millisecond}}}
	cmd := newCommand(&cobra.Command{
		Use:   "label POSITIONS",
		Short: "score the positions of a dataset by search",
		Long: `Searches every position of a dataset and writes the scores. Positions that the
endgame tables decide need no search. Finished labels are kept next to the output: the
same command resumes.

Each search takes 200 ms, as in the thesis, unless --nodes, --depth or --movetime says
otherwise. Labels by time depend on the machine and its load; with --nodes or --depth
they are reproducible.

For the thesis's labels, by textbook search, use
--weights captures --full-width --step 2 --tables none --movetime 200ms.

--where labels only the rows that match.

A position at which the program of --engine fails three times is left out: the
summary lists it, and the command exits with 1. A program that fails at twenty
positions in a row ends the command.
` + engineHelp,
		Example: "  train label positions.parquet -o labels.parquet --movetime 200ms\n" +
			"  train label positions.parquet -o labels.parquet --movetime 200ms --farm embedded\n" +
			"  train label games.parquet -o labels.parquet --weights weights.json --nodes 10000 --hash 1\n" +
			"  train label positions.parquet -o labels.parquet --engine 'cmd=./engine uci,option.Hash=16' --nodes 10000",
	}, func(j *job) error {
		g, _, err := gameOfDataset(j.args[0])
		if err != nil {
			return err
		}
		return g.label(j, &a)
	}, &a)
	spec.Flags(cmd.Flags(), &a.Config, "full_width", "step")
	return cmd
}

func (g gameOf[P]) label(j *job, a *labelArgs) error {
	in := j.args[0]
	spec, err := a.engineFlag.searcher(j, a.Weights, &a.Config)
	if err != nil {
		return err
	}
	c := sampler.LabelConfig{Spec: spec, Workers: a.Workers, Where: a.Where}
	c.Made, err = j.claimOutputs([]output{{path: a.Out, kind: inspect.KindDataset, journal: journal.PathOf(a.Out)}},
		slices.Concat([]string{in, a.Weights, a.Tables}, programFiles(spec))...)
	if err != nil {
		return err
	}
	c.Farm, err = j.dial(a.farmFlags)
	if err != nil {
		return err
	}
	var left []string
	c.OnFailure = func(err error) { console.Warn("left out for now: " + err.Error()) }
	c.OnSkipped = func(why string) { left = append(left, why) }
	meta, err := sampler.Label(j.Context(), g.kit, in, a.Out, c, j.progress("labelling", "positions"))
	if err != nil {
		return err
	}
	if err := sampler.RemoveJournal(a.Out); err != nil {
		return err
	}
	d := &outline.Doc{
		Title: "labels in " + a.Out,
		Facts: outline.Facts("each search", meta.Limits, "evaluation", meta.Evaluator),
		Value: struct {
			File    string        `json:"file"`
			Meta    datasets.Meta `json:"meta"`
			LeftOut []string      `json:"left_out,omitempty"` // positions at which the program failed
		}{a.Out, meta, left},
	}
	if err := j.show("", d); err != nil {
		return err
	}
	j.note("%s\n", j.meter.Speed())
	if !j.hasLimit() {
		j.note("each search took %s, as in the thesis; with --nodes or --depth labels are reproducible\n", a.MoveTime)
	}
	if len(left) > 0 {
		fmt.Fprintf(j.text(), "left out:\n  %s\n", strings.Join(left, "\n  "))
		return fmt.Errorf("%s has no label of %s, at which the program failed",
			a.Out, wording.Count(int64(len(left)), "position"))
	}
	switch {
	case sampler.IsValidationPath(in): // the labels of the other part are what to fit
	case g.kit.Sets.Patterns != nil:
		j.next(g.info(), meta.Rules, "fit %s -o mine.weights --loss chances --ridge 5", quotePath(a.Out))
	default:
		j.next(g.info(), meta.Rules, "features %s -o features.parquet --set %s", quotePath(a.Out), g.kit.Sets.Default(meta.Rules))
	}
	return nil
}
