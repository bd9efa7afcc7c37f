package inspect

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/regress"
	"kroo/report"
	"kroo/run"
)

// weightsComparison is what differs between two files of weights, A and B. All weights and values are in
// units of the game.
type weightsComparison struct {
	Weights  [2]weightsSummary `json:"weights"`
	Features []featurePair     `json:"features,omitempty"` // if both are weights of features
	Values   *valuesComparison `json:"values,omitempty"`   // absent if one cannot evaluate positions

	game    games.Info
	noValue error // why there are no values
}

// weightsSummary is what identifies weights.
type weightsSummary struct {
	Name    string `json:"name"`
	Set     string `json:"set"`
	Rules   string `json:"rules"`
	Hash    string `json:"hash"`
	Columns int    `json:"columns"`
}

// featurePair is a feature with its weight in A and B.
type featurePair struct {
	Feature    string      `json:"feature"`
	Weights    [2]*float64 `json:"weights"` // nil where it has no weight
	StdErr     [2]float64  `json:"stderr"`  // 0 if unknown
	Difference float64     `json:"difference"`
	// DifferenceErr is as if the two fits were independent; 0 if unknown.
	DifferenceErr float64 `json:"difference_err"`
}

// z is the difference in standard errors.
func (f featurePair) z() float64 { return f.Difference / f.DifferenceErr }

// valuesComparison is how the values of two evaluations agree on a sample.
type valuesComparison struct {
	Sample       string          `json:"sample"`
	Boards       int             `json:"boards"`
	R            float64         `json:"r"`
	Difference   float64         `json:"difference"`    // mean of B − A
	MeanDistance float64         `json:"mean_distance"` // mean of its absolute value
	Families     []familyPair    `json:"families"`
	Farthest     []boardPair     `json:"farthest"`
	Labels       *labelledErrors `json:"labels,omitempty"` // if the sample has labels

	isRandom bool // no dataset was given
}

// sampleText describes the positions of the comparison with their number.
func (v *valuesComparison) sampleText() string {
	if v.isRandom {
		return report.Integer(v.Boards) + " " + v.Sample
	}
	return report.Plural(v.Boards, "row") + " of " + v.Sample
}

// familyPair is what a family of columns adds to values: the mean absolute value, and its share of the
// sum of those of all families.
type familyPair struct {
	Family string      `json:"family"`
	Mean   [2]*float64 `json:"mean"` // nil where there is no such family
	Share  [2]float64  `json:"share"`
}

// boardPair is a board with its values for the side to move.
type boardPair struct {
	Board  string     `json:"board"`
	Values [2]float64 `json:"values"`

	diagram string
	orbit   int64
}

func (b boardPair) distance() float64 { return math.Abs(b.Values[1] - b.Values[0]) }

// labelledErrors are the mean absolute errors on labels. Predictions are limited to ±1000 points, as
// labels are.
type labelledErrors struct {
	Labels        string     `json:"labels"` // limits of the searches
	Rows          int        `json:"rows"`
	Clusters      int        `json:"clusters"`
	Errors        [2]float64 `json:"errors"`
	Difference    float64    `json:"difference"` // B − A
	DifferenceErr float64    `json:"difference_err"`
}

// compareWeights compares two files of weights, or weights by name.
func (all Games) compareWeights(ctx context.Context, names [2]string, o CompareOptions) (*outline.Doc, error) {
	c := &weightsComparison{}
	var loaded [2]features.AnyWeights
	var game Game
	for i, name := range names {
		g, w, err := all.load(name)
		if named := owarefeatures.PublishedWeights(name); err == nil && named != nil {
			w, err = byFeatures(name, named)
		}
		if err != nil {
			return nil, err
		}
		f := w.Facts()
		c.Weights[i] = weightsSummary{name, f.Set, f.Rules, f.Hash, f.Columns}
		if i > 0 && g.info.Name != game.info.Name {
			return nil, fmt.Errorf("%s has weights for %s, %s for %s: expected weights for the same game",
				names[0], game.info.Name, name, g.info.Name)
		}
		game = g
		loaded[i] = w
	}
	if a, b := c.Weights[0].Rules, c.Weights[1].Rules; a != b {
		return nil, fmt.Errorf("%s was fitted under %s rules, %s under %s: expected weights under the same rules",
			names[0], a, names[1], b)
	}
	c.game = game.info
	c.addFeatures(loaded)
	values, err := game.values(ctx, loaded, o)
	if err != nil && o.On == "" && c.Features != nil {
		c.noValue = err
		return c.doc(), nil
	}
	c.Values = values
	return c.doc(), err
}

