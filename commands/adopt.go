package commands

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/internal/wording"
	"kroo/run/inspect"
)

type adoptArgs struct {
	datasets.ImportOptions
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
	if err := checkKind(path, "", inspect.KindDataset); err != nil {
		return err
	}
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

func (g gameOf[P]) adopt(j *job, a *adoptArgs) (err error) {
	path, how := j.args[0], a.ImportOptions
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
		m, rejected, err = datasets.Import(j.Context(), g.kit.Game, path, a.Out, by, how)
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
