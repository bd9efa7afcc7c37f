package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/games"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

func ognCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "ogn",
		Short:   "files of recorded games",
		Example: "  train ogn split match.ogn games",
	}, ognSplitCommand())
}

// readGames reads a file of at least one game.
func readGames[P games.Position[P]](g *games.Game[P], path string) ([]games.Record[P], error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := g.ParseRecords(f, path)
	return someGames(records, err, path)
}

// readTrees reads games with their variations. Unless strict, it reports games that cannot be read,
// and leaves them out.
func readTrees[P games.Position[P]](j *job, g *games.Game[P], path string, strict bool) ([]games.Record[P], error) {
	if strict {
		return readGames(g, path)
	}
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var bad []error
	records, err := g.ParseGood(f, path, func(err error) { bad = append(bad, err) })
	records, err = someGames(records, err, path)
	if err != nil {
		return nil, err
	}
	for _, err := range bad[:min(len(bad), maxListed)] {
		j.note("left out: %v\n", err)
	}
	if more := len(bad) - maxListed; more > 0 {
		j.note("left out: %s more\n", wording.Count(more, "game"))
	}
	return records, nil
}

const maxListed = 20

func someGames[P games.Position[P]](records []games.Record[P], err error, path string) ([]games.Record[P], error) {
	if err == nil && len(records) == 0 {
		err = fmt.Errorf("%s has no games: expected a game record such as 1. F f 2. E e *", path)
	}
	return records, err
}