// byFeatures returns published weights by name with a column for each feature. The engine has them as
// weights of houses and stores.
func byFeatures(name string, w *features.Weights) (_ features.AnyWeights, err error) {
	o := features.OfGame(owarefeatures.Sets, name)
	o.Named = w
	o.Model, err = owarefeatures.Sets.Model(w)
	return o, err
}

func (c *weightsComparison) addFeatures(loaded [2]features.AnyWeights) {
	var both [2]*features.Weights
	for i, w := range loaded {
		both[i] = w.Facts().Linear
		if both[i] == nil {
			return
		}
	}
	perUnit := c.game.PointsPerUnit()
	for i, w := range both {
		for k, name := range w.Features {
			at := slices.IndexFunc(c.Features, func(f featurePair) bool { return f.Feature == name })
			if at < 0 {
				at = len(c.Features)
				c.Features = append(c.Features, featurePair{Feature: name})
			}
			weight := w.Points[k] / perUnit
			c.Features[at].Weights[i] = &weight
			if k < len(w.StdErr) {
				c.Features[at].StdErr[i] = w.StdErr[k] / perUnit
			}
		}
	}
	for i := range c.Features {
		f := &c.Features[i]
		if f.Weights[0] == nil || f.Weights[1] == nil {
			continue
		}
		f.Difference = *f.Weights[1] - *f.Weights[0]
		if f.StdErr[0] > 0 || f.StdErr[1] > 0 {
			f.DifferenceErr = math.Hypot(f.StdErr[0], f.StdErr[1])
		}
	}
}

const (
	drawnBoards = 2000 // of a sample, if no dataset is given
	farBoards   = 3    // boards to show on which the values differ most
)

// compareValues evaluates the positions of a sample.
func compareValues[P games.Position[P]](
	ctx context.Context, g *games.Game[P], loaded [2]features.AnyWeights, o CompareOptions,
) (*valuesComparison, error) {
	var both [2]*features.Opened[P]
	var predict []func(P) float64
	for i, w := range loaded {
		both[i] = w.(*features.Opened[P])
		points, err := both[i].Points()
		if err != nil {
			return nil, err
		}
		predict = append(predict, points)
	}
	rules := both[0].Rules()
	v := &valuesComparison{Sample: "random boards (" + g.Draws + ")", isRandom: true}
	positions := drawnPositions(g, rules)
	if o.On != "" {
		t, err := datasets.Open(ctx, g.Info, o.On)
		if err != nil {
			return nil, err
		}
		defer t.Close()
		if err := t.Meta.CheckRules(g.Name, rules); err != nil {
			return nil, fmt.Errorf("%s: %w", o.On, err)
		}
		v.Sample = o.On
		v.isRandom = false
		positions = positionsOf(ctx, g, t, o)
		if t.Meta.Kind != datasets.Positions {
			v.Labels = &labelledErrors{Labels: t.Meta.Limits}
		}
	}
	s := &valueSums[P]{game: g}
	for p, err := range positions {
		if err != nil {
			return nil, err
		}
		s.add(p, [2]float64{predict[0](p), predict[1](p)}, both)
	}
	if s.boards == 0 {
		return nil, fmt.Errorf("%s: no position to evaluate: expected rows that match the filter", v.Sample)
	}
	s.describe(v)
	if v.Labels == nil {
		return v, nil
	}
	return v, addLabels(ctx, g, v.Labels, predict, o)
}

// addLabels measures both evaluations on the labels of the dataset.
func addLabels[P games.Position[P]](
	ctx context.Context, g *games.Game[P], l *labelledErrors, predict []func(P) float64, o CompareOptions,
) error {
	all := regress.PairingOptions[P]{Predict: predict, Clamped: true, Paths: []string{o.On}, Where: o.Where}
	pairing, err := regress.Pair(ctx, g, all)
	if err != nil {
		return err
	}
	l.Rows = pairing.Rows
	l.Clusters = pairing.Clusters
	perUnit := g.PointsPerUnit()
	for i, e := range pairing.Evaluations {
		l.Errors[i] = e.MAE / perUnit
		l.Difference = e.Difference / perUnit
		l.DifferenceErr = e.DifferenceErr / perUnit
	}
	return nil
}

// drawnPositions yields the same positions at each call.
func drawnPositions[P games.Position[P]](g *games.Game[P], rules string) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		rng := rand.New(rand.NewPCG(1, 1))
		for range drawnBoards {
			if !yield(g.Random(rng, rules)) {
				return
			}
		}
	}
}

