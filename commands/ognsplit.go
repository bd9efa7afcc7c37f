package commands

import (
	"github.com/spf13/cobra"

	"kroo/internal/wording"
	"kroo/match"
)

func ognSplitCommand() *cobra.Command {
	var f struct {
		recordedGameFlag
		strictFlag
	}
	return newCommand(&cobra.Command{
		Use:   "split GAMES.ogn FOLDER",
		Short: "write each game to its own file, for other programs",
		Long: `Writes each game to its own file in a new folder: game-0001.ogn and so on.
Each begins with the tags that the best-known oware program expects: Variant,
Event, Site, Date, Round, South, North and Result. That program reads one game per file.
Comments and variations are kept. A game that cannot be read is reported and left out;
with --strict it is an error.`,
		Example: "  train ogn split match.ogn games",
	}, func(j *job) error {
		g, err := f.gameOf(j.args[0])
		if err != nil {
			return err
		}
		return g.split(j, f.Strict)
	}, &f)
}

func (g gameOf[P]) split(j *job, strict bool) error {
	folder := j.args[1]
	if err := checkNewFolder(folder); err != nil {
		return usagef("the operand is %q: %w", folder, err)
	}
	records, err := readTrees(j, g.kit.Game, j.args[0], strict)
	if err != nil {
		return err
	}
	if err := match.Split(g.kit.Game, records, folder); err != nil {
		return err
	}
	return j.print(map[string]any{"folder": folder, "games": len(records)}, "%s written to %s\n",
		wording.Count(len(records), "game"), folder)
}
