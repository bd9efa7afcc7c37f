package commands

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/revision"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/run/inspect"
	"kroo/sampler"
)

// sampleArgs are what the flags of sample say.
type sampleArgs struct {
	sampler.Config
	game, weights, out string
	engine             engineFlag
}

func sampleCommand() *cobra.Command {
	var a sampleArgs
	cmd := &cobra.Command{
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
  book     positions of an opening book (--from)
  file     positions of games (.ogn), of a table with a column "board" (.csv,
           .parquet, .arrow; with "label", in points, or "score", in hundredths
           of a seed, the dataset is one of labels: see train adopt --help), or
           of boards, one per line (--from)
  mix      several of these, by --shares

With --split, a share of the positions goes to a second file: for games, whole
games. The same seed gives the same files, whatever the number of workers.`,
		Example: "  train sample --method uniform --n 10000 --seed 1 -o positions.parquet\n" +
			"  train sample --method games --weights weights.json --n 1000000 --split 0.02 -o games.parquet\n" +
			"  train sample --method games --engine 'cmd=./engine uci,option.Hash=16' --n 100000 -o theirs.parquet\n" +
			"  train sample --method mix --shares games=0.8,uniform=0.2 --n 500000 -o mixed.parquet\n" +
			"  train sample --method file --from club.ogn -o club.parquet",
		Args: exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd) },
	}
	a.add(cmd)
	jsonFlag(cmd, new(bool))
	return cmd
}

func (a *sampleArgs) run(cmd *cobra.Command) error {
	if err := needOut(a.out); err != nil {
		return err
	}
	if a.From != "" && a.Method != sampler.Mix && !cmd.Flags().Changed("n") {
		a.N = sampler.MaxN
	}
	if err := a.Check(); err != nil {
		return usageError{err}
	}
	if err := a.engine.take(cmd, "weights", "hash"); err != nil {
		return err
	}
	if a.engine.text != "" && !a.Plays() {
		return usagef("--engine with --method %s: expected games, which the program plays, or a mix with games", a.Method)
	}
	a.engine.tables(cmd, &a.Tables)
	err := onGame(a.game, func(g game) error { return g.sample(cmd, *a) })
	if err != nil && datasets.IsTable(a.From) && !cmd.Flags().Changed("game") {
		err = ofAnotherGame(cmd.Context(), err, a.From, "")
	}
	return err
}

func (a *sampleArgs) add(cmd *cobra.Command) {
	spec.Default(&a.Config)
	spec.Flags(cmd.Flags(), &a.Config)
	gameFlag(cmd, &a.game)
	gameRulesFlag(cmd, &a.Config.Rules)
	weightsFlag(cmd, &a.weights)
	a.engine.add(cmd)
	outFlag(cmd, &a.out, "dataset to write (.parquet, .arrow or .csv)")
}

func (g gameOf[P]) sample(cmd *cobra.Command, a sampleArgs) error {
	rules, err := rulesOf(g.info(), a.Config.Rules)
	if err != nil {
		return err
	}
	a.Config.Rules = rules
	table := datasets.Foreign{Score: a.ScoreColumn, Unit: a.ScoreUnit, View: a.ScoreView, Result: a.ResultColumn}
	if err := table.Check(g.info()); err != nil {
		return usageError{err}
	}
	if a.weights != "" && a.engine.text == "" {
		if _, err = g.kit.Evaluation(a.weights, rules); err != nil {
			return err
		}
	}
	outputs := []output{{path: a.out, holds: inspect.KindDataset}}
	if a.Split > 0 {
		outputs = append(outputs, output{path: sampler.ValidationPath(a.out), holds: inspect.KindDataset})
	}
	if a.Made, err = takeOutputs(cmd, outputs, a.From, a.weights, a.Tables); err != nil {
		return err
	}
	update, finish := progress("sampling", "positions")
	sum, err := sampler.Sample(cmd.Context(), g.kit, a.Config, engine.Spec{Weights: a.weights, Program: a.engine.program}, a.out, revision.Get(), update)
	finish()
	if err != nil {
		return resumable{err, thisCommand(), a.out + ".journal"}
	}
	if err := sampler.RemoveJournal(a.out); err != nil {
		return err
	}
	a.tell(text(cmd), g.info(), sum)
	return value(cmd, sum)
}

func (a sampleArgs) tell(w io.Writer, info games.Info, sum sampler.Summary) {
	what := "positions"
	if sum.Labelled {
		what = "labels"
	}
	fmt.Fprintf(w, "%d %s %s (%s, seed %d) in %s\n", sum.Positions, a.Config.Rules, what, a.Method, a.Seed, a.out)
	if sum.BadGames > 0 {
		fmt.Fprintf(w, "left out: %s that cannot be read, the first of them\n  %s\n", wording.Count(sum.BadGames, "game"), strings.Join(sum.FirstBad, "\n  "))
	}
	if sum.Gathered > 0 {
		fmt.Fprintf(w, "noted: %s whose last move counts what its side gathers at the end\n", wording.Count(sum.Gathered, "game"))
	}
	if sum.Repeated > 0 && a.From != "" && a.Method != sampler.Mix {
		fmt.Fprintf(w, "left out: %s that repeat an earlier one, or its mirror image\n", wording.Count(sum.Repeated, "position"))
	}
	if sum.Clamped > 0 {
		tellStrays(w, datasets.Strays{Clamped: sum.Clamped}, "")
	}
	if a.Split > 0 {
		fmt.Fprintf(w, "%d more in %s\n", sum.Validation, sampler.ValidationPath(a.out))
	}
	if sum.Games > 0 {
		fmt.Fprintf(w, "from %s\n", wording.Count(sum.Games, "game"))
	}
	switch {
	case a.Method != sampler.Uniform:
	case a.game != oware.Descriptor().Name:
		fmt.Fprintf(w, "drawn: %s\n", info.Draws)
	default:
		fmt.Fprintf(w, "boards: %d in all, %d in Sala Soler 2014, %d with no store of one seed\n",
			int64(sampler.AllBoards), int64(sampler.ThesisBoards), int64(sampler.ReachableBoards))
	}
	tryNext(w, a.next(sum.Labelled)...)
}

// next are what to run on the sample, and on the validation set if there is one.
func (a sampleArgs) next(labelled bool) (commands []string) {
	validation := quoted(sampler.ValidationPath(a.out))
	if labelled {
		fit := fitPatterns(quoted(a.out))
		if a.Split > 0 {
			fit += " --validate " + validation
		}
		return []string{fit}
	}
	commands = []string{fmt.Sprintf("label %s -o %s --nodes 10000", quoted(a.out), unused("labels", ".parquet"))}
	if a.Split > 0 {
		commands = append(commands, fmt.Sprintf("label %s -o %s --nodes 10000", validation, unused("labels-validation", ".parquet")))
	}
	return commands
}
