package commands

import (
	"kroo/engine"

	"github.com/spf13/cobra"
)

// helpTopics are the small languages of flags and operands, which `train help TOPIC` explains: each a
// command that does nothing.
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "players", Short: "syntax of players of matches, and of other programs", Long: engine.SpecHelp + programHelp},
		{Use: "sets", Short: "syntax of feature sets", Long: setHelp},
		{Use: "filters", Short: "syntax of conditions on rows", Long: filterHelp},
	}
}

const programHelp = `

--engine takes a program in the same form, with cmd, option.NAME, dir, startup, timeout
and unit: it then searches instead of Kroo's engine, one process per worker. A program
that crashes, hangs or answers nonsense is restarted and asked again, three times in all.
A mate counts as a won game, but not as proven. Endgame tables are not used unless
--tables names them. "train engine check" tests a program; "train weights calibrate" measures its unit.`

const setHelp = `A set of features is one of two kinds; ` + "`train features --list`" + ` shows those of a game.

An antisymmetric set goes by its name, such as thesis or squares: the value
for the side to move minus the value for the other side.
` + "`train features LABELS --set NAME`" + ` makes a table of it for ` + "`train fit`" + `.

A set of patterns is families joined by +, such as store+houses+adjacent:
` + "`train fit LABELS --set FAMILY+FAMILY`" + ` computes the features from labels.
FAMILY/2 to FAMILY/4 have weights of their own for each of two to four stages of the
game: corners/2+mobility.`

const filterHelp = `--where takes a condition on the columns of a row:

  phase>=20, exact=false                  both; "and" means the same as the comma
  captures>3 or captures<-3               at least one; "and" binds tighter, parentheses tightest
  own_captures - opp_captures > 3         sums and differences of numbers and columns
  best!=F, board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S

The columns are key, board, and those that "train inspect" shows; a condition with an
unknown column lists them. In a table of features, the name of a feature, such as
captures, <1 or lt_1, is the value that weights are fitted to: the mover's minus the
opponent's. Numbers are compared by = != < <= > >=, true, false and text by = and !=. Text that contains a comma, a parenthesis,
"and" or "or" needs quotes. Quote the whole condition in a shell, where > and < redirect.

The output records the condition and its dataset.`
