package commands

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/features"
	"kroo/inspect"
	"kroo/internal/vfs"
	"kroo/regress"
)

// fitFlags are those of both kinds of fit.
type fitFlags struct {
	dense    regress.FitRequest
	patterns regress.PatternRequest
	ridge    string
	game     string
	validate []string
}

func fitCommand() *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit LABELS... | FEATURES",
		Short: "fit weights to labelled positions",
		Long: `Fits the weights of pattern features to datasets of labels, from the view of
the side to move, and writes two files: NAME.weights, the tables that an engine
plays with, and NAME.model, the weight of every column. --loss chances counts
errors in winning chances, tanh(score/--scale), instead of seeds. --ridge is
the number of rows that say a weight is 0: one number, or one for each family
(houses=1,pairs=10), or "cv" to choose by cross-validation. A fit that is
stopped goes on where it was when the same command runs again.

--prior takes the weights of an earlier fit along: the penalties pull to them
instead of to 0, so that new rows add to what older ones have taught.

Given a dataset of features instead, it fits the weights of the thesis's
antisymmetric sets by least squares, and of columns that another program has
computed (adopt --columns). Backward elimination drops the features that matter
least as long as the correlation stays within --tolerance. Standard errors allow
for the likeness of positions of one game, and do not depend on the scale of
weights. A feature that those before it determine has no weight (NA).

--where leaves out rows, and --weight counts each as often as a column says.`,
		Example: `  train fit labels.parquet -o champion.weights --set store+houses+pairs+triples --loss chances --ridge 10
  train fit features.parquet -o weights.json --select backward --validate features-validation.parquet`,
		Args: someArgs(1, 1000, "datasets of labels, or one of features"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.add(cmd)
	jsonFlag(cmd, new(bool))
	return cmd
}

func (f *fitFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	gameFlag(cmd, &f.game)
	s.StringSliceVar(&f.validate, "validate", nil, "datasets of the same kind to measure on")
	s.StringVar(&f.ridge, "ridge", "", "penalty: a number, FAMILY=NUMBER,…, or cv (labels only; default 5 for labels, 0 for features)")
	p := &f.patterns
	s.StringVar(&p.Set, "set", "", "families of pattern features, joined by +, see train help sets (default in "+allGames[0].info().Name+" "+allGames[0].patternSet()+")")
	s.StringVar(&p.Loss, "loss", "squares", "squares, chances or cross-entropy")
	s.Float64Var(&p.Scale, "scale", regress.DefaultScale, "of winning chances, in hundredths of the game's unit: centi-seeds in oware")
	s.IntVar(&p.Folds, "folds", 5, "parts of the rows for --ridge cv")
	s.Int64Var(&p.MinCount, "min-count", 1, "rows that a column is seen in to get a weight")
	s.Int64Var(&p.Merge, "merge", 0, "rows that a column is seen in to get a weight of its own: below, it shares that of a cell with fewer seeds, down to 4 a house; one never seen has weight 0 (default none is merged)")
	s.IntVar(&p.Rounds, "rounds", 0, "most outer steps of the solver (default 30)")
	s.IntVar(&p.Steps, "steps", 0, "most conjugate-gradient steps a round (default 100)")
	s.StringVar(&p.Prior, "prior", "", "weights that the new ones stay close to, and keep where no row has them: default, compiled ones, or a model of the same set (labels only)")
	s.Float64Var(&p.Trust, "trust", 1, "rows that --prior counts for, to one of those given")
	s.BoolVar(&p.Curve, "curve", false, "fit shares of the rows too, for a learning curve: would more rows help? (with --validate)")
	s.IntVar(&p.Round, "round", 0, "round of the training, for the record")
	workersFlag(cmd, &p.Workers)
	rowFlags(cmd, &p.Where, &p.Weight)
	d := &f.dense
	s.StringSliceVar(&d.Columns, "columns", nil, "features to fit, by name, of those of the dataset (features only; default all)")
	s.StringVar(&d.Select, "select", "none", "none, backward (drops the least |t|) or least-weight (features only)")
	s.Float64Var(&d.Tolerance, "tolerance", regress.DefaultTolerance, "of R, for --select")
	outFlag(cmd, &d.Out, "weights to write: .weights for labels, .json for features")
}

