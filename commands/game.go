package commands

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/games"
)

// gameFlag is --game.
func gameFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "game", allGames[0].info().Name, games.OrList(gameNames()))
}

// recordedGameFlag is --game of a command that reads records.
func recordedGameFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "game", "", games.OrList(gameNames())+" (default the game of the records)")
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

// gameRulesFlag is --rules of a command that has --game, and --size for a game with boards
// of several sizes. The empty rules are the game's default.
func gameRulesFlag(cmd *cobra.Command, rules *string) {
	cmd.Flags().Var(rulesFlagValue{rules: rules}, "rules", "rule set: "+ruleSets()+" (default the game's first)")
	for _, g := range allGames {
		if i := g.info(); i.Sizes != nil {
			cmd.Flags().Var(rulesFlagValue{rules, i.Sizes, i.Rules}, "size", games.OrList(i.Sizes)+": the board of "+i.Name+", as --rules "+games.OrList(i.Rules))
		}
	}
}

// ruleSets lists the rule sets of the games that have several.
func ruleSets() string {
	var sets []string
	for _, g := range allGames {
		if i := g.info(); len(i.Rules) > 1 {
			sets = append(sets, games.OrList(i.Rules)+" for "+i.Name)
		}
	}
	return strings.Join(sets, "; ")
}

// rulesFlagValue is --rules, or --size, another way to say which rules: those of one of
// the sizes.
type rulesFlagValue struct {
	rules       *string
	sizes, them []string
}

// String is what was given; help shows none as the default.
func (v rulesFlagValue) String() string {
	if v.rules == nil {
		return ""
	}
	return *v.rules
}

// Type is what help calls the value.
func (v rulesFlagValue) Type() string {
	if v.sizes != nil {
		return "int"
	}
	return "string"
}

// Set reads the flag.
func (v rulesFlagValue) Set(text string) error {
	if *v.rules != "" {
		return errors.New("expected one of --rules and --size, once")
	}
	if *v.rules = text; v.sizes == nil {
		return nil
	}
	i := slices.Index(v.sizes, text)
	if i < 0 {
		return fmt.Errorf("expected %s", games.OrList(v.sizes))
	}
	*v.rules = v.them[i]
	return nil
}

// weightsFlag is --weights, the evaluation of the engine.
func weightsFlag(cmd *cobra.Command, weights *string) {
	cmd.Flags().StringVar(weights, "weights", "", "evaluation: by name, or a weights file (default the game's own; in oware default, or captures where the rules have no trained weights)")
}

// bookFlag is --book of the commands that play.
func bookFlag(cmd *cobra.Command, book *string) {
	cmd.Flags().StringVar(book, "book", "", "opening book the engine plays from: a file, or none (default the program's own)")
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
