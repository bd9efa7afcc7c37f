package commands

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

const filterHelp = `--where takes a condition on the columns of a row:

  phase>=20, exact=false                  both hold; "and" is another word for the comma
  captures>3 or captures<-3               one of them; "and" binds closer, parentheses closest
  own_captures - opp_captures > 3         numbers and columns added and taken away
  best!=F, board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S

The columns are key, board, and those that "train inspect" shows of the dataset; a
condition that names none lists them. In a table of features, the name of a feature, such
as captures, <1 or lt_1, is what weights are fitted to: own minus the other side's. Numbers
are compared by = != < <= > >=, truth and text by = and !=; a text with a comma, a
parenthesis, and or or stands in quotes. Quote the condition, since a shell takes > and <
for its own.

What is written notes the condition and the dataset that it is from.` + "`train inspect`" + ` shows of
the dataset, the operators = != < <= > >=. A column of text, such as bound or best, is
compared by = and != alone: 'best!=F'. Quote the condition, since a shell takes > and <
for its own.

What is written notes the condition and the dataset that it is from.`
