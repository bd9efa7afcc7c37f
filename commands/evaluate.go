package commands

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/outline"
	"kroo/regress"
	"kroo/run/inspect"
)

func evaluationNames() string { return strings.Join(engine.Oware().Names, ", ") }

// evaluateArgs is the settings of evaluate.
type evaluateArgs struct {
	rowFlags
	Predictions string `name:"predictions" file:"out" help:"dataset to write with the prediction and the residual of each row"`
	Explain     string `name:"explain" help:"board of oware whose value to explain"`
	Rules       string `name:"rules" help:"rules of --explain (default those of the weights)"`
}

func evaluateCommand() *cobra.Command {
	var a evaluateArgs
	return newCommand(&cobra.Command{
		Use:   "evaluate WEIGHTS [LABELS...]",
		Short: "measure an evaluation on labelled positions, or explain one value",
		Long: `Compares an evaluation (a weights file or a name such as thesis4) with the
labels of datasets: n rows, correlation R, mean absolute error (MAE) and root mean
squared error (RMSE), overall and by phase. Each row counts once, for the side to move;
predictions are clamped to ±1000 points like labels. For evaluations that only change
sign when the turn passes, R doubled is the correlation as defined in
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
		Example: "  train evaluate champion.weights labels.parquet\n" +
			"  train evaluate champion.weights labels.parquet --predictions predictions.parquet\n" +
			"  train evaluate champion.weights --explain 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N",
	}, a.run, &a)
}

func (a *evaluateArgs) run(j *job) error {
	labels := j.args[1:]
	if a.Explain != "" {
		if len(labels) > 0 {
			return usagef("--explain %s and %q: expected a position to explain, or datasets to measure on", a.Explain, labels)
		}
		if err := j.notWith("--explain", "predictions", "where", "weight", "force"); err != nil {
			return err
		}
		w, err := inspectGames().Weights(j.args[0])
		if err != nil {
			return err
		}
		x, err := w.Explain(a.Rules, a.Explain)
		if err != nil {
			return err
		}
		return j.show(x.Weights, x.Doc())
	}
	if err := j.notWith("datasets of labels", "rules"); err != nil {
		return err
	}
	if len(labels) == 0 {
		return usagef("no dataset of labels: give one, or --explain POSITION")
	}
	if err := checkDistinct(labels); err != nil {
		return err
	}
	g, meta, err := gameOfDataset(labels[0])
	if err != nil {
		return err
	}
	return g.measure(j, a, meta.Rules)
}

func (g gameOf[P]) measure(j *job, a *evaluateArgs, rules string) error {
	e := engine.Evaluation[P]{Name: j.args[0], Antisymmetric: true}
	o := regress.MeasureOptions[P]{
		Paths:   j.args[1:],
		Where:   a.Where,
		Weight:  a.Weight,
		Weights: columnWeights(e.Name),
		Out:     a.Predictions,
	}
	if o.Weights == nil {
		var err error
		e, o.Predict, err = g.kit.InPoints(rules, e.Name)
		if err != nil {
			return err
		}
	}
	if o.Out != "" {
		var err error
		o.Made, err = j.claimOutputs([]output{{path: o.Out, kind: inspect.KindDataset, compared: true}}, j.args...)
		if err != nil {
			return err
		}
	}
	o.Name, o.Antisymmetric = e.Name, e.Antisymmetric
	o.Progress = j.progress("measuring", "rows")
	measured, err := regress.Measure(j.Context(), g.kit.Game, o)
	if err != nil {
		return err
	}
	return j.show("", measurementDoc(j.args[0], e.Name, measured))
}

// measurementDoc describes how an evaluation agrees with labels.
func measurementDoc(name, weights string, m regress.Measurement) *outline.Doc {
	by := ""
	if m.Labeller != "" {
		by = fmt.Sprintf(" by %s (%s)", m.Labeller, m.Limits)
	}
	t := outline.NewTable(m.Phase, "n", "R", "MAE, "+m.Unit+"s", "RMSE, "+m.Unit+"s")
	row := func(name string, q regress.Quality) {
		t.Add(name, q.Rows, fmt.Sprintf("%.4f", q.R), fmt.Sprintf("%.2f", q.MAEUnits), fmt.Sprintf("%.2f", q.RMSEUnits))
	}
	for _, p := range m.Phases {
		row(fmt.Sprintf("%d to %d", p.From, p.To), p.Quality)
	}
	row("all", m.Quality)
	d := &outline.Doc{
		Title:    fmt.Sprintf("%s on labels%s", name, by),
		Lead:     []string{"Values are for the side to move; each row counts once."},
		Sections: []outline.Section{{Table: t}},
	}
	d.Value = struct {
		Weights string `json:"weights"`
		regress.Measurement
	}{weights, m}
	if m.RErr != nil {
		by := fmt.Sprintf("errors clustered by game, %d clusters", m.Clusters)
		if m.Clusters == m.Rows {
			by = "errors of independent rows"
		}
		d.Addf("R %.4f ± %.4f, MAE %.2f ± %.2f %ss: standard %s", m.R, *m.RErr, m.MAEUnits, *m.MAEErr, m.Unit, by)
	}
	if m.RDoubled != nil {
		d.Addf("R doubled %.4f: rows doubled, predictions not clamped, as the thesis counts", *m.RDoubled)
	}
	return d
}
