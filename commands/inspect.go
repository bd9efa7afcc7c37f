package commands

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/regress/profile"
	"kroo/report"
	"kroo/run"
	"kroo/run/inspect"
)

// inspectArgs is the settings of inspect.
type inspectArgs struct {
	whereFlag
	Compare string `name:"compare" help:"dataset, weights, book or run to compare with; more runs can follow"`
	On      string `name:"on" help:"dataset of positions or labels on which to compare weights (default boards drawn at random)"`
	Salvage bool   `name:"salvage" help:"cut a damaged journal before the damage, so that its work can resume; keeps a copy"`
	Head    int    `name:"head" range:"0..10000" help:"rows of a dataset to show as boards"`
	Sort    string `name:"sort" help:"sort a folder of runs by a column of its table, such as r or own, the largest first; with - before it, the smallest"`
	HTML    string `name:"html" file:"out" group:"Output" help:"write a page instead; of a run folder, its report as far as it is"`
	Out     string `name:"output" flag:"output,o" file:"out" help:"write a folder of runs as a table (.csv)"`
}

func inspectCommand() *cobra.Command {
	var a inspectArgs
	return newCommand(&cobra.Command{
		Use:   "inspect FILE [RUN...]",
		Short: "describe a file: dataset, weights, book, games, endgame table, journal or run",
		Long: `Describes a file and what made it: a dataset, weights, a book, games, an endgame table, a
journal, or the folder of a run with its stages, files and results. The name default
means the weights, book and endgame table that come with the program; other evaluations
can be named too.

For a folder of runs, such as runs: one row per run, the newest first, with its state,
what differs from its preset, its size, R and errors on its validation rows, and Elo
with intervals. Only configurations and manifests are read. --sort sorts by a column
(of numbers the largest first), -o writes all columns as CSV: run, note, date, state,
preset, changes, rows, r, chance_error (percent), error (seeds), captures and own (Elo,
with _low, _high and _games), book (entries), seconds, problem.

For runs: RUN --compare RUN..., 2 to 8 in all, shows the settings that differ, the stages
from which on the results differ, the figures side by side, and whether the errors on
the same validation boards differ by more than noise (paired by board, standard errors
by game).

For a dataset: every column's range, quartiles, mean and missing values, rows by
phase, labels, duplicates, features with their correlations, leverage and effects, and
the residuals of predictions (evaluate --predictions). Memory hardly grows with the
number of rows. --where selects rows (train help filters); --compare OTHER shows how
much each column differs from the same column of another dataset, how much chance alone
would, and which situations both have; --head shows rows as boards, labels in seeds;
--html writes a page with plots.

For weights: --compare OTHER shows the weights of features next to each other with
errors and z, what each family adds to the values, how far the values agree on the
boards of --on, or on drawn ones, and the boards on which they differ most. If the
boards have labels, it shows which weights are nearer to them (paired by row, standard
errors by game). --where selects rows of --on.

For a book: --compare OTHER shows the entries in only one of them; values and best moves
that differ, by ply and along best play; the line where they diverge; and the values at
the start.

Datasets, weights, books and games also show where they come from: a tree of the files
in the same folder that they were made from, with commands, settings and hashes, what is
stale because something it was made from has changed, what is missing, and the commands
that make it again, in order; with --json, it is the field origin.

A journal that is damaged in the middle cannot be resumed. --salvage keeps what is
whole before the damage, and reports what was lost.`,
		Example: "  train inspect runs --sort own -o runs.csv\n" +
			"  train inspect runs/quick\n" +
			"  train inspect runs/quick --compare runs/quick-2 runs/quick-3\n" +
			"  train inspect runs/quick/features.parquet --html features.html\n" +
			"  train inspect labels.parquet --where 'phase>=20, exact=false' --head 3\n" +
			"  train inspect labels.parquet --compare yesterday.parquet\n" +
			"  train inspect weights.json --compare thesis4 --on labels.parquet\n  train inspect book.bin --compare default",
	}, a.run, &a)
}

