package commands

import (
	"fmt"
	"strings"
	"testing"

	"kroo/internal/testkit"
	"kroo/regress"
)

// checkSets refuses a usual set of patterns, or a default set, that the game does not have.
func (g gameOf[P]) checkSets(rules string) error {
	if usual := g.kit.Patterns.DefaultSet; usual != "" {
		if err := regress.CheckPatterns(g.kit.Patterns, rules, regress.PatternConfig{Set: usual}); err != nil {
			return err
		}
	}
	usual := g.kit.Sets.Default(rules)
	if _, err := g.kit.Sets.ByName(usual); err != nil || rules == "6x6" && usual != "squares6" {
		return fmt.Errorf("default set %s: %w", usual, err)
	}
	return nil
}

// Every game has its usual pattern set and its default sets.
func TestUsualSetsExist(t *testing.T) {
	for _, g := range allGames {
		for _, rules := range g.info().Rules {
			testkit.NoError(t, g.(interface{ checkSets(string) error }).checkSets(rules))
		}
	}
}

func TestEveryGameStandsInTheHelp(t *testing.T) {
	help := good(t, t.TempDir(), "perft", "--help")
	for _, name := range gameNames() {
		testkit.Contains(t, help, name)
	}
}

// printNoResults are the commands without --json, and why.
var printNoResults = map[string]string{
	"uci": "speaks UCI", "cg": "speaks CodinGame's protocol", "serve": "serves pages", "play": "is a game in the terminal",
	"book dump": "writes a book in a format of its own", "weights export": "writes weights in a format of its own",
	"completion": "prints a script of a shell", "help": "prints help",
}

func TestEveryCommandPrintsJSON(t *testing.T) {
	root := newRoot()
	match, _, err := root.Find([]string{"match"}) // has commands below it
	testkit.NoError(t, err)
	for _, cmd := range append(runnable(root), match) {
		_, path, _ := strings.Cut(cmd.CommandPath(), " ")
		why, none := printNoResults[path]
		if there := cmd.Flags().Lookup("json") != nil; there == none {
			t.Errorf("%s: --json is there: %v; the command %s", path, there, why)
		}
	}
}
