package commands

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/engine"
	"kroo/features"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/run/inspect"
	"kroo/sampler"
)

// labelArgs are the settings of label.
type labelArgs struct {
	engine.Config
	workersFlag
	farmFlags
	engineFlag
	weightsFlag
	whereFlag
	AllMoves bool   `name:"all_moves" group:"Search" help:"search the exact score of every move"`
	Out      string `name:"output" flag:"output,o" file:"made" help:"dataset to write (.parquet, .arrow or .csv)"`
	limits   *limits
}

func labelCommand() *cobra.Command {
	var a labelArgs
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

--where labels only some of the rows and leaves the others out.

A position at which the program of --engine fails three times is left out: the
summary lists it, and the command exits with 1. A program that fails at twenty
positions in a row ends the command.
` + engineHelp,
		Example: "  train label positions.parquet -o labels.parquet --movetime 200ms\n" +
			"  train label positions.parquet -o labels.parquet --movetime 200ms --farm embedded\n" +
			"  train label games.parquet -o labels.parquet --weights weights.json --nodes 10000 --hash 1\n" +
			"  train label positions.parquet -o labels.parquet --engine 'cmd=./engine uci,option.Hash=16' --nodes 10000",
		Args: exactArgs(1, "the dataset of positions"),
	}, func(j *job) error {
		g, meta, err := gameOfDataset(j.args[0])
		if err != nil {
			return err
		}
		return g.label(j, &a, meta.Rules)
	}, &a)
	spec.Flags(cmd.Flags(), &a.Config, "full_width", "step")
	a.limits = limitsOf(cmd, &a.Config, engine.Config{MoveTime: engine.Duration{Duration: 200 * time.Millisecond}})
	return cmd
}

func (g gameOf[P]) label(j *job, a *labelArgs, rules string) error {
	in := j.args[0]
	search, err := a.limits.config()
	if err != nil {
		return err
	}
	c := sampler.LabelConfig{Workers: a.Workers, AllMoves: a.AllMoves, Where: a.Where}
	if c.Spec, err = a.engineFlag.spec(j, a.Weights, &search.Tables, "weights", "hash", "full-width", "step"); err != nil {
		return err
	}
	c.Search = search
	if c.Made, err = j.take([]output{{path: a.Out, kind: inspect.KindDataset, log: a.Out + ".journal"}}, in, a.Weights, search.Tables); err != nil {
		return err
	}
	if c.Farm, err = j.dial(a.farmFlags); err != nil {
		return err
	}
	begin := sync.OnceFunc(func() {
		a.limits.tellDefault(", as the thesis has it; with --nodes or --depth the labels can be reproduced")
	})
	var left []string
	c.Fault = func(err error) { tell("left out for now: " + err.Error()) }
	c.Left = func(row int64, why string) { left = append(left, fmt.Sprintf("row %d, %s", row+1, why)) }
	update := j.progress("labelling", "positions")
	meta, err := sampler.Label(j.Context(), g.kit, in, a.Out, c, func(done, total int64, note string) {
		begin()
		update(done, total, note)
	})
	if err == nil {
		err = sampler.RemoveJournal(a.Out)
	}
	if err != nil {
		return err
	}
	err = j.say(struct {
		File    string        `json:"file"`
		Meta    datasets.Meta `json:"meta"`
		LeftOut []string      `json:"left_out,omitempty"` // rows at which the program failed
	}{a.Out, meta, left}, "labels (%s, %s) in %s\n", meta.Limits, meta.Evaluator, a.Out)
	j.tellSpeed()
	if len(left) > 0 {
		fmt.Fprintf(j.text(), "left out:\n  %s\n", strings.Join(left, "\n  "))
		return fmt.Errorf("%s has no label of %s, at which the program failed", a.Out, wording.Count(int64(len(left)), "position"))
	}
	j.tryNext(g.afterLabels(meta, in, a.Out)...)
	return err
}

// afterLabels are what to run on new labels: a fit of patterns where the game has them,
// or a table of features. Weights are not fitted to what is named a validation set.
func (g gameOf[P]) afterLabels(meta datasets.Meta, in, out string) []string {
	patterns, named := g.kit.Patterns.DefaultSet != "", filepath.Base(in)+filepath.Base(out)
	out = quoted(out)
	if strings.Contains(named, "validation") {
		commands := []string{"inspect " + out}
		if m, err := datasets.ReadManifest(usualLabels); err == nil && patterns && m.Meta.Game == meta.Game && m.Meta.Rules == meta.Rules {
			commands = append(commands, fitPatterns(usualLabels)+" --validate "+out)
		}
		return commands
	}
	features := fmt.Sprintf("features %s -o %s --set %s", out, unused("features", ".parquet"), g.kit.Sets.Default(meta.Rules))
	if !patterns {
		return []string{features}
	}
	return []string{fitPatterns(out), features}
}

// usualLabels is the dataset of labels that a sample tells to make.
const usualLabels = "labels.parquet"

// fitPatterns is a fit of patterns to labels, a word of a shell.
func fitPatterns(labels string) string {
	return fmt.Sprintf("fit %s -o %s --loss chances --ridge 5", labels, unused("mine", features.CompiledSuffix))
}
