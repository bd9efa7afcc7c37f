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

// labelArgs are what the flags of label say.
type labelArgs struct {
	in, out, weights string
	limits           searchFlags
	farm             farmFlags
	search           engine.Config // from limits
	workers          int
	allMoves         bool
	engine           engineFlag
	where            string
}

func labelCommand() *cobra.Command {
	var a labelArgs
	cmd := &cobra.Command{
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
positions in a row ends the command.`,
		Example: "  train label positions.parquet -o labels.parquet --movetime 200ms\n" +
			"  train label positions.parquet -o labels.parquet --movetime 200ms --farm embedded\n" +
			"  train label games.parquet -o labels.parquet --weights weights.json --nodes 10000 --hash 1\n" +
			"  train label positions.parquet -o labels.parquet --engine 'cmd=./engine uci,option.Hash=16' --nodes 10000",
		Args: exactArgs(1, "the dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.in = args[0]
			return a.run(cmd)
		},
	}
	a.limits.add(cmd, 16, engine.Config{MoveTime: engine.Duration{Duration: 200 * time.Millisecond}})
	workersFlag(cmd, &a.workers)
	a.farm.add(cmd)
	a.engine.add(cmd)
	f := cmd.Flags()
	weightsFlag(cmd, &a.weights)
	f.BoolVar(&a.allMoves, "all-moves", false, "search the exact score of every move")
	spec.Flags(f, a.limits.given, "full_width", "step")
	whereFlag(cmd, &a.where)
	outFlag(cmd, &a.out, "dataset to write (.parquet, .arrow or .csv)")
	jsonFlag(cmd, new(bool))
	return cmd
}

func (a *labelArgs) run(cmd *cobra.Command) error {
	if err := needOut(a.out); err != nil {
		return err
	}
	var err error
	if a.search, err = a.limits.config(); err != nil {
		return err
	}
	if err := a.engine.take(cmd, "weights", "hash", "full-width", "step"); err != nil {
		return err
	}
	a.engine.tables(cmd, &a.search.Tables)
	g, meta, err := gameOfDataset(a.in)
	if err != nil {
		return err
	}
	return g.label(cmd, *a, meta.Rules)
}

func (g gameOf[P]) label(cmd *cobra.Command, a labelArgs, rules string) error {
	spec := engine.Spec{Weights: a.weights, Search: a.search, Program: a.engine.program}
	c := sampler.LabelConfig{Spec: spec, Workers: a.workers, AllMoves: a.allMoves, Where: a.where}
	var err error
	if c.Made, err = takeOutputs(cmd, []output{{path: a.out, holds: inspect.KindDataset}}, a.in, a.weights, a.search.Tables); err != nil {
		return err
	}
	var leave func()
	if c.Farm, leave, err = a.farm.dial(cmd.Context()); err != nil {
		return err
	}
	defer leave()
	begin := sync.OnceFunc(func() {
		a.limits.tellDefault(", as the thesis has it; with --nodes or --depth the labels can be reproduced")
	})
	var left []string
	c.Fault = func(err error) { tell("left out for now: " + err.Error()) }
	c.Left = func(row int64, why string) { left = append(left, fmt.Sprintf("row %d, %s", row+1, why)) }
	m := newMeter("labelling", "positions")
	meta, err := sampler.Label(cmd.Context(), g.kit, a.in, a.out, c, func(done, total int64, note string) {
		begin()
		m.update(done, total, note)
	})
	m.finish()
	if err != nil {
		return resumable{err, thisCommand(), a.out + ".journal"}
	}
	if err := sampler.RemoveJournal(a.out); err != nil {
		return err
	}
	fmt.Fprintf(text(cmd), "labels (%s, %s) in %s\n", meta.Limits, meta.Evaluator, a.out)
	fmt.Fprintln(cmd.ErrOrStderr(), m.did())
	if err := value(cmd, labelled{a.out, meta, left}); err != nil {
		return err
	}
	if len(left) > 0 {
		fmt.Fprintf(text(cmd), "left out:\n  %s\n", strings.Join(left, "\n  "))
		return fmt.Errorf("%s has no label of %s, at which the program failed", a.out, wording.Count(int64(len(left)), "position"))
	}
	tryNext(text(cmd), g.afterLabels(meta, a)...)
	return nil
}

// labelled is what label has made, as JSON.
type labelled struct {
	File    string        `json:"file"`
	Meta    datasets.Meta `json:"meta"`
	LeftOut []string      `json:"left_out,omitempty"` // rows at which the program failed
}

// afterLabels are what to run on new labels: a fit of patterns where the game has them,
// or a table of features. Weights are not fitted to what is named a validation set.
func (g gameOf[P]) afterLabels(meta datasets.Meta, a labelArgs) []string {
	out := quoted(a.out)
	if strings.Contains(filepath.Base(a.in)+filepath.Base(a.out), "validation") {
		commands := []string{"inspect " + out}
		if m, err := datasets.ReadManifest(usualLabels); err == nil && g.patternSet() != "" && m.Meta.Game == meta.Game && m.Meta.Rules == meta.Rules {
			commands = append(commands, fitPatterns(usualLabels)+" --validate "+out)
		}
		return commands
	}
	features := fmt.Sprintf("features %s -o %s --set %s", out, unused("features", ".parquet"), g.kit.Sets.Default(meta.Rules))
	if g.patternSet() == "" {
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
