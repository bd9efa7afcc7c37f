package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/games"
	"kroo/internal/plural"
	"kroo/internal/vfs"
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
	cmd := &cobra.Command{
		Use:   "split GAMES.ogn FOLDER",
		Short: "write every game into a file of its own, as other programs want them",
		Long: `Writes every game into a file of its own in a new folder: game-0001.ogn and so on.
Each begins with the tags that the best-known oware program expects: Variant,
Event, Site, Date, Round, South, North and Result. It opens one game a file.`,
		Example: "  train ogn split match.ogn games",
		Args:    exactArgs(2, "a file of games and a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := gameOfRecords(game, args[0])
			if err != nil {
				return err
			}
			return g.split(cmd, args[0], args[1])
		},
	}
	recordedGameFlag(cmd, &game)
	return cmd
}

func (g gameOf[P]) split(cmd *cobra.Command, in, folder string) error {
	records, err := readGames(g.kit.Game, in)
	if err == nil {
		err = match.Split(g.kit.Game, records, folder)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s written to %s\n", plural.Of(len(records), "game"), folder)
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
		err = fmt.Errorf("%s has no games: expected a game record such as 1. F f 2. E e *", path)
	}
	return records, err
}
