package commands

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/revision"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/run/inspect"
	"kroo/sampler"
)

type sampleArgs struct {
	sampler.Config
	rulesFlags
	weightsFlag
	engineFlag
	Out string `name:"output" flag:"output,o" file:"made" help:"dataset to write (.parquet, .arrow or .csv)"`
}

func sampleCommand() *cobra.Command {
	var a sampleArgs
	return newCommand(&cobra.Command{
		Use:   "sample",
		Short: "draw positions to label",
		Long: `Draws positions in which the game is not over and writes them to a dataset.

  uniform  every board equally likely, South to move; in other games than oware,
           random games cut at a random ply, which is not uniform
  pps      probability proportional to size, the number of seeds captured, so
           positions with fewer seeds in play are more likely
  games    self-play of the engine: a few random moves, then searches of
           few nodes with occasional random moves; each position once, its
           mirror image included
  file     positions of games (.ogn), of a table with a column "board" (.csv,
           .parquet, .arrow; see train adopt --help for its labels), or of
           boards, one per line, where # begins a comment (--from)
  mix      several of these, by --shares

With --split, a share of the positions goes to a second file: for games, whole
games. The same seed gives the same files, whatever the number of workers.
` + engineHelp,
		Example: "  train sample --method uniform --n 10000 --seed 1 -o positions.parquet\n" +
			"  train sample --method games --weights weights.json --n 1000000 --split 0.02 -o games.parquet\n" +
			"  train sample --method games --engine 'cmd=./engine uci,option.Hash=16' --n 100000 -o theirs.parquet\n" +
			"  train sample --method mix --shares games=0.8,uniform=0.2 --n 500000 -o mixed.parquet\n" +
			"  train sample --method file --from club.ogn -o club.parquet",
	}, func(j *job) error { return a.game().sample(j, &a) }, &a)
}

func (g gameOf[P]) sample(j *job, a *sampleArgs) error {
	c := a.Config
	if a.From != "" && c.Method != sampler.Mix && !j.given("n") {
		c.N = sampler.MaxN
	}
	if err := asUsage(c.Check()); err != nil {
		return err
	}
	s, err := a.engineFlag.spec(j, a.Weights, &c.Tables)
	if err != nil {
		return err
	}
	if a.Engine != "" && !c.Plays() {
		return usagef("--engine with --method %s: expected games, which the program plays, or a mix with games", c.Method)
	}
	c.Rules, err = a.rules()
	if err != nil {
		return err
	}
	if a.Weights != "" && a.Engine == "" {
		_, err = g.kit.Evaluation(a.Weights, c.Rules)
		if err != nil {
			return err
		}
	}
	outputs := []output{{path: a.Out, kind: inspect.KindDataset, journal: journal.PathOf(a.Out)}}
	if c.Split > 0 {
		outputs = append(outputs, output{path: sampler.ValidationPath(a.Out), kind: inspect.KindDataset})
	}
	c.Made, err = j.claimOutputs(outputs, c.From, a.Weights, c.Tables)
	if err != nil {
		return err
	}
	sum, err := sampler.Sample(j.Context(), g.kit, c, s, a.Out, revision.Get(), j.progress("sampling", "positions"))
	if err != nil && !j.given("game") {
		err = ofAnotherGame(err)
	}
	if err != nil {
		return err
	}
	if err := sampler.RemoveJournal(a.Out); err != nil {
		return err
	}
	if err := j.print(sum, "%s", sampleText(c, g.info(), sum, a.Out)); err != nil {
		return err
	}
	by := ""
	if a.Weights != "" {
		by += " --weights " + quotePath(a.Weights)
	}
	if a.Engine != "" {
		by += " --engine " + quotePath(a.Engine)
	}
	j.next(g.info(), c.Rules, "label %s -o labels.parquet --nodes 10000%s", quotePath(a.Out), by)
	return nil
}

func sampleText(c sampler.Config, info games.Info, sum sampler.Summary, out string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%d %s positions (%s, seed %d) in %s\n", sum.Positions, c.Rules, c.Method, c.Seed, out)
	if sum.BadGames > 0 {
		fmt.Fprintf(&w, "left out: %s that cannot be read, the first of them\n  %s\n",
			wording.Count(sum.BadGames, "game"), strings.Join(sum.FirstBad, "\n  "))
	}
	if sum.Repeated > 0 && c.From != "" && c.Method != sampler.Mix {
		fmt.Fprintf(&w, "left out: %s that repeat an earlier one, or its mirror image\n",
			wording.Count(sum.Repeated, "position"))
	}
	if c.Split > 0 {
		fmt.Fprintf(&w, "%d more in %s\n", sum.Validation, sampler.ValidationPath(out))
	}
	if sum.Games > 0 {
		fmt.Fprintf(&w, "from %s\n", wording.Count(sum.Games, "game"))
	}
	if c.Method == sampler.Uniform && info.Name != oware.Descriptor().Name {
		fmt.Fprintf(&w, "drawn: %s\n", info.Draws)
	}
	return w.String()
}

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

--where labels only some of the rows and leaves the others out.

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
	c.Made, err = j.claimOutputs([]output{{path: a.Out, kind: inspect.KindDataset, journal: journal.PathOf(a.Out)}}, in,
		a.Weights, a.Tables)
	if err != nil {
		return err
	}
	c.Farm, err = j.dial(a.farmFlags)
	if err != nil {
		return err
	}
	var left []string
	c.OnFailure = func(err error) { warn("left out for now: " + err.Error()) }
	c.OnSkipped = func(row int64, why string) { left = append(left, fmt.Sprintf("row %d, %s", row+1, why)) }
	meta, err := sampler.Label(j.Context(), g.kit, in, a.Out, c, j.progress("labelling", "positions"))
	if err != nil {
		return err
	}
	if err := sampler.RemoveJournal(a.Out); err != nil {
		return err
	}
	if err := j.print(struct {
		File    string        `json:"file"`
		Meta    datasets.Meta `json:"meta"`
		LeftOut []string      `json:"left_out,omitempty"` // rows where the program failed
	}{a.Out, meta, left}, "labels (%s, %s) in %s\n", meta.Limits, meta.Evaluator, a.Out); err != nil {
		return err
	}
	j.note("%s\n", j.meter.speed())
	if !j.hasLimit() {
		j.note("each search took %s, as in the thesis; with --nodes or --depth labels are reproducible\n", a.MoveTime)
	}
	if len(left) > 0 {
		fmt.Fprintf(j.text(), "left out:\n  %s\n", strings.Join(left, "\n  "))
		return fmt.Errorf("%s has no label of %s, at which the program failed",
			a.Out, wording.Count(int64(len(left)), "position"))
	}
	if g.kit.Sets.Patterns != nil {
		j.next(g.info(), meta.Rules, "fit %s -o mine.weights --loss chances --ridge 5", quotePath(a.Out))
	} else {
		j.next(g.info(), meta.Rules, "features %s -o features.parquet --set %s", quotePath(a.Out), g.kit.Sets.Default(meta.Rules))
	}
	return nil
}
