package engine

import (
	"testing"

	"kroo/engine/search"
	"kroo/internal/testkit"
)

// Every game has its default set of features for each of its rules, and its default set of patterns, if
// it has patterns.
func TestDefaultSetsExist(t *testing.T) {
	checkDefaultSets(t, Oware())
	checkDefaultSets(t, TicTacToe())
	checkDefaultSets(t, Othello())
	checkDefaultSets(t, Chess())
	testkit.Equal(t, Othello().Sets.Default("6x6"), "squares6", "the set of the small board")
}

func checkDefaultSets[P search.Position[P]](t *testing.T, kit Kit[P]) {
	t.Helper()
	for _, rules := range kit.Game.Rules {
		_, err := kit.Sets.ByName(kit.Sets.Default(rules))
		testkit.NoError(t, err)
	}
	if patterns := kit.Sets.Patterns; patterns != nil {
		_, err := patterns.Parse(patterns.DefaultSet)
		testkit.NoError(t, err)
	}
}
