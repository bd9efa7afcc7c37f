package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/games"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
)

// known is what there is to say about each game of the program. Help and messages
// take the names of the games from here.
var known = perGame[games.Info]{
	oware:     oware.Descriptor().Info,
	tictactoe: tictactoe.Descriptor().Info,
	othello:   othello.Descriptor().Info,
	chess:     chess.Descriptor().Info,
}

// perGame holds what a command does, once for each game it works for. A game that is
// left out, the zero value, the command does not serve.
type perGame[F any] struct{ oware, tictactoe, othello, chess F }

// choice is what to do for a game.
type choice[F any] struct {
	name string
	do   F
}

// served are the games that the command works for, in the order of messages.
func (g perGame[F]) served() []choice[F] {
	all := []choice[F]{
		{oware.Descriptor().Name, g.oware}, {tictactoe.Descriptor().Name, g.tictactoe},
		{othello.Descriptor().Name, g.othello}, {chess.Descriptor().Name, g.chess},
	}
	return slices.DeleteFunc(all, func(c choice[F]) bool { return reflect.ValueOf(&c.do).Elem().IsZero() })
}

// names lists the games that the command works for.
func (g perGame[F]) names() (names []string) {
	for _, c := range g.served() {
		names = append(names, c.name)
	}
	return names
}

// of finds what to do for the game of the --game flag, or of a file.
func (g perGame[F]) of(name string) (F, error) {
	for _, c := range g.served() {
		if c.name == name {
			return c.do, nil
		}
	}
	var none F
	if slices.Contains(known.names(), name) {
		return none, usagef("%s is a game that this command does not serve: expected %s", name, games.OrList(g.names()))
	}
	return none, usagef("--game is %q: expected %s", name, games.OrList(g.names()))
}

// inGame does what a command does, for the game of the --game flag.
func inGame(name string, do perGame[func() error]) error {
	f, err := do.of(name)
	if err != nil {
		return err
	}
	return f()
}

// gameFlag is --game, one of the games that the command serves.
func gameFlag(cmd *cobra.Command, game *string, served []string) {
	cmd.Flags().StringVar(game, "game", oware.Descriptor().Name, games.OrList(served))
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
func gameRulesFlag(cmd *cobra.Command, rules *string, served []string) {
	cmd.Flags().Var(rulesFlagValue{rules, false}, "rules", "rule set: "+ruleSets(served)+" (default the game's first)")
	if slices.Contains(served, othello.Descriptor().Name) {
		cmd.Flags().Var(rulesFlagValue{rules, true}, "size", "8 or 6: the board of othello, as --rules 8x8 or 6x6")
	}
}

// ruleSets lists the rule sets of those games that have several.
func ruleSets(served []string) string {
	var sets []string
	for _, c := range known.served() {
		if len(c.do.Rules) > 1 && slices.Contains(served, c.name) {
			sets = append(sets, games.OrList(c.do.Rules)+" for "+c.name)
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
