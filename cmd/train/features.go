package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kroo/features"
	"kroo/inspect"
	"kroo/regress"
)

func featuresCommand() *cobra.Command {
	var out, set, name string
	var list bool
	cmd := &cobra.Command{
		Use:   "features LABELS",
		Short: "compute the features of every labelled position, or list the sets",
		Long: `Makes a table of the features of labelled positions, for fits of antisymmetric
sets and for looking at. Pattern features need no table: train fit makes them
from labels as it goes.

--list shows the sets, and the families that pattern sets are composed of.`,
		Example: "  train features labels.parquet -o features.parquet --set thesis\n  train features --list",
		Args:    someArgs(0, 1, "the dataset of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return listFeatures(cmd.OutOrStdout(), name)
			}
			if len(args) != 1 {
				return usagef("no dataset of labels: give one, or --list")
			}
			if !cmd.Flags().Changed("set") {
				if g, meta, err := gameOfDataset(args[0]); err == nil { // else the work says what is wrong
					set = g.defaultSet(meta.Rules)
				}
			}
			if err := needOut(out); err != nil {
				return err
			}
			if err := knownSet(set); err != nil {
				return err
			}
			if err := ofGame(cmd, args[0], name); err != nil {
				return err
			}
			if _, err := takeOutputs(cmd, []output{{path: out, holds: inspect.KindDataset, compared: true}}, args[0]); err != nil {
				return err
			}
			g, _, err := gameOfDataset(args[0])
			if err != nil {
				return err
			}
			return g.tabulate(cmd, args[0], out, set)
		},
	}
	cmd.Flags().StringVar(&set, "set", "thesis", "feature set; --list shows them (default for chess, othello, tictactoe: squares; for 6x6: squares6)")
	cmd.Flags().BoolVar(&list, "list", false, "list the feature sets and families of --game")
	gameFlag(cmd, &name)
	outFlag(cmd, &out, "dataset to write (.parquet, .arrow, .csv or .arff)")
	return cmd
}

// knownSet refuses a name that is no feature set of any game.
func knownSet(name string) error {
	var known []string
	for _, g := range allGames {
		for _, s := range g.featureSets() {
			known = append(known, s.Name)
		}
	}
	slices.Sort(known)
	return oneOf("set", name, slices.Compact(known)...)
}

// listFeatures shows each set and family with a line and its size.
func listFeatures(out io.Writer, name string) error {
	g, err := gameNamed(name)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "antisymmetric sets, for train features and train fit FEATURES:")
	for _, s := range g.featureSets() {
		fmt.Fprintf(w, "  %s\t%d\t%s\n", s.Name, s.Len(), s.About)
	}
	g.listPatterns(w)
	return w.Flush()
}

// listPatterns shows the families of pattern features, if there are any.
func (g gameOf[P]) listPatterns(w io.Writer) {
	if g.patterns.Families == nil {
		return
	}
	rules := g.info().Rules
	all, under := g.patterns.Families(rules[0]), ""
	if !slices.Equal(all, g.patterns.Families(rules[len(rules)-1])) {
		under = "; columns under " + rules[0]
	}
	fmt.Fprintf(w, "\nfamilies of pattern features, for train fit LABELS, joined by + (NAME/2 to NAME/%d: by stage of the game)%s:\n", g.patterns.MaxStages, under)
	for _, f := range all {
		note := ""
		if !f.Compiles {
			note = " (no table of the engine holds it)"
		}
		fmt.Fprintf(w, "  %s\t%d\t%s%s\n", f.Name, f.To-f.From, f.About, note)
	}
}

func (g gameOf[P]) defaultSet(rules string) string { return g.sets.Default(rules) }

// featureSets are the antisymmetric sets.
func (g gameOf[P]) featureSets() (all []features.Info) {
	for _, s := range g.sets.All {
		all = append(all, s.Info)
	}
	return all
}

func (g gameOf[P]) tabulate(cmd *cobra.Command, in, out, set string) error {
	update, finish := progress("features", "rows")
	rows, err := regress.Tabulate(cmd.Context(), g.sets, in, out, set, update)
	finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d rows of the set %s in %s\n", rows, set, out)
	tryNext(cmd.OutOrStdout(), fmt.Sprintf("fit %s -o weights.json --select backward", quoted(out)))
	return nil
}
