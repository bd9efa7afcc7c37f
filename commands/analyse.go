package commands

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/analysis"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/run/inspect"
)

// analyseFlags are those of the command analyse.
type analyseFlags struct {
	limit               searchFlags
	game, weights, book string
	out                 string
	asJSON, strict      bool
	workers             int
	engine              engineFlag
}

// analyseNodes limits the search of each position, unless other limits are given.
const analyseNodes = 50_000

func analyseCommand() *cobra.Command {
	var f analyseFlags
	cmd := &cobra.Command{
		Use:     "analyse GAMES.ogn",
		Aliases: []string{"analyze"},
		Short:   "grade the moves of recorded games",
		Long: `Searches every position of the games and prints for each move its chance (that of a
win and half that of a draw), the best move with its chance, and what was lost. Moves
that lose 5 percentage points or more are marked as inaccuracies (?!), 10 as mistakes
(?), 15 as blunders (??), if a search of four times the limits agrees; moves of the
book as such. At the end it lists for each side its accuracy, mean loss, counts and
worst three moves. Weights without a calibration give scores, with marks from 0.5,
1.5 and 4 on.

Several games are analysed at a time; with limits by nodes or depth the results do not
depend on how many. Ctrl-C prints the games that are finished.

-o writes the games again with the findings in their comments. If it is stopped, the
same command resumes.`,
		Example: "  train analyse match.ogn\n  train analyse my-game.ogn --nodes 200000 --book default -o annotated.ogn\n  train analyse match.ogn --engine 'cmd=./engine uci' --movetime 1s\n  train analyse match.ogn --json",
		Args:    exactArgs(1, "a file of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.engine.take(cmd, "weights", "hash"); err != nil {
				return err
			}
			f.engine.tables(cmd, &f.limit.given.Tables)
			g, err := gameOfRecords(f.game, args[0])
			if err != nil {
				return err
			}
			return g.analyse(cmd, f, args[0])
		},
	}
	f.limit.add(cmd, 64, engine.Config{Nodes: analyseNodes})
	recordedGameFlag(cmd, &f.game)
	strictFlag(cmd, &f.strict)
	weightsFlag(cmd, &f.weights)
	bookFlag(cmd, &f.book)
	workersFlag(cmd, &f.workers)
	f.engine.add(cmd)
	jsonFlag(cmd, &f.asJSON)
	outFlag(cmd, &f.out, "file for the games with comments (OGN)")
	return cmd
}

func (g gameOf[P]) analyse(cmd *cobra.Command, f analyseFlags, path string) error {
	made, err := takeOutputs(cmd, []output{{path: f.out, holds: inspect.KindGames}}, path, f.weights, f.book)
	if err != nil {
		return err
	}
	c := analysis.Config{Spec: engine.Spec{Weights: f.weights, Book: f.book, OwnBook: true, Program: f.engine.program}, Workers: f.workers}
	if c.Search, err = f.limit.config(); err != nil {
		return err
	}
	records, err := readTrees(cmd, g.kit.Game, path, f.strict)
	if err != nil {
		return err
	}
	if f.out != "" {
		c.Journal = f.out + ".journal"
	}
	update, finish := progress("analyse", "moves")
	found, err := analysis.Games(cmd.Context(), g.kit, records, c, update)
	finish()
	if err == nil && f.out != "" {
		err = analysis.Write(f.out, g.kit.Game, records, found, made)
	}
	if err != nil && f.out != "" {
		return resumable{err, thisCommand(), c.Journal}
	}
	if found == nil {
		return err
	}
	return errors.Join(err, f.print(cmd, g.info(), analysis.Found(g.info().Sides, records, found)), journal.Remove(c.Journal))
}

func (f analyseFlags) print(cmd *cobra.Command, info games.Info, found []analysis.Analysed) error {
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), found)
	}
	for i, g := range found {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		g.Print(cmd.OutOrStdout(), info)
	}
	return nil
}
