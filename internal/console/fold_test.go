package console

import (
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestFoldedCommandsStayCommands(t *testing.T) {
	got := WrapCommands("  train match --a 'cmd=./other uci' --b x", 24)
	testkit.Equal(t, got, "  train match --a \\\n      'cmd=./other uci' \\\n      --b x", "wrapped")
}

// Folding a line changes only its blanks: an apostrophe is not a quote, and a quote is not broken.
func TestFoldingKeepsApostrophesAndQuotes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"the engine's signature changes with the search",
		"it searches instead of Kroo's engine, or of the game's own evaluation",
		"a games' file, and the players' names",
	} {
		lines := Fold(text, 20, 0, "")
		testkit.Equal(t, strings.Join(lines, " "), text, "folded to %q", lines)
		for _, line := range lines {
			if len(line) > 20 {
				t.Errorf("%q is wider than 20 columns", line)
			}
		}
	}
	lines := Fold("train match --a 'cmd=./new uci' --b='cmd=./old uci' --pairs 5", 24, 4, ` \`)
	testkit.EqualSlices(t, lines, []string{`train match --a \`, `    'cmd=./new uci' \`, `    --b='cmd=./old uci' \`, "    --pairs 5"}, "folded")
}
