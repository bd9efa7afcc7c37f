package commands

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match"
	"kroo/run/inspect"
)

type adoptArgs struct {
	datasets.Foreign
	Game   *gameName `name:"game" help:"game of the positions, if the file does not name it (default {game})"`
	Labels string    `name:"labels" help:"with --columns: dataset of the labels, joined by board (default FILE has them)"`
	Out    string    `name:"output" flag:"output,o" file:"made" help:"dataset to write (.parquet, .arrow or .csv)"`
}

func adoptCommand() *cobra.Command {
	var a adoptArgs
	return newCommand(&cobra.Command{
		Use:   "adopt FILE -o OUT",
		Short: "import a table of another program",
		Long: `Reads any Parquet, Arrow or CSV file with a column of boards, and writes its rows as a
dataset: also a dataset whose manifest is lost, or that another program has changed.
Parquet may be compressed with zstd, snappy, gzip, brotli or lz4 (LZ4_RAW), Arrow with
zstd or lz4. Columns may be in any order, with missing values; unknown columns are
ignored. A column "label" is in points for the side to move; otherwise "score" is in
hundredths of a seed (disc, pawn).
--score names another column, --score-unit its value of one seed,
--score-view the side it is for; --result uses the results of games as labels. "game",
"ply", "depth", "nodes", "exact", "bound", "best", "weight" (the number of rows that a row
counts for) and the columns of features are kept if present. Keys are computed from the boards.
A row that cannot be read is an error; with --skip-bad-rows such rows are left out,
counted and listed. A CSV may be separated by commas, semicolons or
tabs. A comma in numbers is the decimal mark if every number of the column can be read
so, and an error if it could separate thousands.

--columns takes columns of numbers as features for train fit. Each is a difference: the
value for the side to move minus the value for the other side, so it changes sign when
the other side is to move on the same board. --labels names the dataset with the labels
of the boards, if FILE has none.`,
		Example: "  train adopt labels.csv -o labels.parquet --rules abapa\n" +
			"  train adopt mine.parquet -o labels.parquet --score eval --score-unit 24 --score-view South\n" +
			"  train adopt mine.csv -o features.parquet --columns mobility,tempo --labels labels.parquet",
	}, a.run, &a)
}

func (a *adoptArgs) run(j *job) error {
	path := j.args[0]
	name, err := datasets.GameOf(j.Context(), path)
	if err != nil {
		return err
	}
	unnamed := a.Game == nil && name == ""
	if a.Game != nil {
		name = string(*a.Game)
	} else if unnamed {
		name = gameNames()[0]
	}
	g, err := gameNamed(name)
	if err != nil {
		return err
	}
	err = g.adopt(j, a)
	if _, bad := errors.AsType[datasets.BadRow](err); bad {
		err = fmt.Errorf("%w; --skip-bad-rows leaves such rows out", err)
	}
	if unnamed {
		err = ofAnotherGame(err)
	}
	return err
}

// ofAnotherGame adds a hint to the error for a board of a table that does not name its game.
func ofAnotherGame(err error) error {
	if _, bad := errors.AsType[datasets.BadBoard](err); bad {
		return fmt.Errorf("%w; boards of another game need --game", err)
	}
	return err
}

func (g gameOf[P]) adopt(j *job, a *adoptArgs) (err error) {
	path, how := j.args[0], a.Foreign
	if err := asUsage(how.Check(g.info())); err != nil {
		return err
	}
	if how.Set != "" {
		set, err := g.kit.Sets.ByName(how.Set)
		if err != nil {
			return asUsage(err)
		}
		how.SetNames = set.Names()
	}
	if a.Columns == nil && a.ColumnsView+a.Labels != "" {
		return usagef("--columns-view and --labels need --columns")
	}
	by, err := j.claimOutputs([]output{{path: a.Out, kind: inspect.KindDataset}}, path, a.Labels)
	if err != nil {
		return err
	}
	var m datasets.Manifest
	var rejected datasets.Rejected
	why := ""
	if a.Labels == "" {
		why = " that cannot be read"
		m, rejected, err = datasets.Adopt(j.Context(), g.kit.Game, path, a.Out, by, how)
	} else {
		if err := j.notWith("--labels", "score", "score-unit", "score-view", "result", "weight", "set", "rules"); err != nil {
			return err
		}
		m, rejected, err = datasets.Join(j.Context(), g.kit.Game, a.Labels, path, a.Out, by, how)
	}
	if err == nil {
		j.note("%s", rejectedText(rejected, why))
		if err := j.print(m, "%s: %s of %s, %s under %s rules\n", a.Out, wording.Count(m.Rows, "row"), m.Meta.Kind, m.Meta.Game,
			m.Meta.Rules); err != nil {
			return err
		}
	}
	return err
}

// rejectedText describes what was left out of a table, and why, or changed.
func rejectedText(s datasets.Rejected, why string) (text string) {
	if s.Rows > 0 {
		text += fmt.Sprintf("left out: %s%s, the first of them\n  %s\n",
			wording.Count(s.Rows, "row"), why, strings.Join(s.First, "\n  "))
	}
	if s.Clamped > 0 {
		text += fmt.Sprintf("%s beyond a won game, clamped to it; if these are many, check --score-unit\n",
			wording.Count(s.Clamped, "label"))
	}
	return text
}

func convertCommand() *cobra.Command {
	var f struct {
		whereFlag
		Out string `name:"output" flag:"output,o" file:"made" help:"dataset to write"`
	}
	return newCommand(&cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "write a dataset in another format: Parquet, Arrow or CSV",
		Long: `Writes a dataset in the format of OUT's extension:

  .parquet  for databases and data frames (snappy)
  .arrow    Arrow IPC, uncompressed, for readers in web pages
  .csv      a line of column names and one line per row, for spreadsheets

Rows, types and origin are kept: converted back, a dataset is byte-identical. A CSV
contains names and values only; its manifest, OUT.manifest.json, contains
types, units and origin. All commands that read datasets read every format. A file
that another program has changed has to be imported: see train adopt --help.

--where selects rows: see
` + "`train help filters`.",
		Example: "  train convert labels.parquet -o labels.csv\n" +
			"  train convert labels.parquet -o endgames.parquet --where 'phase<=20, exact=false'\n" +
			"  train convert labels.csv -o labels.arrow",
	}, func(j *job) error {
		in, out := j.args[0], f.Out
		if _, err := j.claimOutputs([]output{{path: out, kind: inspect.KindDataset, compared: true}}, in); err != nil {
			return err
		}
		g, _, err := gameOfDataset(in)
		if err != nil {
			return err
		}
		m, err := datasets.Convert(j.Context(), g.info(), in, out, f.Where, j.progress("converting", "rows"))
		if err != nil {
			return err
		}
		return j.print(m, "%s: %s of %s\n", out, wording.Count(m.Rows, "row"), m.Meta.Kind)
	}, &f)
}

func ognCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "ogn",
		Short:   "files of recorded games",
		Example: "  train ogn split match.ogn games",
	}, ognSplitCommand())
}

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
		g, err := f.of(j.args[0])
		if err != nil {
			return err
		}
		return g.split(j, f.Strict)
	}, &f)
}

func (g gameOf[P]) split(j *job, strict bool) error {
	folder := j.args[1]
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