func (f *fitFlags) run(cmd *cobra.Command, args []string) error {
	if err := needOut(f.dense.Out); err != nil {
		return err
	}
	if err := oneOf("select", f.dense.Select, regress.Selections()...); err != nil {
		return err
	}
	if f.ridge != "cv" && f.ridge != "" {
		if _, _, err := parseRidge(f.ridge); err != nil {
			return err
		}
	}
	if err := noZeros(cmd.Flags(), "scale", "folds"); err != nil {
		return err
	}
	if f.patterns.Curve && len(f.validate) == 0 {
		return usagef("--curve is given: expected --validate with it, to measure on")
	}
	for i, path := range args {
		if slices.Contains(args[:i], path) {
			return usagef("%s is given twice: its rows would count twice; for that there is --weight", path)
		}
	}
	g, meta, err := gameOfDataset(args[0])
	if err != nil {
		return err
	}
	if err := ofGame(cmd, args[0], f.game); err != nil {
		return err
	}
	if meta.Weighted && f.patterns.Weight == "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: each row counts once; with --weight weight as often as its weight says\n", args[0])
	}
	switch {
	case meta.Kind == datasets.Features:
		f.ridge = cmp.Or(f.ridge, "0")
		if err := notWith(cmd, "a dataset of features", "set", "loss", "scale", "folds", "diagnose", "min-count", "merge",
			"rounds", "steps", "solve-to", "cache", "start", "prior", "trust", "round"); err != nil {
			return err
		}
		return g.fitFeatures(cmd, f, meta.Rules, args)
	case meta.Kind == datasets.Labels && g.patternSet() == "":
		return fmt.Errorf("%s: %s has no pattern features: make a table with train features, and fit that", args[0], meta.Game)
	case meta.Kind == datasets.Labels:
		if err := notWith(cmd, "datasets of labels", "select", "tolerance", "columns"); err != nil {
			return err
		}
		f.ridge = cmp.Or(f.ridge, "5") // without one, rare columns get weights that no table holds
		if !cmd.Flags().Changed("set") {
			f.patterns.Set = g.patternSet()
		}
		return g.fitPatterns(cmd, f, meta.Rules, args)
	}
	return fmt.Errorf("%s: holds %s: expected labels or features", args[0], meta.Kind)
}

// notWith refuses flags that would do nothing with what is given.
func notWith(cmd *cobra.Command, given string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return usagef("--%s does nothing with %s: leave it out", name, given)
		}
	}
	return nil
}

func (g gameOf[P]) fitPatterns(cmd *cobra.Command, f *fitFlags, rules string, args []string) error {
	req := f.patterns
	req.Labels, req.Validation, req.Out = args, f.validate, f.dense.Out
	if req.Prior == "" {
		if cmd.Flags().Changed("trust") {
			return usagef("--trust is given: expected --prior with it")
		}
		req.Trust = 0
	}
	var err error
	if req.Choose = f.ridge == "cv"; !req.Choose {
		if req.Ridge, req.Ridges, err = parseRidge(f.ridge); err != nil {
			return err
		}
	}
	if err := g.checkPatterns(rules, req.PatternConfig); err != nil {
		return usageError{err}
	}
	if !strings.HasSuffix(req.Out, features.CompiledSuffix) {
		return usagef("-o is %q: expected a name that ends in %s", req.Out, features.CompiledSuffix)
	}
	outputs := []output{{path: req.Out, holds: inspect.KindWeights}, {path: features.ModelPath(req.Out), holds: inspect.KindWeights}}
	if req.Made, err = takeOutputs(cmd, outputs, slices.Concat(args, f.validate, []string{req.Prior})...); err != nil {
		return err
	}
	begin := time.Now()
	sum, err := g.fitShown(cmd, req)
	if err != nil {
		journal := regress.StatePath(req.Out)
		if _, gone := vfs.Stat(journal); gone != nil {
			journal = regress.TrialsPath(req.Out)
		}
		return resumable{err, thisCommand(), journal}
	}
	out := text(cmd)
	if err := value(cmd, sum); err != nil {
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), speed(int64(sum.Train.Rows), "rows", time.Since(begin)))
	fmt.Fprintf(out, "%s\nmodel %s in %s\n", sum.Text(g.info()), sum.Hash, sum.Model)
	if sum.Compiled == "" {
		return fmt.Errorf("%s is not written: %s", req.Out, sum.WhyNot)
	}
	within := ""
	if sum.Compiled != sum.Model {
		within = fmt.Sprintf(", within %.2f centi-seeds", sum.Rounding)
	}
	fmt.Fprintf(out, "compiled %s in %s%s\n", sum.Play, sum.Compiled, within)
	tryNext(out, g.nextMatch(rules, sum.Compiled))
	return nil
}

