package commands

import (
	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
)

func endgameCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "endgame",
		Short: "endgame tables of oware: build, verify, query, stats",
		Long: `An endgame table has the value of every position with few seeds in play. Under
awari and simple rules values are exact. Under abapa they are proven bounds, because
the value of a cycle depends on where the game entered it.`,
		Example: "  train endgame build --rules awari --seeds 12 -o tables\n" +
			"  train endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S",
	}, endgameBuildCommand(), endgameVerifyCommand(), endgameQueryCommand(), endgameStatsCommand())
}

// largerTables says how to make the engine stronger with tables larger than the program's own:
// docs/bounds.md has the measurements.
const largerTables = `With endgame tables of 18 seeds instead of the program's 12 the engine is stronger.
` + "`train endgame build --seeds 18 --resolve 18 -o tables`" + ` builds them once, in a few minutes with 1.2 GiB of
memory and 173 MB of disk; --tables tables uses them. 24 seeds, the most, add little: an hour, 12 GiB and 2.5 GB.`

// openTable opens the table of the operand, a file or a folder of tables, or the program's own, until
// the end of the command. Without --rules, the rules of a file are its own.
func (j *job) openTable(asked rules) (*endgame.Table, error) {
	t, err := j.findTable(asked)
	if err != nil {
		return nil, err
	}
	j.closers = append(j.closers, func() { t.Close() })
	return t, nil
}

func (j *job) findTable(asked rules) (*endgame.Table, error) {
	path := j.operand()
	if path != "" && !j.given("rules") {
		if t, err := endgame.Open(path); err == nil {
			return t, nil
		}
		// It is a folder, or Find returns the error.
	}
	return endgame.Find(path, oware.Rules(asked))
}
