package commands

import (
	"slices"
	"testing"

	"kroo/features"
	"kroo/internal/testkit"
	"kroo/regress"
)

// Every game's usual pattern set is one that it has.
func TestUsualPatternSetsExist(t *testing.T) {
	for _, g := range allGames {
		for _, rules := range g.info().Rules {
			if g.patternSet() == "" {
				continue
			}
			if err := g.checkPatterns(rules, regress.PatternConfig{Set: g.patternSet()}); err != nil {
				t.Errorf("%s, %s: %v", g.info().Name, rules, err)
			}
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
	for _, name := range gameNames() {
		testkit.Contains(t, help, name)
	}
}