// fitShown fits and shows how far it is: rows read, and then steps.
func (g gameOf[P]) fitShown(cmd *cobra.Command, req regress.PatternRequest) (regress.PatternSummary, error) {
	reading, read := progress("reading", "rows")
	step, finish := progress("fit", "steps")
	req.Reading = reading
	defer finish()
	readOnce := sync.OnceFunc(read)
	defer readOnce()
	return regress.FitPatterns(cmd.Context(), g.kit.Patterns, req, func(done, total int64, note string) { readOnce(); step(done, total, note) })
}

// nextMatch is a match of fitted weights against the game's plainest evaluation.
func (g gameOf[P]) nextMatch(rules, weights string) string {
	line := "match" + matchFlagsFor(g.info(), rules) + " --a " + quotedPlayer(weights)
	if g.kit.Plain != "" {
		line += " --b " + g.kit.Plain
	}
	return line
}

// patternSet is the spec of the usual set of pattern features.
func (g gameOf[P]) patternSet() string { return g.kit.Patterns.Usual }

func (g gameOf[P]) checkPatterns(rules string, c regress.PatternConfig) error {
	return regress.CheckPatterns(g.kit.Patterns, rules, c)
}

func (g gameOf[P]) fitFeatures(cmd *cobra.Command, f *fitFlags, rules string, args []string) error {
	req := f.dense
	if len(args) != 1 || len(f.validate) > 1 {
		return usagef("%d datasets of features, %d to validate: expected one, and at most one", len(args), len(f.validate))
	}
	ridge, families, err := parseRidge(f.ridge)
	if err != nil {
		return err
	}
	if families != nil {
		return usagef("--ridge %s: expected one number for features", f.ridge)
	}
	if strings.HasSuffix(req.Out, features.CompiledSuffix) {
		return usagef("-o is %q: features give weights by name, in JSON: expected a name that ends in .json", req.Out)
	}
	req.Training, req.Ridge = args[0], ridge
	req.Where, req.Weight, req.Curve = f.patterns.Where, f.patterns.Weight, f.patterns.Curve
	if err := req.Config.Check(); err != nil {
		return usageError{err}
	}
	if len(f.validate) == 1 {
		req.Validation = f.validate[0]
	}
	if req.Made, err = takeOutputs(cmd, []output{{path: req.Out, holds: inspect.KindWeights}}, req.Training, req.Validation); err != nil {
		return err
	}
	update, finish := progress("fit", "rows")
	begin := time.Now()
	sum, err := regress.FitFiles(cmd.Context(), g.kit.Sets, req, update)
	finish()
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), speed(int64(sum.Full.Train.Rows), "rows", time.Since(begin)))
	if err := value(cmd, sum); err != nil {
		return err
	}
	fmt.Fprintf(text(cmd), "%s\nweights of %s in %s\n", sum.Text(g.info()), strings.Join(sum.Selected.Features, " "), req.Out)
	if columnWeights(req.Out) != nil {
		tryNext(text(cmd), "evaluate "+quoted(req.Out)+" "+quoted(args[0]), "weights export "+quoted(req.Out)+" --format c")
	} else {
		tryNext(text(cmd), "inspect "+quoted(req.Out), g.nextMatch(rules, req.Out))
	}
	return nil
}
