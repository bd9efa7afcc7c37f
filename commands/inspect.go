package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/internal/journal"
	"kroo/regress/profile"
	"kroo/report"
	"kroo/run/inspect"
)

// inspectArgs are what the command line says.
type inspectArgs struct {
	files          []string
	asJSON         bool
	where, weights string
	against        []string
	compare        string
	head           int
	html           string
	salvage        bool
}

func inspectCommand() *cobra.Command {
	var a inspectArgs
	cmd := &cobra.Command{
		Use:   "inspect FILE [WEIGHTS]",
		Short: "describe a file: dataset, weights, book, games, endgame table, journal or run",
		Long: `Describes a file and what made it: a dataset, weights, a book, games, an endgame table, a
journal, or the folder of a run with its stages, files and results. The name default
means the weights, book and endgame table that come with the program; other evaluations
can be named too.

For a dataset: every column's range, quartiles, mean and missing values, rows by
phase, labels, duplicates, and features with their correlations, leverage and
effects. Memory does not depend on the number of rows.
--where selects rows (train help filters); --against finds the same
situations in other datasets; --compare OTHER shows how much each column differs from
the same column of another dataset, and how much chance alone would; --weights
compares labels with an evaluation, by phase and feature, and shows the worst
positions; --head shows rows as boards, labels in seeds; --html writes a page
with plots.

Two weights, by file or name, are compared side by side.

A journal that is damaged in the middle cannot be resumed. --salvage keeps what is
whole before the damage, and reports what was lost.`,
		Example: "  train inspect runs/quick\n" +
			"  train inspect runs/quick/features.parquet --html features.html\n" +
			"  train inspect labels.parquet --where 'phase>=20, exact=false' --weights champion.weights --head 3\n" +
			"  train inspect labels.parquet --compare yesterday.parquet\n" +
			"  train inspect thesis4 weights.json",
		Args: someArgs(1, 2, "a file, the folder of a run or a name, or two weights"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.files = args
			return a.run(cmd)
		},
	}
	f := cmd.Flags()
	jsonFlag(cmd, &a.asJSON)
	whereFlag(cmd, &a.where)
	f.StringSliceVar(&a.against, "against", nil, "datasets to look for the same situations in")
	f.StringVar(&a.compare, "compare", "", "dataset to compare the columns with")
	f.StringVar(&a.weights, "weights", "", "evaluation to compare labels with: a file or a name")
	f.BoolVar(&a.salvage, "salvage", false, "cut a damaged journal before the damage, so that its work can resume; keeps a copy")
	intFlag(cmd, &a.head, "head", 0, 0, 10_000, "rows of a dataset to show as boards")
	f.StringVar(&a.html, "html", "", "page to write")
	forceFlag(cmd)
	return cmd
}

func (a inspectArgs) run(cmd *cobra.Command) error {
	if a.salvage {
		if len(a.files) != 1 {
			return usagef("--salvage takes one journal")
		}
		s, err := journal.Salvage(a.files[0])
		if err != nil {
			return err
		}
		return show(cmd, a.files[0], s)
	}
	if len(a.files) == 2 {
		s, err := inspected().Compare(a.files[0], a.files[1])
		if err != nil {
			return err
		}
		return show(cmd, "", s.Doc())
	}
	if kind, err := inspect.KindOf(a.files[0]); err == nil && kind == inspect.KindDataset {
		return a.dataset(cmd)
	}
	s, err := inspect.File(cmd.Context(), a.files[0], inspected())
	if err != nil {
		return err
	}
	if a.where != "" || a.against != nil || a.compare != "" || a.weights != "" || a.head > 0 || a.html != "" {
		return usagef("%s is no dataset: expected one for --where, --against, --compare, --weights, --head and --html", a.files[0])
	}
	return show(cmd, a.files[0], s)
}

func (a inspectArgs) dataset(cmd *cobra.Command) error {
	g, meta, err := gameOfDataset(a.files[0])
	if err != nil {
		return err
	}
	return g.inspectDataset(cmd, a, meta.Rules)
}

func (g gameOf[P]) inspectDataset(cmd *cobra.Command, a inspectArgs, rules string) error {
	o := profile.Options[P]{Where: a.where, Against: a.against, Compare: a.compare, Head: a.head}
	if a.weights != "" {
		e, predict, err := g.kit.InPoints(rules, a.weights)
		if err != nil {
			return err
		}
		o.Weights, o.Predict = e.Name, predict
	}
	if a.html != "" {
		page := []output{{path: a.html, holds: inspect.KindPage, compared: true}}
		if _, err := takeOutputs(cmd, page, append(a.against, a.files[0], a.compare, a.weights)...); err != nil {
			return err
		}
	}
	update, finish := progress("reading", "rows")
	o.Progress = update
	s, err := profile.Of(cmd.Context(), g.kit.Game, a.files[0], o)
	finish()
	if err != nil {
		return err
	}
	d := s.Doc()
	if a.html == "" {
		return show(cmd, a.files[0], d)
	}
	d.Title = s.File + ": " + d.Title
	if err := report.WriteHTML(a.html, d); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "page in %s\n", a.html)
	return err
}
