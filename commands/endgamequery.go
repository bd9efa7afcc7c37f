package commands

import (
	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
)

func endgameQueryCommand() *cobra.Command {
	var f struct {
		rulesFlag
		tableFlag
	}
	return newCommand(&cobra.Command{
		Use:   "query POSITION",
		Short: "show the values of a position in a table",
		Long: `Prints the least and the greatest value of the seeds in play: those that the
player to move will take minus those that the opponent will take. Prints the same
for each move, and a line of best moves. POSITION is
A-…-F-a-…-f-storeS-storeN-S|N.`,
		Example: "  train endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S\n" +
			"  train endgame query --table tables --rules awari 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S",
	}, func(j *job) error {
		r := oware.Rules(f.Rules)
		p, err := oware.Descriptor().Parse(r.String(), j.args[0])
		if err != nil {
			return asUsage(err)
		}
		t, err := endgame.Find(f.Table, r)
		if err != nil {
			return err
		}
		defer t.Close()
		found, err := t.Query(p)
		if err != nil {
			return err
		}
		return j.show("", found.Doc(p))
	}, &f)
}
