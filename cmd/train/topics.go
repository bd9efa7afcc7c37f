package main

import (
	"github.com/spf13/cobra"

	"kroo/match"
)

// helpTopics are the small languages of flags and operands, which `train help TOPIC` explains: each a
// command that does nothing.
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "players", Short: "how players of matches, and other programs, are written", Long: match.PlayerHelp},
		{Use: "sets", Short: "how sets of features are written", Long: setHelp},
		{Use: "filters", Short: "how rows of datasets are chosen", Long: filterHelp},
	}
}

const setHelp = `A set of features is one of two kinds; ` + "`train features --list`" + ` shows those of a game.

An antisymmetric set goes by its name, such as thesis or squares: what something
is worth for the side to move, less what it is worth for the other.
` + "`train features LABELS --set NAME`" + ` makes a table of it, which ` + "`train fit`" + ` takes.

A set of patterns is families joined by +, such as store+houses+adjacent:
` + "`train fit LABELS --set FAMILY+FAMILY`" + ` makes the features from labels as it goes.
FAMILY/2 to FAMILY/4 have weights of their own for each of two to four stages of the
game: corners/2+mobility.`

const filterHelp = `--where takes comparisons of columns, separated by commas, all of which a row has to
satisfy: 'phase>=20, exact=false'. The columns are those that ` + "`train inspect`" + ` shows of
the dataset, the operators = != < <= > >=. A column of text, such as bound or best, is
compared by = and != alone: 'best!=F'. Quote the condition, since a shell takes > and <
for its own.

What is written notes the condition and the dataset that it is from.`
