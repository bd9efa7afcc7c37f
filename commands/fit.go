package commands

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/datasets"
	"kroo/features"
	"kroo/internal/console"
	"kroo/internal/journal"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/regress"
	"kroo/run/inspect"
)

type fitArgs struct {
	regress.Request
	Ridge ridge `name:"ridge" help:"penalty: a number; for labels also FAMILY=NUMBER,… for families that differ, or cv (default 5 for labels, 0 for features)"`
}

func fitCommand() *cobra.Command {
	var f fitArgs
	return newCommand(&cobra.Command{
		Use:   "fit LABELS... | FEATURES",
		Short: "fit weights to labelled positions",
		Long: `Fits the weights of pattern features to datasets of labels, for the side to move, and
writes two files: NAME.weights, the tables that an engine plays with, and NAME.model,
the weight of every column. --loss chances minimises errors in winning chances,
tanh(score/--scale), instead of seeds. --ridge is the weight of the penalty, in rows
that say that a weight is 0: one number, one for each family (houses=1,pairs=10), or
"cv" to choose one of 0.3, 1, 3, 10, 30 and 100 by cross-validation. A journal keeps
finished rounds: if the fit is stopped, the same command resumes. Any number of rows
can be fitted: rows beyond --memory go to a temporary file, NAME.weights.rows. The
weights are byte-identical for any --memory.

--prior starts from the weights of an earlier fit: the penalty pulls towards them
instead of 0, so new rows refine that fit.

Given a dataset of features instead, it fits the weights of an antisymmetric set by least
squares, or of columns that another program has computed (adopt --columns). Backward
elimination removes the least important features while the correlation stays within
--tolerance. Standard errors are clustered by game and do not depend on the scale of row
weights. A feature that is a combination of earlier ones has no weight (NA).

--where selects rows, --weight multiplies each row by the value of a column.`,
		Example: `  train fit labels.parquet -o champion.weights --set store+houses+pairs+triples --loss chances --ridge 10
  train fit features.parquet -o weights.json --select backward --validate features-validation.parquet`,
	}, f.run, &f)
}

func (f *fitArgs) run(j *job) error {
	if f.Curve && len(f.Validation) == 0 {
		return usagef("--curve needs --validate, to measure on")
	}
	if err := cmp.Or(checkDistinct(j.args), checkDistinct(f.Validation)); err != nil {
		return err
	}
	f.Rows = j.args
	g, meta, err := gameOfDataset(f.Rows[0])
	if err != nil {
		return err
	}
	if meta.Weighted && f.Weight == "" {
		j.note("%s: each row counts once; --weight weight uses the column weight\n", f.Rows[0])
	}
	if err := onlyFor(j.Command, meta.Kind); err != nil {
		return err
	}
	if set := g.names().patterns; meta.Kind == datasets.Labels && set != "" && !j.given("set") {
		f.Set = set
	}
	if err := f.setRidge(meta.Kind); err != nil {
		return err
	}
	if err := f.refuseUnused(j); err != nil {
		return err
	}
	if f.Prior != "" && !j.given("trust") {
		f.Trust = 1
	}
	return g.fit(j, f, meta)
}

// refuseUnused refuses flags that have no effect with others.
func (f *fitArgs) refuseUnused(j *job) error {
	if f.Loss == "squares" {
		if err := j.notWith("--loss squares", "scale"); err != nil {
			return err
		}
	}
	if !f.Choose {
		if err := j.notWithout("--ridge cv", "folds"); err != nil {
			return err
		}
	}
	if f.Linear.Select == "none" {
		if err := j.notWith("--select none", "tolerance"); err != nil {
			return err
		}
	}
	if f.Prior == "" {
		return j.notWithout("--prior", "trust")
	}
	return nil
}

