package commands

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/datasets"
	"kroo/engine"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/doc"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/strict"
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
	for i, path := range j.args {
		if slices.Contains(j.args[:i], path) {
			return usagef("%s is given twice: its rows would count twice; use --weight for that", path)
		}
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
	if f.Prior != "" && !j.given("trust") {
		f.Trust = 1
	}
	return g.fit(j, f, meta)
}

// onlyFor refuses flags that apply to the other kind of rows.
func onlyFor(cmd *cobra.Command, kind string) (err error) {
	own, other := "datasets of labels", regress.OfFeatures
	if kind == datasets.Features {
		own, other = "a dataset of features", regress.OfPatterns
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(f.Annotations[spec.Group], other) {
			err = usagef("--%s does nothing with %s: leave it out", f.Name, own)
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
			return errors.New("expected a number, or FAMILY=NUMBER, 0 to 1e12, separated by commas")
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
		{path: f.Out, kind: inspect.KindWeights, forms: []string{features.CompiledSuffix}},
		{path: features.ModelPath(f.Out), kind: inspect.KindWeights, journal: journal.PathOf(f.Out)},
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
		d.Add(doc.Section{Text: []string{
			fmt.Sprintf("model %s in %s", s.Hash, s.Model),
			fmt.Sprintf("compiled %s in %s, within %.2f centi-seeds", s.Play, s.Compiled, s.Rounding),
		}})
	}
	j.note("%s\n", speed(int64(rows), "rows", time.Since(start)))
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
		previous := cmp.Or(previousWeights(f.Prior, meta.Evaluator, g.kit.Names), g.kit.Plain, "default")
		j.next(g.info(), meta.Rules, "match --a %s --b %s", quotePath(player), previous)
	}
	return nil
}

// previousWeights names the weights that new ones are to beat: of --prior, or the ones that scored the
// rows, of which a dataset records the hash but not the file; "" if they were scored by something else.
func previousWeights(prior, evaluator string, names []string) string {
	switch {
	case prior != "":
		return quotePath(prior)
	case slices.Contains(names, evaluator):
		return evaluator
	case strings.HasPrefix(evaluator, "weights "):
		return "PREVIOUS.weights"
	}
	return ""
}

func weightsCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "weights",
		Short: "calibrate weights, or write them for other programs",
		Example: "  train weights calibrate mine.weights games.ogn -o calibrated.weights\n" +
			"  train weights export default --format c -o champion.c",
	}, weightsExportCommand(), weightsCalibrateCommand())
}

func evaluationNames() string { return strings.Join(engine.Oware().Names, ", ") }

func weightsExportCommand() *cobra.Command {
	var f struct {
		Format string `name:"format" choices:"json c" help:"json or c (default by the extension of -o, else json)"`
		Out    string `name:"output" flag:"output,o" file:"out" help:"file to write (default -, the standard output)"`
	}
	cmd := withoutJSON(&cobra.Command{
		Use:   "export WEIGHTS",
		Short: "write weights as JSON or C",
		Long: `Writes weights for your own programs. json contains the weight of every column by
name, in points, if the model of pattern weights is there (NAME.model, given or next
to NAME.weights); otherwise the integers of the engine's tables. c is a C99 source
file with these tables and a function that reads them. docs/formats.md has a reader
of each.`,
		Example: "  train weights export default --format c -o champion.c\n  train weights export default -o champion.json",
	}, func(j *job) error {
		w, err := inspectGames().Weights(j.args[0])
		if err != nil {
			return err
		}
		format := exportFormat(f.Format, f.Out)
		write := func(to io.Writer) error { return w.Export(to, format) }
		if f.Out == "" || f.Out == "-" {
			return write(j.OutOrStdout())
		}
		kind := inspect.KindUnknown
		if format == "json" && w.Facts().Thesis != nil { // a file that can be read back
			kind = inspect.KindWeights
		}
		out := output{path: f.Out, kind: kind, forms: exportForms[format], compared: true}
		if _, err := j.claimOutputs([]output{out}, j.args[0]); err != nil {
			return err
		}
		return atomicfile.WriteFile(f.Out, write)
	}, &f)
	cmd.Flags().Lookup("output").Annotations[printable] = []string{}
	return cmd
}