// positionsOf yields the positions of a dataset.
func positionsOf[P games.Position[P]](
	ctx context.Context, g *games.Game[P], t *datasets.Table, o CompareOptions,
) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		for row, err := range datasets.Scan(ctx, g, t, datasets.Query{Where: o.Where, Progress: o.Progress}) {
			if !yield(row.Position, err) {
				return
			}
		}
	}
}

// valueSums adds up the values of two evaluations, in points.
type valueSums[P games.Position[P]] struct {
	game     *games.Game[P]
	boards   int
	sums     agreement.Sums
	families [2]map[string]float64 // sums of absolute values
	farthest []boardPair
}

func (s *valueSums[P]) add(p P, values [2]float64, both [2]*features.Opened[P]) {
	s.boards++
	s.sums.Add(values[0], values[1], 1)
	for i, o := range both {
		if s.families[i] == nil {
			s.families[i] = map[string]float64{}
		}
		for name, points := range o.ByFamily(p) {
			s.families[i][name] += math.Abs(points)
		}
	}
	perUnit := s.game.PointsPerUnit()
	one := boardPair{Values: [2]float64{values[0] / perUnit, values[1] / perUnit}}
	if len(s.farthest) == farBoards && one.distance() <= s.farthest[farBoards-1].distance() {
		return
	}
	one.orbit = s.game.Orbit(p)
	if slices.ContainsFunc(s.farthest, func(b boardPair) bool { return b.orbit == one.orbit }) {
		return
	}
	one.Board = s.game.Print(p)
	one.diagram = s.game.Diagram(p)
	s.farthest = append(s.farthest, one)
	slices.SortStableFunc(s.farthest, func(a, b boardPair) int { return cmp.Compare(b.distance(), a.distance()) })
	s.farthest = s.farthest[:min(len(s.farthest), farBoards)]
}

// describe sets the figures of all positions.
func (s *valueSums[P]) describe(v *valuesComparison) {
	perUnit := s.game.PointsPerUnit()
	stats := s.sums.Stats()
	v.Boards = s.boards
	v.R = stats.R
	v.Difference = s.sums.Bias() / perUnit
	v.MeanDistance = stats.MAE / perUnit
	v.Farthest = s.farthest
	for i, sums := range s.families {
		total := 0.0
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			total += sums[name]
		}
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			if sums[name] == 0 {
				continue // features that were not selected
			}
			at := slices.IndexFunc(v.Families, func(f familyPair) bool { return f.Family == name })
			if at < 0 {
				at = len(v.Families)
				v.Families = append(v.Families, familyPair{Family: name})
			}
			mean := sums[name] / perUnit / float64(s.boards)
			v.Families[at].Mean[i] = &mean
			if total > 0 {
				v.Families[at].Share[i] = sums[name] / total
			}
		}
	}
	slices.SortStableFunc(v.Families, func(a, b familyPair) int {
		return cmp.Compare(max(b.Share[0], b.Share[1]), max(a.Share[0], a.Share[1]))
	})
}

// letters name the two sides of a comparison.
var letters = [2]string{"A", "B"}

func (c *weightsComparison) doc() *outline.Doc {
	d := &outline.Doc{Value: c, Title: fmt.Sprintf("weights %s compared with %s", c.Weights[1].Name, c.Weights[0].Name)}
	for i, w := range c.Weights {
		note := fmt.Sprintf("set %s, %s, %s, hash %s", w.Set, wording.Count(w.Columns, "column"), w.Rules, w.Hash)
		d.Facts = append(d.Facts, outline.Fact{Name: letters[i], Value: w.Name, Note: note})
	}
	if c.Weights[0].Hash == c.Weights[1].Hash {
		d.Lead = []string{"The weights are the same."}
	}
	if c.Features != nil {
		d.Add(c.featuresSection())
	}
	if c.noValue != nil {
		d.Addf("Values are not compared: %v.", c.noValue)
	}
	if c.Values != nil {
		d.Sections = append(d.Sections, c.valueSections()...)
	}
	return d
}

