package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
)

// perGame holds what a command does, once for each game it works for.
type perGame[F any] struct{ oware, tictactoe F }

// of finds what to do for the game of the --game flag.
func (g perGame[F]) of(name string) (F, error) {
	switch name {
	case oware.Descriptor().Name:
		return g.oware, nil
	case tictactoe.Descriptor().Name:
		return g.tictactoe, nil
	}
	var none F
	return none, usagef("--game is %q: expected oware or tictactoe", name)
}

// inGame does what a command does, for the game of the --game flag.
func inGame(name string, do perGame[func() error]) error {
	f, err := do.of(name)
	if err != nil {
		return err
	}
	return f()
}

// gameFlag is --game. The empty rules of --rules are the game's default.
func gameFlag(cmd *cobra.Command, game *string) {
	cmd.Flags().StringVar(game, "game", oware.Descriptor().Name, "oware or tictactoe")
}

// ofGame refuses a dataset of another game than --game asks for, if it is given.
func ofGame(cmd *cobra.Command, path, game string) error {
	if !cmd.Flags().Changed("game") {
		return nil
	}
	m, err := datasets.ReadManifest(path)
	if err == nil && m.Meta.Game != game {
		err = fmt.Errorf("%s holds %s: expected %s, the game of --game", path, m.Meta.Game, game)
	}
	return err
}

// rulesOf reads the --rules flag for a game: "" is its default.
func rulesOf(info games.Info, rules string) (string, error) {
	if rules == "" {
		return info.Rules[0], nil
	}
	if err := info.CheckRules(rules); err != nil {
		return "", usageError{err}
	}
	return rules, nil
}

// gameRulesFlag is --rules of a command that has --game.
func gameRulesFlag(cmd *cobra.Command, rules *string) {
	cmd.Flags().StringVar(rules, "rules", "", "rule set: abapa, awari or simple for oware (default the game's first)")
}

// weightsFlag is --weights, the evaluation of the engine.
func weightsFlag(cmd *cobra.Command, weights *string) {
	cmd.Flags().StringVar(weights, "weights", "", "evaluation: by name, or a weights file (default the game's own; in oware default, or captures where the rules have no trained weights)")
}

// bookFlag is --book of the commands that play.
func bookFlag(cmd *cobra.Command, book *string) {
	cmd.Flags().StringVar(book, "book", "", "opening book the engine plays from: a file, or default for the program's own (default none)")
}

// positionOf reads --position, for a game under rules; no board is the start.
func positionOf[P games.Position[P]](g *games.Game[P], rules, board string) (P, error) {
	if board == "" {
		return g.Start(rules)
	}
	p, err := g.Parse(rules, board)
	if err != nil {
		return p, usagef("--position: %v", err)
	}
	return p, nil
}
