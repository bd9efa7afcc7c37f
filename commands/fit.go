package commands

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/datasets"
	"kroo/features"
	"kroo/internal/spec"
	"kroo/internal/vfs"
	"kroo/regress"
	"kroo/run/inspect"
)

// fitFlags are what the command line says.
type fitFlags struct {
	regress.Request
	ridge, game string
}

func fitCommand() *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit LABELS... | FEATURES",
		Short: "fit weights to labelled positions",
		Long: `Fits the weights of pattern features to datasets of labels, for the side to move, and
writes two files: NAME.weights, the tables that an engine plays with, and NAME.model,
the weight of every column. --loss chances minimises errors in winning chances,
tanh(score/--scale), instead of seeds. --ridge is the weight of the penalty, in rows
that say that a weight is 0: one number, one for each family (houses=1,pairs=10), or
"cv" to choose by cross-validation. A fit that is stopped resumes when the same command
runs again.

--prior starts from the weights of an earlier fit: the penalties pull towards them
instead of 0, so new rows add to what older ones have taught.

Given a dataset of features instead, it fits the weights of an antisymmetric set by least
squares, or of columns that another program has computed (adopt --columns). Backward
elimination removes the least important features while the correlation stays within
--tolerance. Standard errors account for positions of one game being alike, and do not
depend on the scale of weights. A feature that is a combination of earlier ones has no
weight (NA).

--where selects rows, --weight counts each row as often as a column says.`,
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
	s.StringSliceVar(&f.Validation, "validate", nil, "datasets of the same kind to measure on")
	s.StringVar(&f.ridge, "ridge", "", "penalty: a number; for labels also FAMILY=NUMBER,…, or cv (default 5 for labels, 0 for features)")
	spec.Default(&f.Request)
	spec.Default(&f.Exact)
	spec.Flags(s, &f.Request)
	spec.Flags(s, &f.Exact)
	workersFlag(cmd, &f.Workers)
	rowFlags(cmd, &f.Where, &f.Weight)
	outFlag(cmd, &f.Out, "weights to write: .weights for labels, .json for features")
}

func (f *fitFlags) run(cmd *cobra.Command, args []string) error {
	if err := needOut(f.Out); err != nil {
		return err
	}
	if f.ridge != "cv" && f.ridge != "" {
		if _, _, err := parseRidge(f.ridge); err != nil {
			return err
		}
	}
	if f.Curve && len(f.Validation) == 0 {
		return usagef("--curve is given: expected --validate with it, to measure on")
	}
	for i, path := range args {
		if slices.Contains(args[:i], path) {
			return usagef("%s is given twice: its rows would count twice; for that there is --weight", path)
		}
	}
	f.Rows = args
	g, meta, err := gameOfDataset(args[0])
	if err != nil {
		return err
	}
	if err := ofGame(cmd, args[0], f.game); err != nil {
		return err
	}
	if meta.Weighted && f.Weight == "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: each row counts once; with --weight weight as often as its weight says\n", args[0])
	}
	if err := onlyFor(cmd, meta.Kind); err != nil {
		return err
	}
	if meta.Kind == datasets.Labels && g.patternSet() != "" && !cmd.Flags().Changed("set") {
		f.Set = g.patternSet()
	}
	if err := f.setRidge(meta.Kind); err != nil {
		return err
	}
	if f.Prior != "" && !cmd.Flags().Changed("trust") {
		f.Trust = 1
	}
	return g.fit(cmd, f, meta)
}

// onlyFor refuses flags that are for the other kind of rows.
func onlyFor(cmd *cobra.Command, kind string) (err error) {
	own, other := "datasets of labels", regress.OfFeatures
	if kind == datasets.Features {
		own, other = "a dataset of features", regress.OfPatterns
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if group := f.Annotations[spec.Group]; err == nil && slices.Contains(group, other) {
			err = usagef("--%s does nothing with %s: leave it out", f.Name, own)
		}
	})
	return err
}

// setRidge reads --ridge.
func (f *fitFlags) setRidge(kind string) (err error) {
	usual := "5" // without one, rare columns get weights that no table holds
	if kind == datasets.Features {
		usual = "0"
	}
	if f.Choose = f.ridge == "cv"; f.Choose {
		f.ridge = ""
		if kind == datasets.Features {
			return usagef("--ridge cv: expected one number for features")
		}
	}
	if f.Ridge, f.Ridges, err = parseRidge(cmp.Or(f.ridge, usual)); err != nil {
		return err
	}
	if kind == datasets.Features && f.Ridges != nil {
		return usagef("--ridge %s: expected one number for features", f.ridge)
	}
	f.Exact.Ridge = f.Ridge
	return nil
}