func (a *inspectArgs) run(j *job) error {
	file := j.args[0]
	if isFolderOfRuns(file) {
		return a.listRuns(j, file)
	}
	if err := j.notWith(file+" (not a folder of runs)", "sort", "output"); err != nil {
		return err
	}
	if a.Compare != "" && run.IsFolder(file) {
		return a.compareRuns(j)
	}
	if len(j.args) > 1 {
		return usagef("inspect: expected FILE, or RUN --compare RUN..., got also %q", j.args[1])
	}
	kind, _ := inspect.KindOf(file) // an unreadable file is an error of File
	if a.Compare != "" && kind != inspect.KindDataset {
		return a.compareFiles(j, file)
	}
	if err := checkKind(a.Compare, "--compare", inspect.KindDataset); err != nil {
		return err
	}
	if a.On != "" {
		return usagef("--on needs weights and --compare")
	}
	if kind != inspect.KindDataset {
		if err := j.notWith(file+" (not a dataset)", "where", "head"); err != nil {
			return err
		}
	}
	if _, err := j.claimOutputs([]output{{path: a.HTML, kind: inspect.KindPage, compared: true}}, file, a.Compare); err != nil {
		return err
	}
	name := file
	var d *outline.Doc
	var err error
	switch info, statErr := vfs.Stat(file); {
	case a.Salvage:
		d, err = journal.Salvage(file)
	case a.HTML != "" && statErr == nil && info.IsDir():
		name = ""
		d, err = run.Page(file)
	default:
		rows := profile.Options{
			Where:    a.Where,
			Compare:  a.Compare,
			Head:     a.Head,
			Progress: func(step string) parallel.Progress { return j.progress(step, "rows") },
		}
		d, err = inspect.File(j.Context(), file, inspectGames(), inspect.Options{Rows: rows})
	}
	if err != nil {
		return err
	}
	return a.show(j, name, d)
}

// isFolderOfRuns reports whether a path is a folder, but not the folder of a run.
func isFolderOfRuns(path string) bool {
	info, err := vfs.Stat(path)
	return err == nil && info.IsDir() && !run.IsFolder(path)
}

// listRuns shows the runs in a folder, or writes them as a table or a page.
func (a *inspectArgs) listRuns(j *job, dir string) error {
	if err := j.notWith(dir+", a folder of runs", "where", "compare", "on", "head", "salvage"); err != nil {
		return err
	}
	if _, err := j.claimOutputs([]output{
		{path: a.HTML, kind: inspect.KindPage, compared: true},
		{path: a.Out, kind: inspect.KindUnknown, forms: []string{".csv"}, compared: true},
	}, dir); err != nil {
		return err
	}
	runs, err := run.List(dir)
	if err != nil {
		return err
	}
	if len(runs) == 0 {
		return fmt.Errorf("%s: not the folder of a run or of runs: expected %s in it or in its folders", dir, run.ConfigFile)
	}
	if a.Sort != "" {
		if err := asUsage(run.Sort(runs, a.Sort)); err != nil {
			return err
		}
	}
	if a.Out != "" {
		var table bytes.Buffer
		if err := run.WriteCSV(&table, runs); err != nil {
			return err
		}
		if err := atomicfile.WriteBytes(a.Out, table.Bytes()); err != nil {
			return err
		}
	}
	return a.show(j, dir, run.ListDoc(runs))
}

// compareRuns compares runs with the first.
func (a *inspectArgs) compareRuns(j *job) error {
	if err := j.notWith("runs", "where", "on", "head", "salvage"); err != nil {
		return err
	}
	dirs := slices.Concat(j.args[:1], []string{a.Compare}, j.args[1:])
	if len(dirs) > run.MaxCompared {
		return usagef("%d runs to compare: expected up to %d", len(dirs), run.MaxCompared)
	}
	if _, err := j.claimOutputs([]output{{path: a.HTML, kind: inspect.KindPage, compared: true}}, dirs...); err != nil {
		return err
	}
	comparison, err := run.CompareRuns(j.Context(), dirs)
	if err != nil {
		return err
	}
	return a.show(j, "", comparison.Doc())
}

// compareFiles compares two files of weights, or two books.
func (a *inspectArgs) compareFiles(j *job, file string) error {
	if err := j.notWith("a comparison of weights or books", "head", "salvage"); err != nil {
		return err
	}
	kind, err := inspect.Comparable(file, a.Compare)
	if err != nil {
		return err
	}
	if kind != inspect.KindWeights {
		if err := j.notWith("a comparison of books", "on", "where"); err != nil {
			return err
		}
	}
	if a.On == "" {
		if err := j.notWith("drawn boards", "where"); err != nil {
			return err
		}
	}
	page := output{path: a.HTML, kind: inspect.KindPage, compared: true}
	if _, err := j.claimOutputs([]output{page}, file, a.Compare, a.On); err != nil {
		return err
	}
	o := inspect.CompareOptions{On: a.On, Where: a.Where, Progress: j.progress("reading", "rows")}
	comparison, err := inspect.CompareFiles(j.Context(), file, a.Compare, inspectGames(), o)
	if err != nil {
		return err
	}
	return a.show(j, "", comparison)
}

// show prints a document, or writes it as a page. The name, if any, precedes the title.
func (a *inspectArgs) show(j *job, name string, d *outline.Doc) error {
	if a.HTML == "" {
		return j.show(name, d)
	}
	if name != "" {
		d.Title = name + ": " + d.Title
	}
	if err := report.WriteHTML(a.HTML, d); err != nil {
		return err
	}
	return j.print(d.Value, "page in %s\n", a.HTML)
}
