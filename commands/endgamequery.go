package commands

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
)

func endgameQueryCommand() *cobra.Command {
	var rules, table string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "query POSITION",
		Short: "show the values of a position in a table",
		Long: `Prints the least and the greatest value of the seeds in play: those that the
player to move will take minus those that the opponent will take. Prints the same
for each move, and a line of best moves. POSITION is
A-…-F-a-…-f-storeS-storeN-S|N.`,
		Example: "  train endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S\n  train endgame query --table tables --rules awari 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S",
		Args:    exactArgs(1, "a board, as A-…-F-a-…-f-storeS-storeN-S|N"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := parseRules(rules)
			if err != nil {
				return err
			}
			p, err := oware.Descriptor().Parse(r.String(), args[0])
			if err != nil {
				return usageError{err}
			}
			t, err := endgame.Find(table, r)
			if err != nil {
				return err
			}
			defer t.Close()
			answer, err := t.Query(p)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(answer)
			}
			printAnswer(cmd.OutOrStdout(), p, answer)
			return nil
		},
	}
	servedRulesFlag(cmd, &rules)
	tableFlag(cmd, &table)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func printAnswer(w io.Writer, p oware.Position, a endgame.Answer) {
	fmt.Fprint(w, p.Diagram())
	fmt.Fprintf(w, "%s to move: %s", p.ToMove(), between(a.Low, a.High))
	if !a.Exact {
		fmt.Fprint(w, ", not exact")
	}
	fmt.Fprintf(w, "; with the stores %s\n", between(a.FinalLow, a.FinalHigh))
	for _, m := range a.Moves {
		capture := ""
		if m.Captures > 0 {
			capture = fmt.Sprintf(" (captures %d)", m.Captures)
		}
		fmt.Fprintf(w, "%s  %s%s\n", m.Move, between(m.Low, m.High), capture)
	}
	if a.Line != "" {
		fmt.Fprintf(w, "best line: %s\n", a.Line)
	}
}

// between writes the bounds of a difference in seeds.
func between(low, high int) string {
	if low == high {
		return fmt.Sprintf("%+d", low)
	}
	return fmt.Sprintf("%+d to %+d", low, high)
}