// outputs are the weights to write; the model of patterns comes with the compiled ones.
func (f *fitFlags) outputs(kind string) ([]output, error) {
	list := []output{{path: f.Out, holds: inspect.KindWeights}}
	compiled := strings.HasSuffix(f.Out, features.CompiledSuffix)
	switch {
	case kind == datasets.Labels && !compiled:
		return nil, usagef("-o is %q: expected a name that ends in %s", f.Out, features.CompiledSuffix)
	case kind == datasets.Features && compiled:
		return nil, usagef("-o is %q: features give weights by name, in JSON: expected a name that ends in .json", f.Out)
	case kind == datasets.Labels:
		list = append(list, output{path: features.ModelPath(f.Out), holds: inspect.KindWeights})
	}
	return list, nil
}

func (g gameOf[P]) fit(cmd *cobra.Command, f *fitFlags, meta datasets.Meta) error {
	err := f.Exact.Check()
	if meta.Kind == datasets.Labels && g.patternSet() != "" {
		err = g.checkPatterns(meta.Rules, f.PatternConfig)
	}
	if err != nil {
		return usageError{err}
	}
	if meta.Kind == datasets.Features && (len(f.Rows) != 1 || len(f.Validation) > 1) {
		return usagef("%d datasets of features, %d to validate: expected one, and at most one", len(f.Rows), len(f.Validation))
	}
	outputs, err := f.outputs(meta.Kind)
	if err != nil {
		return err
	}
	if f.Made, err = takeOutputs(cmd, outputs, slices.Concat(f.Rows, f.Validation, []string{f.Prior})...); err != nil {
		return err
	}
	begin := time.Now()
	found, err := g.fitShown(cmd, f.Request, meta.Kind)
	if err != nil {
		return f.resumable(err)
	}
	took := time.Since(begin)
	if s := found.Features; s != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), speed(int64(s.Full.Train.Rows), "rows", took))
		fmt.Fprintf(text(cmd), "%s\nweights of %s in %s\n", s.Text(g.info()), strings.Join(s.Selected.Features, " "), f.Out)
		if columnWeights(f.Out) != nil {
			tryNext(text(cmd), "evaluate "+quoted(f.Out)+" "+quoted(f.Rows[0]), "weights export "+quoted(f.Out)+" --format c")
		} else {
			tryNext(text(cmd), "inspect "+quoted(f.Out), g.nextMatch(meta.Rules, f.Out))
		}
		return value(cmd, s)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), speed(int64(found.Patterns.Train.Rows), "rows", took))
	if err := value(cmd, found.Patterns); err != nil {
		return err
	}
	return g.tellPatterns(text(cmd), found.Patterns, meta.Rules, f.Out)
}

// resumable says how a fit that has kept what it reached continues.
func (f *fitFlags) resumable(err error) error {
	for _, journal := range []string{regress.StatePath(f.Out), regress.TrialsPath(f.Out)} {
		if _, gone := vfs.Stat(journal); gone == nil {
			return resumable{err, thisCommand(), journal}
		}
	}
	return err
}

func (g gameOf[P]) tellPatterns(to io.Writer, s *regress.PatternSummary, rules, out string) error {
	fmt.Fprintf(to, "%s\nmodel %s in %s\n", s.Text(g.info()), s.Hash, s.Model)
	if s.Compiled == "" {
		return fmt.Errorf("%s is not written: %s", out, s.WhyNot)
	}
	within := ""
	if s.Compiled != s.Model {
		within = fmt.Sprintf(", within %.2f centi-seeds", s.Rounding)
	}
	fmt.Fprintf(to, "compiled %s in %s%s\n", s.Play, s.Compiled, within)
	tryNext(to, g.nextMatch(rules, s.Compiled))
	return nil
}

// fitShown fits and shows how far it is: rows read, and then steps of a fit of patterns.
func (g gameOf[P]) fitShown(cmd *cobra.Command, req regress.Request, kind string) (regress.Fitted, error) {
	if kind == datasets.Features {
		update, finish := progress("fit", "rows")
		defer finish()
		return regress.Fit(cmd.Context(), g.kit.Sets, g.kit.Patterns, req, update)
	}
	reading, read := progress("reading", "rows")
	step, finish := progress("fit", "steps")
	req.Reading = reading
	defer finish()
	readOnce := sync.OnceFunc(read)
	defer readOnce()
	return regress.Fit(cmd.Context(), g.kit.Sets, g.kit.Patterns, req, func(done, total int64, note string) { readOnce(); step(done, total, note) })
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
