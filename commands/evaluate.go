package commands

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/features"
	"kroo/internal/doc"
	"kroo/regress"
	"kroo/run/inspect"
)

// evaluateArgs are what the command line says.
type evaluateArgs struct {
	weights        string
	labels         []string
	where, weight  string
	rules, explain string
	predictions    string
	asJSON         bool
}

// evaluationNames lists the evaluations of oware that have a name, for help.
func evaluationNames() string { return strings.Join(engine.Oware().Names, ", ") }

func evaluateCommand() *cobra.Command {
	var a evaluateArgs
	cmd := &cobra.Command{
		Use:   "evaluate WEIGHTS LABELS...",
		Short: "measure an evaluation on labelled positions, or explain one value",
		Long: `Compares an evaluation (a weights file or a name such as thesis4) with the
labels of datasets: n rows, correlation r, mean absolute error and root mean
squared error, overall and by phase. Each row counts once, for the side to move;
predictions are clamped to ±1000 points like labels. For evaluations that only change
sign when the turn passes, r_doubled is the correlation as defined in
the thesis: rows doubled, predictions not clamped.

Weights of columns that another program has computed (fit --columns) are measured
on datasets of features with these columns. --where selects rows, --weight counts each
row as often as a column says.

--predictions FILE writes the rows with two more columns: prediction and residual (label
minus prediction), both in points for the side to move. Rows of a game or situation
have the same value in the column group. "train inspect FILE" draws the residuals.

--explain POSITION instead shows the parts of one position's value, by house and
pattern.

Names: ` + evaluationNames(),
		Example: "  train evaluate champion.weights labels.parquet\n  train evaluate champion.weights labels.parquet --predictions predictions.parquet\n  train evaluate champion.weights --explain 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N",
		Args:    someArgs(1, 1000, "weights and datasets of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.weights, a.labels = args[0], args[1:]
			if a.explain != "" {
				if len(a.labels) > 0 {
					return usagef("--explain %s and %q: expected a position to explain, or datasets to measure on", a.explain, a.labels)
				}
				return a.explainPosition(cmd)
			}
			if err := notWith(cmd, "datasets of labels", "rules"); err != nil {
				return err
			}
			if len(a.labels) == 0 {
				return usagef("no dataset of labels: give one, or --explain POSITION")
			}
			return a.measure(cmd)
		},
	}
	f := cmd.Flags()
	jsonFlag(cmd, &a.asJSON)
	rowFlags(cmd, &a.where, &a.weight)
	forceFlag(cmd)
	f.StringVar(&a.predictions, "predictions", "", "dataset to write with the prediction and the residual of each row")
	f.StringVar(&a.explain, "explain", "", "board of oware to take apart")
	f.StringVar(&a.rules, "rules", "", "of --explain (default those of the weights)")
	return cmd
}

func (a evaluateArgs) measure(cmd *cobra.Command) error {
	g, meta, err := gameOfDataset(a.labels[0])
	if err != nil {
		return err
	}
	return g.measure(cmd, a, meta.Rules)
}

func (g gameOf[P]) measure(cmd *cobra.Command, a evaluateArgs, rules string) error {
	o := regress.MeasureOptions{Paths: a.labels, Where: a.where, Weight: a.weight}
	e := engine.Evaluation[P]{Name: a.weights, Antisymmetric: true}
	predictor := regress.Predictor[P]{Weights: columnWeights(a.weights)}
	if predictor.Weights == nil {
		var err error
		if e, predictor.Predict, err = g.kit.InPoints(rules, a.weights); err != nil {
			return err
		}
	}
	if a.predictions != "" {
		inputs := append([]string{a.weights}, a.labels...)
		if _, err := takeOutputs(cmd, []output{{path: a.predictions, holds: inspect.KindDataset, compared: true}}, inputs...); err != nil {
			return err
		}
	}
	o.Antisymmetric = e.Antisymmetric
	update, finish := progress("measuring", "rows")
	o.Told = update
	var m regress.Measurement
	var err error
	if a.predictions == "" {
		m, err = regress.Measure(cmd.Context(), g.kit.Game, o, predictor)
	} else {
		m, err = regress.Predict(cmd.Context(), g.kit.Game, o, predictor, e.Name, a.predictions)
	}
	finish()
	if err != nil {
		return err
	}
	return show(cmd, "", measured(e.Name, m))
}

// columnWeights are the weights of a file if they are of columns that another program has
// computed, else nil.
func columnWeights(path string) *features.Weights {
	data, err := features.ReadFile(path)
	if err != nil || features.IsPacked(data) {
		return nil // a name, or what the engine reads
	}
	w, err := features.ParseWeights(data, path)
	if err != nil || w.Columns == nil {
		return nil
	}
	return w
}

// measured says how an evaluation agrees with labels.
func measured(weights string, m regress.Measurement) *doc.Doc {
	by := ""
	if m.Labeller != "" {
		by = fmt.Sprintf(" by %s (%s)", m.Labeller, m.Limits)
	}
	t := doc.NewTable(m.Phase, "n", "r", "mae, "+m.Unit+"s", "rmse, "+m.Unit+"s")
	row := func(name string, q regress.Quality) {
		t.Add(name, q.Rows, fmt.Sprintf("%.4f", q.R), fmt.Sprintf("%.2f", q.MAEUnits), fmt.Sprintf("%.2f", q.RMSEUnits))
	}
	for _, p := range m.Phases {
		row(fmt.Sprintf("%d to %d", p.From, p.To), p.Quality)
	}
	row("all", m.Quality)
	d := &doc.Doc{Title: fmt.Sprintf("%s on labels%s, as the side to move sees them, not doubled", weights, by), Sections: []doc.Section{{Table: t}}}
	d.Value = struct {
		Weights string `json:"weights"`
		regress.Measurement
	}{weights, m}
	if m.RErr != nil {
		by := fmt.Sprintf("errors by game, %d games and rows that are from none", m.Clusters)
		if m.Clusters == m.Rows {
			by = "errors of independent rows"
		}
		d.Addf("r %.4f ± %.4f, mae %.2f ± %.2f %ss: standard %s", m.R, *m.RErr, m.MAEUnits, *m.MAEErr, m.Unit, by)
	}
	if m.RDoubled != nil {
		d.Addf("r_doubled %.4f: rows doubled, predictions not clamped, as the thesis counts", *m.RDoubled)
	}
	return d
}

func (a evaluateArgs) explainPosition(cmd *cobra.Command) error {
	w, err := inspected().Weights(a.weights)
	if err != nil {
		return err
	}
	x, err := w.Explain(a.rules, a.explain)
	if err != nil {
		return err
	}
	return show(cmd, x.Weights, x.Doc())
}