// onlyFor refuses flags that apply to the other kind of rows.
func onlyFor(cmd *cobra.Command, kind string) (err error) {
	own, other := "datasets of labels", regress.OfFeatures
	if kind == datasets.Features {
		own, other = "a dataset of features", regress.OfPatterns
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(f.Annotations[spec.Group], other) {
			err = usagef("--%s has no effect with %s: leave it out", f.Name, own)
		}
	})
	return err
}

// ridge is the penalty of all weights and those of single families, or "cv".
type ridge struct {
	text     string
	number   float64
	families map[string]float64 // nil if none is named
}

const byCrossValidation = "cv"

// defaultRidge is the penalty of pattern weights unless --ridge gives another. Without one, weights of
// rare columns may exceed the engine's tables.
const defaultRidge = 5

// UnmarshalText implements [encoding.TextUnmarshaler]. The text is a number, numbers of families, such
// as "10,houses=1", or "cv". Families without a number get the one without a name, or the default.
func (r *ridge) UnmarshalText(text []byte) error {
	*r = ridge{text: string(text)}
	if r.text == byCrossValidation {
		return nil
	}
	given := map[string]float64{}
	for word := range strings.SplitSeq(r.text, ",") {
		name, number, named := strings.Cut(word, "=")
		if !named {
			name, number = "", word
		}
		name = strings.TrimSpace(name)
		v, err := strict.Number(strings.TrimSpace(number))
		if err != nil || !(v >= 0 && v <= 1e12) || named && name == "" {
			return errors.New("expected a number of 0 to 1e9 (1e12 for features), or FAMILY=NUMBER, separated by commas")
		}
		if _, again := given[name]; again {
			return fmt.Errorf("%q: a family may be given only once: expected one number for all, such as 5, and NAME=NUMBER for exceptions", word)
		}
		given[name] = v
	}
	all, ok := given[""]
	if !ok {
		all = defaultRidge
	}
	r.number = all
	delete(given, "")
	if len(given) > 0 {
		r.families = given
	}
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (r ridge) MarshalText() ([]byte, error) { return []byte(r.text), nil }

// setRidge applies --ridge to the settings for a kind of rows.
func (f *fitArgs) setRidge(kind string) error {
	f.Choose = f.Ridge.text == byCrossValidation
	f.RidgeRows = f.Ridge.number
	f.Ridges = f.Ridge.families
	f.Linear.RelativeRidge = f.Ridge.number
	if kind == datasets.Features && (f.Choose || f.Ridges != nil) {
		return usagef("--ridge %s: expected one number for features", f.Ridge.text)
	}
	if kind == datasets.Labels && (f.Ridge.text == "" || f.Choose) {
		f.RidgeRows = defaultRidge
	}
	return nil
}

// outputs returns the weights to write, and the model of pattern weights next to them.
func (f *fitArgs) outputs(kind string) []output {
	if kind == datasets.Features {
		return []output{{path: f.Out, kind: inspect.KindWeights, forms: jsonForm}}
	}
	return []output{
		{
			path:    f.Out,
			kind:    inspect.KindWeights,
			forms:   []string{features.CompiledSuffix},
			journal: journal.PathOf(f.Out),
		},
		{path: features.ModelPath(f.Out), kind: inspect.KindWeights},
	}
}

func (g gameOf[P]) fit(j *job, f *fitArgs, meta datasets.Meta) error {
	if meta.Kind == datasets.Labels && slices.Contains(g.kit.Sets.Names(), f.Set) {
		return usagef("--set %s: it is an antisymmetric set, which is fitted to a dataset of features: first run "+
			"`%s features %s --set %[1]s -o features.parquet`, then `%[2]s fit features.parquet -o weights.json`",
			f.Set, wording.Program(), quotePath(f.Rows[0]))
	}
	err := f.Linear.Check()
	if meta.Kind == datasets.Labels && g.kit.Sets.Patterns != nil {
		err = regress.CheckPatterns(g.kit.Sets, f.PatternConfig)
	}
	if err != nil {
		return asUsage(err)
	}
	if meta.Kind == datasets.Features && (len(f.Rows) != 1 || len(f.Validation) > 1) {
		return usagef("%d datasets of features, %d to validate: expected one, and at most one", len(f.Rows), len(f.Validation))
	}
	outputs := f.outputs(meta.Kind)
	f.Made, err = j.claimOutputs(outputs, slices.Concat(f.Rows, f.Validation, []string{f.Prior})...)
	if err != nil {
		return err
	}
	start := time.Now()
	var update parallel.Progress
	f.Reading = j.progress("reading", "rows")
	if meta.Kind == datasets.Features {
		update = j.progress("fit", "rows")
	} else {
		update = j.progress("fit", "steps")
	}
	s, err := regress.Fit(j.Context(), g.kit.Sets, f.Request, update)
	if err != nil {
		return err
	}
	rows := s.Full.Train.Rows
	d := s.Doc(g.info())
	if s.Set == "" {
		d.Addf("weights of %s in %s", strings.Join(s.Selected.Features, " "), f.Out)
	} else {
		rows = s.Train.Rows
		d.Add(outline.Section{Text: []string{
			fmt.Sprintf("weights in %s, compiled for the engine: values within %s %ss of the fit", s.Compiled,
				outline.Significant(s.Rounding/100, 2), g.info().Unit),
			fmt.Sprintf("the fit itself in %s, for --prior, inspect and weights export", s.Model),
		}})
	}
	j.note("%s\n", console.Speed(int64(rows), "rows", time.Since(start)))
	if err := j.show("", d); err != nil {
		return err
	}
	if columnWeights(f.Out) != nil {
		j.next(g.info(), meta.Rules, "evaluate %s %s", quotePath(f.Out), quotePath(f.Rows[0]))
	} else {
		player := f.Out
		if strings.Contains(player, "=") { // it would be read as KEY=VALUE
			player = "weights=" + strings.ReplaceAll(player, ",", `\,`)
		}
		previous := cmp.Or(g.previousWeights(f.Prior, meta), g.kit.Plain, "default")
		j.next(g.info(), meta.Rules, "match --a %s --b %s", quotePath(player), previous)
	}
	return nil
}

// previousWeights names the weights that new ones are to beat: of --prior, or the ones that scored the
// rows; "" if they were scored by something else.
func (g gameOf[P]) previousWeights(prior string, meta datasets.Meta) string {
	switch {
	case prior != "":
		return quotePath(prior)
	case slices.Contains(g.kit.Names, meta.Evaluator):
		return meta.Evaluator
	case strings.HasPrefix(meta.Evaluator, "weights "):
		return cmp.Or(g.findWeights(meta), "PREVIOUS.weights")
	}
	return ""
}

// findWeights returns the file of the weights that scored a dataset, which records their hash but not the
// file; "" if it is neither in this folder nor in one of runs.
func (g gameOf[P]) findWeights(meta datasets.Meta) string {
	runs, err := vfs.ReadDir("runs")
	if err != nil {
		runs = nil // there is no such folder
	}
	folders := []string{"."}
	for _, r := range runs {
		folders = append(folders, filepath.Join("runs", r.Name()))
	}
	for _, folder := range folders {
		entries, err := vfs.ReadDir(folder)
		if err != nil {
			continue // a file
		}
		for _, entry := range entries {
			path := filepath.Join(folder, entry.Name())
			if g.isEvaluation(path, meta) {
				return quotePath(path)
			}
		}
	}
	return ""
}

// isEvaluation reports whether a file has the weights that scored a dataset.
func (g gameOf[P]) isEvaluation(path string, meta datasets.Meta) bool {
	if !hasForm(path, []string{".json", features.CompiledSuffix}) {
		return false
	}
	kind, err := inspect.KindOf(path)
	if err != nil || kind != inspect.KindWeights {
		return false
	}
	e, err := g.kit.Evaluation(path, meta.Rules)
	return err == nil && e.Name == meta.Evaluator
}
