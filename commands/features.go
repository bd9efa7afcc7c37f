package commands

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kroo/features"
	"kroo/regress"
	"kroo/run/inspect"
)

func featuresCommand() *cobra.Command {
	var out, set, name, where string
	var list, sparse bool
	cmd := &cobra.Command{
		Use:   "features LABELS",
		Short: "compute features of labelled positions, or list the sets",
		Long: `Makes a table of the features of labelled positions, to fit antisymmetric sets and to
inspect. Pattern features need no table: train fit computes them from labels.

--sparse instead writes the matrix of pattern features for other programs:
NAME.npz for scipy.sparse.load_npz, NAME.parquet with row, column and
value, or NAME.mtx, MatrixMarket for R, Julia and scipy.io.mmread; with the labels of the
rows in NAME.labels.csv and the column names in NAME.columns.csv.

--list lists the sets, and the families that pattern sets are composed of.`,
		Example: "  train features labels.parquet -o features.parquet --set thesis\n" +
			"  train features labels.parquet -o design.npz --set store+houses --sparse\n  train features --list",
		Args: someArgs(0, 1, "the dataset of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return listFeatures(cmd.OutOrStdout(), name)
			}
			if len(args) != 1 {
				return usagef("no dataset of labels: give one, or --list")
			}
			if sparse {
				return writeDesign(cmd, args[0], out, set, where, name)
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
			return g.tabulate(cmd, args[0], out, set, where)
		},
	}
	cmd.Flags().StringVar(&set, "set", "thesis", "feature set, see train help sets; --list shows them (default for chess, othello, tictactoe: squares; for 6x6: squares6)")
	cmd.Flags().BoolVar(&list, "list", false, "list the feature sets and families of --game")
	cmd.Flags().BoolVar(&sparse, "sparse", false, "write the matrix of pattern features, --set FAMILY+FAMILY…, for other programs")
	whereFlag(cmd, &where)
	gameFlag(cmd, &name)
	outFlag(cmd, &out, "dataset to write (.parquet, .arrow or .csv; .npz, .parquet or .mtx with --sparse)")
	return cmd
}

// writeDesign writes the matrix of pattern features.
func writeDesign(cmd *cobra.Command, in, out, set, where, name string) error {
	if err := needOut(out); err != nil {
		return err
	}
	paths, err := regress.DesignPaths(out)
	if err != nil {
		return usageError{err}
	}
	g, meta, err := gameOfDataset(in)
	if err != nil {
		return err
	}
	if err := ofGame(cmd, in, name); err != nil {
		return err
	}
	if g.patternSet() == "" {
		return fmt.Errorf("%s: %s has no pattern features", in, meta.Game)
	}
	if !cmd.Flags().Changed("set") {
		set = g.patternSet()
	}
	if err := g.checkPatterns(meta.Rules, regress.PatternConfig{Set: set}); err != nil {
		return usageError{err}
	}
	var outputs []output
	for _, path := range paths {
		holds := inspect.KindUnknown
		if filepath.Ext(path) == ".parquet" {
			holds = inspect.KindDataset
		}
		outputs = append(outputs, output{path: path, holds: holds, compared: true})
	}
	if _, err := takeOutputs(cmd, outputs, in); err != nil {
		return err
	}
	return g.writeDesign(cmd, meta.Rules, regress.DesignRequest{Labels: []string{in}, Where: where, Set: set, Out: out}, paths)
}

func (g gameOf[P]) writeDesign(cmd *cobra.Command, rules string, req regress.DesignRequest, paths []string) error {
	update, finish := progress("features", "rows")
	s, err := regress.WriteDesign(cmd.Context(), g.kit.Patterns, rules, req, update)
	finish()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d rows of %d columns of the set %s, %d entries, in %s; labels in %s, columns in %s\n",
		s.Rows, s.Columns, req.Set, s.Entries, paths[0], paths[1], paths[2])
	return err
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
	if g.kit.Patterns.Families == nil {
		return
	}
	rules := g.info().Rules
	all, under := g.kit.Patterns.Families(rules[0]), ""
	if !slices.Equal(all, g.kit.Patterns.Families(rules[len(rules)-1])) {
		under = "; columns under " + rules[0]
	}
	fmt.Fprintf(w, "\nfamilies of pattern features, for train fit LABELS, joined by + (NAME/2 to NAME/%d: by stage of the game)%s:\n", g.kit.Patterns.MaxStages, under)
	for _, f := range all {
		note := ""
		if !f.Compiles {
			note = " (no table of the engine holds it)"
		}
		fmt.Fprintf(w, "  %s\t%d\t%s%s\n", f.Name, f.To-f.From, f.About, note)
	}
}

func (g gameOf[P]) defaultSet(rules string) string { return g.kit.Sets.Default(rules) }

// featureSets are the antisymmetric sets.
func (g gameOf[P]) featureSets() (all []features.Info) {
	for _, s := range g.kit.Sets.All {
		all = append(all, s.Info)
	}
	return all
}

func (g gameOf[P]) tabulate(cmd *cobra.Command, in, out, set, where string) error {
	update, finish := progress("features", "rows")
	rows, err := regress.Tabulate(cmd.Context(), g.kit.Sets, in, out, set, where, update)
	finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d rows of the set %s in %s\n", rows, set, out)
	return nil
}
