package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/journal"
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
	c, s, err := g.sampling(j, a)
	if err != nil {
		return err
	}
	outputs := []output{{path: a.Out, kind: inspect.KindDataset, journal: journal.PathOf(a.Out)}}
	if c.Split > 0 {
		outputs = append(outputs, output{path: sampler.ValidationPath(a.Out), kind: inspect.KindDataset})
	}
	c.Made, err = j.claimOutputs(outputs, slices.Concat([]string{c.From, a.Weights, c.Tables}, programFiles(s))...)
	if err != nil {
		return err
	}
	sum, err := sampler.Sample(j.Context(), g.kit, c, s, a.Out, j.progress("sampling", "positions"))
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
	j.next(g.info(), c.Rules, "label %s -o labels.parquet --nodes 10000%s", quotePath(a.Out), a.searcherFlags())
	return nil
}

// sampling returns the configuration of a sample and the engine that plays its games.
func (g gameOf[P]) sampling(j *job, a *sampleArgs) (c sampler.Config, s engine.Spec, err error) {
	c = a.Config
	if a.From != "" && c.Method != sampler.Mix && !j.given("n") {
		c.N = sampler.MaxN
	}
	if err := asUsage(c.Check()); err != nil {
		return c, s, err
	}
	if err := j.onlyForMethod(c); err != nil {
		return c, s, err
	}
	s, err = a.engineFlag.spec(j, a.Weights, &c.Tables)
	if err != nil {
		return c, s, err
	}
	if a.Engine != "" && !c.Plays() {
		return c, s, usagef("--engine with --method %s: expected games, which the program plays, or a mix with games", c.Method)
	}
	c.Rules, err = a.rules()
	if err != nil {
		return c, s, err
	}
	if a.Weights != "" && a.Engine == "" {
		_, err = g.kit.Evaluation(a.Weights, c.Rules)
	}
	return c, s, err
}

// searcherFlags returns the flags that make label search with the player of the sample's games.
func (a *sampleArgs) searcherFlags() (flags string) {
	if a.Weights != "" {
		flags += " --weights " + quotePath(a.Weights)
	}
	if a.Engine != "" {
		flags += " --engine " + quotePath(a.Engine)
	}
	return flags
}

// onlyForMethod refuses flags that the method does not use.
func (j *job) onlyForMethod(c sampler.Config) error {
	var unused []string
	if !c.Plays() {
		unused = append(unused, "weights", "nodes", "depth", "movetime", "hash", "tables", "opening-plies", "random-moves", "every")
	}
	if !c.Plays() && !games.IsRecords(c.From) {
		unused = append(unused, "min-phase")
	}
	if c.From == "" {
		unused = append(unused, "strict")
	}
	if c.Method != sampler.Mix {
		unused = append(unused, "shares")
	}
	if !slices.Contains([]string{sampler.Uniform, sampler.PPS, sampler.Mix}, c.Method) {
		unused = append(unused, "population")
	}
	return j.notWith("--method "+c.Method, unused...)
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
