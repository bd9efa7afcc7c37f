package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/internal/outline"
	"kroo/regress"
	"kroo/run/inspect"
)

type featuresArgs struct {
	whereFlag
	gameFlag
	Set    string `name:"set" default:"thesis" help:"feature set, see train help sets; --list shows them (default for chess, othello, tictactoe: squares; for 6x6: squares6)"`
	List   bool   `name:"list" help:"list the feature sets and families of --game"`
	Sparse bool   `name:"sparse" help:"write the matrix of pattern features, --set FAMILY+FAMILY…, for other programs"`
	Out    string `name:"output" flag:"output,o" file:"out" help:"dataset to write (.parquet, .arrow or .csv; only .parquet with --sparse)"`
}

func featuresCommand() *cobra.Command {
	var f featuresArgs
	return newCommand(&cobra.Command{
		Use:   "features [LABELS]",
		Short: "compute features of labelled positions, or list the sets",
		Long: `Makes a table of the features of labelled positions, to fit antisymmetric sets and to
inspect. Pattern features need no table: train fit computes them from labels.

--sparse instead writes the matrix of pattern features for other programs:
NAME.parquet with row, column and value, the labels of the rows in
NAME.labels.csv and the column names in NAME.columns.csv.

--list lists the sets, and the families that pattern sets are composed of.`,
		Example: "  train features labels.parquet -o features.parquet --set thesis\n" +
			"  train features labels.parquet -o design.parquet --set store+houses --sparse\n  train features --list",
	}, f.run, &f)
}

func (f *featuresArgs) run(j *job) error {
	if f.List {
		if len(j.args) > 0 {
			return usagef("--list reads no dataset: leave out %s", j.args[0])
		}
		if err := j.notWith("--list", "set", "sparse", "where", "output", "force"); err != nil {
			return err
		}
		return f.game().listFeatures(j)
	}
	if len(j.args) != 1 {
		return usagef("no dataset of labels: give one, or --list")
	}
	if f.Out == "" {
		return missingOutput(j.Command)
	}
	if err := j.notWith("a dataset", "game"); err != nil {
		return err
	}
	g, meta, err := gameOfDataset(j.args[0])
	if err != nil {
		return err
	}
	return g.features(j, f, meta)
}

func (g gameOf[P]) features(j *job, f *featuresArgs, meta datasets.Meta) error {
	in := j.args[0]
	if f.Sparse {
		return g.writeDesign(j, f, meta)
	}
	if !j.given("set") {
		f.Set = g.kit.Sets.Default(meta.Rules)
	}
	made, err := j.claimOutputs([]output{{path: f.Out, kind: inspect.KindDataset, compared: true}}, in)
	if err != nil {
		return err
	}
	table := regress.Tabulation{In: in, Out: f.Out, Set: f.Set, Where: f.Where, Made: made}
	rows, err := regress.Tabulate(j.Context(), g.kit.Sets, table, j.progress("features", "rows"))
	if err != nil {
		return err
	}
	err = j.print(map[string]any{"file": f.Out, "set": f.Set, "rows": rows}, "%d rows of the set %s in %s\n", rows, f.Set, f.Out)
	if err != nil {
		return err
	}
	j.next(g.info(), meta.Rules, "fit %s -o weights.json", quotePath(f.Out))
	return nil
}

func (g gameOf[P]) writeDesign(j *job, f *featuresArgs, meta datasets.Meta) error {
	in := j.args[0]
	paths, err := regress.DesignPaths(f.Out)
	if err != nil {
		return asUsage(err)
	}
	if g.kit.Sets.Patterns == nil {
		return fmt.Errorf("%s: %s has no pattern features", in, meta.Game)
	}
	if !j.given("set") {
		f.Set = g.kit.Sets.Patterns.DefaultSet
	}
	if err := asUsage(regress.CheckPatterns(g.kit.Sets, regress.PatternConfig{Set: f.Set})); err != nil {
		return err
	}
	var outputs []output
	kind := inspect.KindDataset
	for _, path := range paths {
		outputs = append(outputs, output{path: path, kind: kind, compared: true})
		kind = inspect.KindUnknown // the CSV files
	}
	if _, err := j.claimOutputs(outputs, in); err != nil {
		return err
	}
	s, err := regress.WriteDesign(j.Context(), g.kit.Sets, in, f.Out, f.Set, f.Where, j.progress("features", "rows"))
	if err != nil {
		return err
	}
	return j.print(s, "%d rows of %d columns of the set %s, %d entries, in %s; labels in %s, columns in %s\n",
		s.Rows, s.Columns, f.Set, s.Entries, paths[0], paths[1], paths[2])
}

// listFeatures describes the antisymmetric sets and the families of pattern features.
func (g gameOf[P]) listFeatures(j *job) error {
	sets := outline.NewTable("set", "features", "")
	type listed struct {
		Name     string `json:"name"`
		Features int    `json:"features"`
		About    string `json:"about"`
	}
	var value struct {
		Sets     []listed `json:"sets"`
		Families []listed `json:"families"` // of patterns
	}
	d := &outline.Doc{Value: &value, Sections: []outline.Section{{
		Text:  []string{"antisymmetric sets, for train features and train fit FEATURES:"},
		Table: sets,
	}}}
	for _, s := range g.names().sets {
		sets.Add(s.Name, s.Len(), s.About)
		value.Sets = append(value.Sets, listed{s.Name, s.Len(), s.About})
	}
	if patterns := g.kit.Sets.Patterns; patterns != nil {
		families := outline.NewTable("family", "columns", "")
		for _, f := range patterns.Families {
			families.Add(f.Name, f.To, f.About)
			value.Families = append(value.Families, listed{f.Name, f.To, f.About})
		}
		d.Add(outline.Section{
			Table: families,
			Text:  []string{fmt.Sprintf("families of pattern features, for train fit LABELS, joined by + (NAME/2 to NAME/%d: by stage of the game):", patterns.MaxStages)},
		})
	}
	return j.show("", d)
}
