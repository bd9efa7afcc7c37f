package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/internal/atomicfile"
	"kroo/internal/wording"
	"kroo/run/inspect"
)

// adoptArgs are what the flags of adopt say.
type adoptArgs struct {
	datasets.Foreign
	game, out, labels string
}

func adoptCommand() *cobra.Command {
	var a adoptArgs
	cmd := &cobra.Command{
		Use:   "adopt FILE [-o OUT]",
		Short: "import a table of another program, or rebuild a missing manifest",
		Long: `Without -o, writes a new manifest for a dataset whose manifest is lost, or that another
program has modified without changing its form. Every row is checked: the board is
legal and agrees with its key, and values are in range. The manifest records that the
dataset was adopted: its origin and labels are unverified. Parquet and Arrow files
contain their rules and origin; for a CSV give --rules.

With -o, reads any Parquet, Arrow or CSV file with a column of boards, and writes
its rows as a dataset. Columns may be in any order, with any compression,
with missing values; unknown columns are ignored. A column "label" is in points
for the side to move; otherwise "score" is in hundredths of a seed (disc, pawn).
--score names another column, --score-unit its value of one seed,
--score-view the side it is for; --result uses the results of games as labels. "game",
"ply", "depth", "nodes", "exact", "bound", "best", "weight" (how many rows a row counts
for) and the columns of features are kept if present. Keys are computed from the boards.
A row that cannot be read is an error; with --skip-bad-rows such rows are left out,
counted and listed. A CSV may be separated by commas, semicolons or
tabs. A comma in numbers is the decimal mark if every number of the column can be read
so, and an error if it could separate thousands.

--columns takes columns of numbers as features for train fit. Each is a difference: the
value for the side to move minus the value for the other side, so it changes sign when
the other side is to move on the same board. --labels names the dataset with the labels
of the boards, if FILE has none.`,
		Example: "  train adopt labels.parquet\n  train adopt labels.csv --rules abapa\n" +
			"  train adopt mine.parquet -o labels.parquet --score eval --score-unit 24 --score-view South\n" +
			"  train adopt mine.csv -o features.parquet --columns mobility,tempo --labels labels.parquet",
		Args: exactArgs(1, "a dataset"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.out == "" {
				if err := atomicfile.Claim(datasets.ManifestPath(args[0])); err != nil {
					return err
				}
			}
			told, err := datasets.GameOf(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			g, err := gameNamed(cmp.Or(a.game, told, allGames[0].info().Name))
			if err != nil {
				return err
			}
			err = g.adopt(cmd, args[0], a)
			if err != nil && a.game == "" && told == "" {
				if other := ofAnotherGame(cmd.Context(), err, args[0], a.Board); other != err {
					return other
				}
			}
			if _, bad := errors.AsType[datasets.BadRow](err); bad {
				return fmt.Errorf("%w; --skip-bad-rows leaves such rows out", err)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&a.game, "game", "", "game of the positions, if the file does not tell it (default "+allGames[0].info().Name+")")
	f.StringVar(&a.Set, "set", "", "feature set of a features table, if the file does not tell it")
	f.StringVar(&a.Rules, "rules", "", "rules of the positions, if the file does not tell them: "+ruleSets())
	f.StringVar(&a.Board, "board", "", "with -o: column of the boards (default board)")
	f.StringVar(&a.Score, "score", "", "with -o: column of the scores (default label, in points, else score)")
	scoreFlags(cmd, "with -o: ", &a.Foreign.Unit, &a.Foreign.View, &a.Foreign.Result)
	f.StringSliceVar(&a.Columns, "columns", nil, "with -o: columns of numbers to take as features for train fit")
	f.StringVar(&a.Whose, "columns-view", "", "with --columns: whose view these are: mover or a side, such as South (default mover)")
	f.StringVar(&a.labels, "labels", "", "with --columns: dataset of the labels, joined by board (default FILE has them)")
	f.StringVar(&a.Weight, "weight", "", "with -o: column of how many rows a row counts for (default weight, if it is there)")
	f.BoolVar(&a.SkipBad, "skip-bad-rows", false, "with -o: leave out rows that cannot be read, and list the first of them")
	outFlag(cmd, &a.out, "dataset to write (.parquet, .arrow or .csv)")
	return cmd
}

// ofAnotherGame adds to an error, of a table that nobody has told the game of, the game that
// has its boards, if it is not the first.
func ofAnotherGame(ctx context.Context, err error, table, column string) error {
	for _, g := range allGames[1:] {
		if g.readsBoards(ctx, table, column) {
			return fmt.Errorf("%w; its boards are of %s: --game %s", err, g.info().Name, g.info().Name)
		}
	}
	return err
}

// readsBoards reports whether the first board of a table is one of the game.
func (g gameOf[P]) readsBoards(ctx context.Context, table, column string) bool {
	t, err := datasets.OpenForeign(ctx, g.kit.Game, table, datasets.Foreign{Board: column, Plain: true})
	if err != nil {
		return false
	}
	defer t.Close()
	for _, err := range t.Scan(ctx) {
		return err == nil
	}
	return false
}

// scoreFlags say what the scores in a table of another program are. where is how their
// texts begin, as the one of --score does.
func scoreFlags(cmd *cobra.Command, where string, unit *float64, view, result *string) {
	f := cmd.Flags()
	f.Float64Var(unit, "score-unit", 0, where+"how much of a score one seed is worth (disc, pawn): 1 if scores are seeds (default 100, hundredths)")
	haveBounds(cmd, "score-unit")
	f.StringVar(view, "score-view", "", where+"whose view scores are: mover or a side, such as South (default mover)")
	f.StringVar(result, "result", "", where+"column of results, 1-0, 0-1 or 1/2-1/2, to be the labels (default none)")
}

// checkScoreUnit refuses 0, which would be the default.
func checkScoreUnit(cmd *cobra.Command, unit float64) error {
	if unit == 0 && cmd.Flags().Changed("score-unit") {
		return usagef("--score-unit is 0: expected 1e-6 to 1e6")
	}
	return nil
}

func (g gameOf[P]) adopt(cmd *cobra.Command, path string, a adoptArgs) error {
	if err := checkScoreUnit(cmd, a.Unit); err != nil {
		return err
	}
	if err := a.Foreign.Check(g.info()); err != nil {
		return usageError{err}
	}
	if err := g.checkSet(&a); err != nil {
		return err
	}
	if a.out == "" {
		if a.Board+a.Score+a.View+a.Result+a.Whose+a.labels+a.Weight != "" || a.Unit != 0 || a.SkipBad || a.Columns != nil {
			return usagef("--board, --score, --score-unit, --score-view, --result, --columns, --labels, --weight and --skip-bad-rows say how to write a dataset: name it with -o")
		}
		m, err := datasets.Adopt(cmd.Context(), g.kit.Game, path, datasets.Origin{Rules: a.Rules, FeatureSet: a.Set, Features: a.Counted})
		if err != nil {
			return fmt.Errorf("%w; -o OUT takes what can be read of it into a new file", err)
		}
		return tellAdopted(cmd.OutOrStdout(), path, m)
	}
	if err := datasets.CheckOutput(a.out); err != nil {
		return err
	}
	if a.Columns == nil && a.Whose+a.labels != "" {
		return usagef("--columns-view and --labels are for --columns: name some")
	}
	made, err := takeOutputs(cmd, []output{{path: a.out, holds: inspect.KindDataset}}, path, a.labels)
	if err != nil {
		return err
	}
	m, strays, err := g.adoptAs(cmd, path, made, a)
	if err != nil {
		return err
	}
	why := " that cannot be read"
	if a.labels != "" {
		why = ""
	}
	tellStrays(cmd.ErrOrStderr(), strays, why)
	return tellAdopted(cmd.OutOrStdout(), a.out, m)
}

// adoptAs writes the rows as a dataset of our own.
func (g gameOf[P]) adoptAs(cmd *cobra.Command, path, made string, a adoptArgs) (datasets.Manifest, datasets.Strays, error) {
	if a.labels == "" {
		return datasets.AdoptAs(cmd.Context(), g.kit.Game, path, a.out, made, a.Foreign)
	}
	if err := notWith(cmd, "--labels", "score", "score-unit", "score-view", "result", "weight", "set", "rules"); err != nil {
		return datasets.Manifest{}, datasets.Strays{}, err
	}
	return datasets.Join(cmd.Context(), g.kit.Game, a.labels, path, a.out, made, a.Foreign)
}

// checkSet finds the features of the set, if one is named.
func (g gameOf[P]) checkSet(a *adoptArgs) error {
	if a.Set == "" {
		return nil
	}
	set, err := g.kit.Sets.ByName(a.Set)
	if err != nil {
		return usageError{err}
	}
	a.Counted = set.Names()
	return nil
}

func tellAdopted(w io.Writer, path string, m datasets.Manifest) error {
	_, err := fmt.Fprintf(w, "%s: %s of %s, %s under %s rules; the manifest is %s\n",
		path, wording.Count(m.Rows, "row"), m.Meta.Kind, m.Meta.Game, m.Meta.Rules, filepath.Base(datasets.ManifestPath(path)))
	return err
}

// tellStrays says what was left out of a table, and why, or changed.
func tellStrays(w io.Writer, s datasets.Strays, why string) {
	if s.Rows > 0 {
		fmt.Fprintf(w, "left out: %s%s, the first of them\n  %s\n", wording.Count(s.Rows, "row"), why, strings.Join(s.First, "\n  "))
	}
	if s.Clamped > 0 {
		fmt.Fprintf(w, "%s beyond a won game: now just that; if that is many, --score-unit is another\n", wording.Count(s.Clamped, "label"))
	}
}
