package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kroo/analysis"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/inspect"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/plural"
)

// analyseFlags are those of the command analyse.
type analyseFlags struct {
	limit               searchFlags
	game, weights, book string
	out                 string
	asJSON              bool
	workers             int
}

func analyseCommand() *cobra.Command {
	var f analyseFlags
	cmd := &cobra.Command{
		Use:     "analyse GAMES.ogn",
		Aliases: []string{"analyze"},
		Short:   "say what every move of recorded games was worth",
		Long: `Searches every position of the games and prints for each move its score for the
side that made it, the best move with its score, and the loss between them, in
seeds. Moves that lose half a seed are marked as inaccuracies (?!), a seed and a
half as mistakes (?), four seeds or the game as blunders (??); the moves of the
book as such. Several games are analysed at a time; with limits by nodes or depth
the findings do not depend on how many. Ctrl-C ends it and prints what was found.

-o writes the games again with the findings in their comments. If it is stopped, the
same command goes on.`,
		Example: "  train analyse match.ogn\n  train analyse my-game.ogn --nodes 200000 --book default -o annotated.ogn\n  train analyse match.ogn --json",
		Args:    exactArgs(1, "a file of games"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inGame(f.game, perGame[func() error]{
				oware:     func() error { return analyseWith(cmd, engine.Oware(), f, args[0]) },
				tictactoe: func() error { return analyseWith(cmd, engine.TicTacToe(), f, args[0]) },
				othello:   func() error { return analyseWith(cmd, engine.Othello(), f, args[0]) },
				chess:     func() error { return analyseWith(cmd, engine.Chess(), f, args[0]) },
			})
		},
	}
	f.limit.add(cmd, 64)
	gameFlag(cmd, &f.game, known.names())
	weightsFlag(cmd, &f.weights)
	bookFlag(cmd, &f.book)
	workersFlag(cmd, &f.workers)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print as JSON")
	outFlag(cmd, &f.out, "file for the games with comments (OGN)")
	return cmd
}

// analysedGame is a game as --json prints it.
type analysedGame struct {
	Number int               `json:"game"` // from 1
	Tags   map[string]string `json:"tags"`
	Result string            `json:"result"`
	Moves  []analysis.Move   `json:"moves"`
}

func analyseWith[P search.Position[P]](cmd *cobra.Command, k engine.Kit[P], f analyseFlags, path string) error {
	if err := checkOutputs(cmd, []output{{f.out, inspect.KindGames}}, path, f.weights, f.book); err != nil {
		return err
	}
	if err := workersInRange(f.workers); err != nil {
		return err
	}
	c := analysis.Config{Weights: f.weights, Book: f.book, Workers: f.workers}
	var err error
	if c.Search, err = f.limit.config(engine.Config{Nodes: 50_000}); err != nil {
		return err
	}
	records, err := readGames(k.Game, path)
	if err != nil {
		return err
	}
	if f.out != "" {
		c.Journal = f.out + ".journal"
	}
	update, finish := progress("analyse", "moves")
	found, err := analysis.Games(cmd.Context(), k, records, c, update)
	finish()
	if err == nil && f.out != "" {
		err = writeAnalysed(f.out, k.Game, records, found)
	}
	if err != nil && f.out != "" {
		return resumable{err, thisCommand(), c.Journal}
	}
	if found == nil {
		return err
	}
	return errors.Join(err, f.print(cmd, k.Game.Info, analysedGames(records, found)), journal.Remove(c.Journal))
}

// analysedGames are the games that are analysed: all, unless the command was stopped.
func analysedGames[P games.Position[P]](records []games.Record[P], found [][]analysis.Move) []analysedGame {
	list := []analysedGame{}
	for i, moves := range found {
		if moves == nil {
			continue
		}
		g := analysedGame{Number: i + 1, Tags: map[string]string{}, Result: records[i].Result, Moves: moves}
		for _, t := range records[i].Tags {
			g.Tags[t.Name] = t.Value
		}
		list = append(list, g)
	}
	return list
}

func (f analyseFlags) print(cmd *cobra.Command, info games.Info, found []analysedGame) error {
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), found)
	}
	for i, g := range found {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		printAnalysed(cmd.OutOrStdout(), info, g)
	}
	return nil
}

func writeAnalysed[P search.Position[P]](path string, g *games.Game[P], records []games.Record[P], found [][]analysis.Move) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		for i, rec := range records {
			if err := g.WriteRecord(w, analysis.Annotate(rec, found[i])); err != nil {
				return err
			}
		}
		return nil
	})
}

// signs are how marks are written behind a move.
var signs = map[analysis.Mark]string{analysis.Inaccuracy: "?!", analysis.Mistake: "?", analysis.Blunder: "??"}

// printAnalysed prints a table of the moves, and what each side lost.
func printAnalysed(w io.Writer, info games.Info, g analysedGame) {
	fmt.Fprintf(w, "game %d", g.Number)
	for _, side := range info.Sides {
		if name := g.Tags[side]; name != "" {
			fmt.Fprintf(w, ", %s %s", side, name)
		}
	}
	fmt.Fprintf(w, ", result %s\n\n  ply  side   move   score  best   score   loss\n", g.Result)
	for _, m := range g.Moves {
		best, bestScore, loss := "", "", ""
		if m.Best != m.Name {
			best, bestScore, loss = m.Best, analysis.Score(m.BestScore), lossText(m)
		}
		note := string(m.Mark)
		if m.Book {
			note = strings.TrimSpace("book " + note)
		}
		line := fmt.Sprintf("  %3d  %-5s  %-4s  %6s  %-4s  %6s  %5s  %s", m.Ply, m.Side, m.Name+signs[m.Mark], analysis.Score(m.Score), best, bestScore, loss, note)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	fmt.Fprintln(w)
	for _, side := range info.Sides {
		fmt.Fprintf(w, "%s: %s\n", side, lossesOf(g.Moves, side, info.Unit))
	}
}

// lossText is a loss in units, nothing where a score has none.
func lossText(m analysis.Move) string {
	if search.Proven(m.Score) || search.Proven(m.BestScore) {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(m.Loss)/100)
}

// lossesOf sums up the moves of a side.
func lossesOf(moves []analysis.Move, side, unit string) string {
	marks := map[analysis.Mark]int{}
	n, counted, loss := 0, 0, 0
	for _, m := range moves {
		if m.Side != side {
			continue
		}
		n++
		marks[m.Mark]++
		if !search.Proven(m.Score) && !search.Proven(m.BestScore) {
			counted++
			loss += m.Loss
		}
	}
	return fmt.Sprintf("%s, %.2f %ss lost a move; inaccuracies %d, mistakes %d, blunders %d",
		plural.Of(n, "move"), float64(loss)/100/float64(max(counted, 1)), unit, marks[analysis.Inaccuracy], marks[analysis.Mistake], marks[analysis.Blunder])
}
