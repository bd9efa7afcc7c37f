package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/games"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match"
)

func ognCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "ogn",
		Short:   "files of recorded games",
		Example: "  train ogn split match.ogn games",
	}
	group(cmd, ognSplitCommand())
	return cmd
}

func ognSplitCommand() *cobra.Command {
	var game string
	var strict bool
	cmd := &cobra.Command{
		Use:   "split GAMES.ogn FOLDER",
		Short: "write each game to its own file, for other programs",
		Long: `Writes each game to its own file in a new folder: game-0001.ogn and so on.
Each begins with the tags that the best-known oware program expects: Variant,
Event, Site, Date, Round, South, North and Result. That program reads one game per file.
Comments and variations are kept. A game that cannot be read is reported and left out;
with --strict it is an error.`,
		Example: "  train ogn split match.ogn games",
		Args:    exactArgs(2, "a file of games and a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := gameOfRecords(game, args[0])
			if err != nil {
				return err
			}
			return g.split(cmd, args[0], args[1], strict)
		},
	}
	recordedGameFlag(cmd, &game)
	strictFlag(cmd, &strict)
	return cmd
}

func strictFlag(cmd *cobra.Command, strict *bool) {
	cmd.Flags().BoolVar(strict, "strict", false, "a game that cannot be read is an error")
}

func (g gameOf[P]) split(cmd *cobra.Command, in, folder string, strict bool) error {
	records, err := readTrees(cmd, g.kit.Game, in, strict)
	if err == nil {
		err = match.Split(g.kit.Game, records, folder)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s written to %s\n", wording.Count(len(records), "game"), folder)
	return err
}

// readGames reads a file of games, which holds one at least.
func readGames[P games.Position[P]](g *games.Game[P], path string) ([]games.Record[P], error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := g.ParseRecords(f, path)
	if err == nil && len(records) == 0 {
		err = noGames(path)
	}
	return records, err
}

// readTrees reads games with their variations. Unless it is to be strict, it describes games
// that cannot be read, and leaves them out.
func readTrees[P games.Position[P]](cmd *cobra.Command, g *games.Game[P], path string, strict bool) ([]games.Record[P], error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var records []games.Record[P]
	var bad []error
	if strict {
		records, err = g.ParseTrees(f, path)
	} else {
		records, err = g.ParseGood(f, path, func(err error) { bad = append(bad, err) })
	}
	if err == nil && len(records) == 0 {
		err = noGames(path)
	}
	if err != nil {
		return nil, err
	}
	for _, err := range bad[:min(len(bad), mostTold)] {
		fmt.Fprintf(cmd.ErrOrStderr(), "left out: %v\n", err)
	}
	if more := len(bad) - mostTold; more > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "left out: %s more\n", wording.Count(more, "game"))
	}
	return records, nil
}

// mostTold is how many games that cannot be read are told.
const mostTold = 20

func noGames(path string) error {
	return fmt.Errorf("%s has no games: expected a game record such as 1. F f 2. E e *", path)
}
