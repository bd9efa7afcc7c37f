package main

import (
	"github.com/spf13/cobra"

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

// gameFlag is --game. The empty rules of --rules are the game's default.
func gameFlag(cmd *cobra.Command, game *string) {
	cmd.Flags().StringVar(game, "game", oware.Descriptor().Name, "oware or tictactoe")
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