// featuresSection sets the weights of features next to each other.
func (c *weightsComparison) featuresSection() outline.Section {
	unit := c.game.Unit + "s"
	one := outline.Section{Heading: "weights, in " + unit}
	t := outline.NewTable("feature", "A", "± s.e.", "B", "± s.e.", "B − A", "± s.e.", "z")
	picture := report.Intervals{
		Name: "weights-compared", Title: "The weights of A and B", X: unit,
		Line:    unit + " for one more than the opponent has, with 95 % intervals",
		Caption: "Weights of one feature whose intervals do not overlap differ by more than noise.",
	}
	var only [2][]string
	errors := false
	for _, f := range c.Features {
		row := []any{f.Feature}
		for i, weight := range f.Weights {
			if weight == nil {
				row = append(row, "–", "–")
				only[1-i] = append(only[1-i], f.Feature)
				continue
			}
			bar := agreement.Significant * f.StdErr[i]
			row = append(row, report.SignedNumber(*weight, 3), report.OrDash(f.StdErr[i] > 0, report.Number(f.StdErr[i], 3)))
			picture.Rows = append(picture.Rows, report.Interval{
				Name: f.Feature + " – " + letters[i], Value: *weight, Low: *weight - bar, High: *weight + bar,
				Text: fmt.Sprintf("%s ± %s", report.SignedNumber(*weight, 3), report.Number(bar, 3)),
			})
		}
		shared := f.Weights[0] != nil && f.Weights[1] != nil
		known := shared && f.DifferenceErr > 0
		errors = errors || known
		row = append(row, report.OrDash(shared, report.SignedNumber(f.Difference, 3)),
			report.OrDash(known, report.Number(f.DifferenceErr, 3)), report.OrDash(known, report.SignedNumber(f.z(), 1)))
		t.Add(row...)
	}
	one.Table = t
	one.Figures = []outline.Drawing{picture}
	for i, names := range only {
		if names != nil {
			one.Text = append(one.Text, fmt.Sprintf("Only in %s: %s.", letters[i], strings.Join(names, ", ")))
		}
	}
	if only[0] != nil || only[1] != nil {
		one.Note = "A weight also depends on the other features of its set. "
	}
	if errors {
		one.Note += "z: the difference in standard errors, as if the fits were independent; " +
			"without errors of one, as if its weights were exact."
	}
	return one
}

// valueSections show how far the values agree.
func (c *weightsComparison) valueSections() (all []outline.Section) {
	v := c.Values
	unit := c.game.Unit + "s"
	all = append(all, outline.Section{
		Heading: "values, in " + unit,
		Text:    []string{fmt.Sprintf("On %s:", v.sampleText())},
		Facts: outline.Facts("correlation", report.Number(v.R, 4), "mean of B − A", report.SignedNumber(v.Difference, 3),
			"mean distance", report.Number(v.MeanDistance, 3)),
	})
	t := outline.NewTable("family", "A", "share", "B", "share")
	for _, f := range v.Families {
		row := []any{f.Family}
		for i, mean := range f.Mean {
			if mean == nil {
				row = append(row, "–", "–")
				continue
			}
			row = append(row, report.Number(*mean, 3), features.Percent(f.Share[i]))
		}
		t.Add(row...)
	}
	all = append(all, outline.Section{
		Heading: "what families add, in " + unit, Table: t,
		Note: "Mean absolute value on these boards, and its share of the sum of all families.",
	})
	if v.Labels != nil {
		all = append(all, v.Labels.section(c.game))
	}
	far := outline.Section{Heading: "boards on which they differ most"}
	for _, b := range v.Farthest {
		line := fmt.Sprintf("A %s, B %s %s for the side to move",
			report.SignedNumber(b.Values[0], 2), report.SignedNumber(b.Values[1], 2), unit)
		far.Boards = append(far.Boards, outline.Board{Board: b.Board, Diagram: b.diagram, Line: line})
	}
	return append(all, far)
}

// section says which evaluation is nearer to the labels.
func (l *labelledErrors) section(g games.Info) outline.Section {
	unit := g.Unit + "s"
	t := outline.NewTable("weights", "error, "+unit, "minus A's", "± s.e.", "z", "")
	t.Add(letters[0], report.Number(l.Errors[0], 3), "–", "–", "–", "")
	paired := regress.Paired{Difference: l.Difference, DifferenceErr: l.DifferenceErr}
	row := []any{letters[1], report.Number(l.Errors[1], 3)}
	t.Add(append(row, run.DifferenceCells(paired, 1)...)...)
	by := ""
	if l.Labels != "" {
		by = " by " + l.Labels
	}
	return outline.Section{
		Heading: "which is nearer to the labels?", Table: t,
		Text: []string{fmt.Sprintf("On the labels%s of %s:", by, report.Plural(l.Rows, "row"))},
		Note: fmt.Sprintf("Mean absolute errors of values limited to ±%d %s, as labels are. "+
			"Each row is compared with itself; standard errors by game or situation, %s.",
			g.UnitsPerWin, unit, wording.Count(l.Clusters, "cluster")),
	}
}
