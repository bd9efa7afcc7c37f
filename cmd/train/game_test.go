package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kroo/features"
)

func TestGameThatACommandDoesNotServe(t *testing.T) {
	few := gamesWith(game.counted)
	for _, name := range []string{"oware", "tictactoe"} {
		if g, err := gameNamed(name, few); err != nil || g.info().Name != name {
			t.Errorf("%s: error %v, want the game", name, err)
		}
	}
	for name, want := range map[string]string{
		"chess": "chess is a game that this command does not serve: expected oware or tictactoe",
		"go":    `--game is "go": expected oware or tictactoe`,
	} {
		_, err := gameNamed(name, few)
		var usage usageError
		if !errors.As(err, &usage) || err.Error() != want {
			t.Errorf("%s: error %v, want the wrong use %q", name, err, want)
		}
	}
}

// Every game's default sets are sets that it has.
func TestDefaultSetsExist(t *testing.T) {
	for _, g := range allGames {
		for _, rules := range g.info().Rules {
			has := func(s features.Info) bool { return s.Name == g.defaultSet(rules) }
			if !slices.ContainsFunc(g.featureSets(), has) || rules == "6x6" && g.defaultSet(rules) != "squares6" {
				t.Errorf("%s, %s: no set %s, or another one", g.info().Name, rules, g.defaultSet(rules))
			}
		}
	}
}

func TestEveryGameStandsInTheHelp(t *testing.T) {
	help := good(t, t.TempDir(), "perft", "--help")
	for _, name := range namesOf(allGames) {
		if !strings.Contains(help, name) {
			t.Errorf("help does not name %s:\n%s", name, help)
		}
	}
}
