package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/games"
	"kroo/games/othello"
)

// gameFlag is --game, one of the games that the command serves.
func gameFlag(cmd *cobra.Command, name *string, served []game) {
	cmd.Flags().StringVar(name, "game", allGames[0].info().Name, games.OrList(namesOf(served)))
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

// gameRulesFlag is --rules of a command that has --game, and --size if it serves
// Othello. The empty rules are the game's default.
func gameRulesFlag(cmd *cobra.Command, rules *string, served []game) {
	cmd.Flags().Var(rulesFlagValue{rules, false}, "rules", "rule set: "+ruleSets(served)+" (default the game's first)")
	if slices.Contains(namesOf(served), othello.Descriptor().Name) {
		cmd.Flags().Var(rulesFlagValue{rules, true}, "size", "8 or 6: the board of othello, as --rules 8x8 or 6x6")
	}
}

// ruleSets lists the rule sets of those games that have several.
func ruleSets(served []game) string {
	var sets []string
	for _, g := range served {
		if i := g.info(); len(i.Rules) > 1 {
			sets = append(sets, games.OrList(i.Rules)+" for "+i.Name)
		}
	}
	return strings.Join(sets, "; ")
}

// rulesFlagValue is --rules, or --size, another way to say which rules of Othello.
type rulesFlagValue struct {
	rules  *string
	bySize bool
}

// String is what help shows as the default.
func (rulesFlagValue) String() string { return "" }

// Type is what help calls the value.
func (v rulesFlagValue) Type() string {
	if v.bySize {
		return "int"
	}
	return "string"
}

// Set reads the flag.
func (v rulesFlagValue) Set(text string) error {
	if *v.rules != "" {
		return errors.New("expected one of --rules and --size, once")
	}
	if *v.rules = text; !v.bySize {
		return nil
	}
	*v.rules = text + "x" + text
	if _, err := othello.ParseRules(*v.rules); err != nil {
		return errors.New("expected 8 or 6")
	}
	return nil
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