var (
	jsonForm    = []string{".json"}
	exportForms = map[string][]string{"json": jsonForm, "c": {".c", ".h"}}
)

// exportFormat returns the format of weights for other programs: the given one, or the one of the name
// of the output.
func exportFormat(given, out string) string {
	if given == "" && hasForm(out, exportForms["c"]) {
		return "c"
	}
	return cmp.Or(given, "json")
}

type calibrateArgs struct {
	recordedGameFlag
	Player string `name:"player" help:"count only the scores of this player, by its name in the records (default the weights' own, or all)"`
	Out    string `name:"output" flag:"output,o" file:"out" help:"weights to write, with the calibration"`
}

func weightsCalibrateCommand() *cobra.Command {
	var a calibrateArgs
	return newCommand(&cobra.Command{
		Use:   "calibrate [WEIGHTS] GAMES.ogn...",
		Short: "calibrate scores against game results: winning chances, expected margin",
		Long: `Reads games with scores in comments, as train match -o writes them, and fits the
chances of a win, a draw and a loss, and the expected final margin, to the scores.
With WEIGHTS, only scores of these weights count, and -o writes the weights with the
calibration: analysis, train uci (UCI_ShowWDL) and train serve then show chances. Proven
scores are left out, and identical games count once. Only games that the
rules ended have a final margin: play without adjudication. Without WEIGHTS, all scores
count, or only those by --player. For another program, 100 divided by the slope is the
unit=N of its description: how many of its centipawns are one seed.`,
		Example: "  train match --a weights=mine.weights,vary=on --b weights=mine.weights,vary=on --nodes 10000 --pairs 200 --opening-plies 8 -o games.ogn\n" +
			"  train weights calibrate mine.weights games.ogn -o calibrated.weights",
	}, func(j *job) error {
		weights, files := "", j.args
		if !games.IsRecords(files[0]) {
			weights, files = files[0], files[1:]
		}
		if len(files) == 0 {
			return usagef("no games given: expected files of games (.ogn) after the weights")
		}
		if a.Out != "" && weights == "" {
			return usagef("-o needs weights: name the weights to calibrate before the games")
		}
		g, err := a.of(files[0])
		if err != nil {
			return err
		}
		return g.calibrate(j, &a, weights, files)
	}, &a)
}

// weightsForms returns the extensions of weights in the form of these.
func weightsForms(weights string) []string {
	data, err := features.ReadFile(weights)
	switch {
	case err != nil:
		return nil // an error of the calibration
	case !features.IsPacked(data):
		return jsonForm
	}
	return []string{cmp.Or(filepath.Ext(weights), features.CompiledSuffix)} // those of the program have names without
}

func (g gameOf[P]) calibrate(j *job, a *calibrateArgs, weights string, files []string) error {
	if a.Out != "" {
		if _, err := j.claimOutputs([]output{{path: a.Out, kind: inspect.KindWeights, forms: weightsForms(weights)}},
			append(files, weights)...); err != nil {
			return err
		}
	}
	var all []regress.GameFile[P]
	for _, name := range files {
		records, err := readGames(g.kit.Game, name)
		if err != nil {
			return err
		}
		all = append(all, regress.GameFile[P]{Name: name, Records: records})
	}
	player := a.Player
	if weights != "" {
		e, err := g.kit.Serving(g.kit.Game.RulesOf(all[0].Records[0].Start), weights)
		if err != nil {
			return err
		}
		player = cmp.Or(player, e.Name[strings.LastIndexByte(e.Name, ' ')+1:])
	}
	report, err := regress.CalibrateGames(g.kit.Game, all, player)
	if err != nil {
		return err
	}
	if a.Out != "" {
		if report.Calibration == nil {
			return usagef("%s is not written: %s", a.Out, report.NotCalibrated)
		}
		data, err := features.Recalibrate(weights, report.Calibration)
		if err == nil {
			err = atomicfile.WriteBytes(a.Out, data)
		}
		if err != nil {
			return err
		}
	}
	return j.show(strings.Join(files, " "), report.Doc())
}
