package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/analysis"
	"kroo/internal/journal"
	"kroo/run/inspect"
)

type analyseArgs struct {
	engine.Config
	recordedGameFlag
	strictFlag
	weightsFlag
	bookFlag
	workersFlag
	engineFlag
	Out string `name:"output" flag:"output,o" file:"out" help:"file for the games with comments (OGN)"`
}

// analyseNodes is the default limit of each search.
const analyseNodes = 50_000

func analyseCommand() *cobra.Command {
	a := analyseArgs{Config: engine.Config{HashMB: 64, Nodes: analyseNodes}}
	return newCommand(&cobra.Command{
		Use:     "analyse GAMES.ogn",
		Aliases: []string{"analyze"},
		Short:   "grade the moves of recorded games",
		Long: `Searches every position of the games and prints for each move its chance (of a win,
plus half that of a draw), the best move with its chance, and the loss. Moves that
lose 5 percentage points or more are marked as inaccuracies (?!), 10 as mistakes (?),
15 as blunders (??), if a search of four times the limits agrees. Book moves are
marked, too. At the end it lists for each side its accuracy, mean loss, counts and
worst three moves. Weights without a calibration use the one of the program's own weights.
Without any, as with another program, scores replace chances; marks
then begin at losses of 0.5, 1.5 and 4 seeds.

Several games are analysed at a time; with limits by nodes or depth the results do not
depend on how many. Ctrl-C prints the games that are finished.

-o writes the games again with the findings in their comments. If it is stopped, the
same command resumes.
` + engineHelp,
		Example: "  train analyse match.ogn\n" +
			"  train analyse my-game.ogn --nodes 200000 --book default -o annotated.ogn\n" +
			"  train analyse match.ogn --engine 'cmd=./engine uci' --movetime 1s\n" +
			"  train analyse match.ogn --json",
	}, func(j *job) error {
		g, err := a.gameOf(j.args[0])
		if err != nil {
			return err
		}
		return g.analyse(j, &a)
	}, &a)
}

func (g gameOf[P]) analyse(j *job, a *analyseArgs) error {
	path := j.args[0]
	s, err := a.engineFlag.searcher(j, a.Weights, &a.Config)
	if err != nil {
		return err
	}
	s.Book, s.OwnBook = a.Book, true
	c := analysis.Config{Spec: s, Workers: a.Workers}
	if a.Out != "" {
		c.Journal = journal.PathOf(a.Out)
	}
	by, err := j.claimOutputs([]output{{path: a.Out, kind: inspect.KindGames, journal: c.Journal}},
		slices.Concat([]string{path, a.Weights, a.Book, a.Tables}, programFiles(s))...)
	if err != nil {
		return err
	}
	records, err := readTrees(j, g.kit.Game, path, a.Strict)
	if err != nil {
		return err
	}
	found, err := analysis.Games(j.Context(), g.kit, records, c, j.progress("analyse", "moves"))
	j.endMeter(err == nil)
	if a.Out != "" {
		if err != nil {
			return err
		}
		if err := analysis.Write(a.Out, g.kit.Game, records, found, by); err != nil {
			return err
		}
	}
	var text strings.Builder
	all := analysis.Found(g.info().Sides, records, found)
	for i, one := range all {
		if i > 0 {
			fmt.Fprintln(&text)
		}
		text.WriteString(one.Doc(g.info()).Text(""))
	}
	if len(all) > 0 {
		if err := j.print(all, "%s", text.String()); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return journal.Remove(c.Journal)
}
