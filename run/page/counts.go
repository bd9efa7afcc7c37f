package page

import (
	"fmt"
	"slices"
	"strings"

	"kroo/book"
	"kroo/datasets"
	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

// Counts is what a fit of seed counts to boards drawn at random has come to.
type Counts struct {
	Rules                oware.Rules
	Training, Validation Sample
	Label                engine.Config
	LabelNodes           int64  // as Labels.Nodes
	Searcher             string // as Run has it
	Limits               string // of the labels of another program, as records have them
	FitConfig            regress.Config
	Fit                  regress.Summary
	Match                Match          // of the fitted weights against captures alone
	Champion             *Match         // of the fitted weights against the program's own; nil if it was not played
	Noise                *sampler.Noise // of the labels; nil if it was not measured
	Patterns             *Patterns      // fitted to the same labels; nil without
	Book                 dropout.Summary
	BookPlay             *Match // from the book against play without it; nil if it was not played
	Weights, Leaves      string // files: of the fit, and of the book's leaves
}

// Sample is a sample and the file of its features.
type Sample struct {
	sampler.Config
	Features string
}

// Patterns is what patterns have come to beside seed counts.
type Patterns struct {
	Fit   regress.PatternSummary
	Match Match
}

// drawings are the report's figures, and the samples that some of them show.
type drawings struct {
	training, validation                                                                             *labelled
	typical, predicted, residuals, captures, trainingCaptures, trainingResiduals, elimination, score report.Figure
	distributions, diagrams, worst                                                                   []report.Figure
}

func (d drawings) all() []report.Figure {
	return slices.Concat([]report.Figure{d.typical, d.score, d.predicted, d.residuals, d.captures, d.trainingCaptures, d.trainingResiduals}, d.worst, []report.Figure{d.elimination}, d.diagrams, d.distributions)
}

func (c *Counts) draw(progress parallel.Progress) (d drawings, err error) {
	w, err := thesis.Load(c.Weights)
	if err != nil {
		return d, err
	}
	if d.training, err = c.readLabelled("training", c.Training, c.Fit.Full.Train.Rows, w); err != nil {
		return d, err
	}
	if d.validation, err = c.readLabelled("validation", c.Validation, c.Fit.Full.Measured().Rows, w); err != nil {
		return d, err
	}
	if d.distributions, err = distributions(d.training, d.validation); err != nil {
		return d, err
	}
	captures, err := c.capturesOnly(w.Set, d.validation.rows, c.Fit.Captures.Points[0])
	if err != nil {
		return d, err
	}
	training, err := c.capturesOnly(w.Set, d.training.rows, c.Fit.Captures.Points[0])
	if err != nil {
		return d, err
	}
	leaves, err := dropout.ReadLeaves(c.Leaves)
	if err != nil {
		return d, err
	}
	if d.typical, d.worst, err = boards(d.validation, w); err != nil {
		return d, err
	}
	fitted := doubled(d.validation.fitted)
	const total = 9
	done := int64(0)
	progress.At(done, total)
	figure := func(fig report.Figure, err2 error) report.Figure {
		if err == nil {
			err = err2
		}
		done++
		progress.At(done, total)
		return fig
	}
	unit := report.UnitOf(oware.Descriptor().Info)
	what := fmt.Sprintf("Fitted weights on %s, each seen from both sides", report.Plural(len(d.validation.rows), "validation position"))
	d.predicted = figure(report.PredictedVsLabel(fitted, what, unit))
	d.residuals = figure(report.Residuals(fitted, "Errors of the fitted weights", unit))
	d.captures = figure(report.CapturesVsFitted(captures, fitted, unit))
	// Those that the thesis draws of its own sample, figures 4.2 and 4.3.
	what = fmt.Sprintf("Captures alone on %s", report.Plural(len(d.training.rows), "training position"))
	d.trainingCaptures = named("captures-training", figure(report.PredictedVsLabel(training, what, unit)))
	d.trainingResiduals = named("captures-training-residuals", figure(report.Residuals(training, "Errors of captures alone, training sample", unit)))
	d.elimination = figure(report.Elimination(eliminationSteps(c.Fit)))
	d.score = figure(report.ScoreBar("fitted", "captures-only", c.Match.Score.Wins, c.Match.Score.Draws, c.Match.Score.Losses))
	for _, side := range []oware.Side{oware.South, oware.North} {
		name := strings.ToLower(oware.Descriptor().Sides[side])
		points := make([]report.Point, len(leaves[side]))
		for i, l := range leaves[side] {
			points[i] = report.Point{X: float64(l.Value), Y: float64(l.Depth)}
		}
		d.diagrams = append(d.diagrams, named("dropout-"+name, figure(report.DropOut(points, name))))
	}
	return d, err
}

// named is a figure under another name, for a second one of its kind.
func named(name string, f report.Figure) report.Figure {
	f.Name = name
	return f
}

// doubled are the points (prediction, label) as the fit has them: as the side to move
// sees a position and as the other side does. So the figures show the same R and
// errors as the tables.
func doubled(points []report.Point) []report.Point {
	list := make([]report.Point, 0, 2*len(points))
	for _, p := range points {
		list = append(list, p, report.Point{X: -p.X, Y: -p.Y})
	}
	return list
}

// capturesOnly are the doubled points of the fit of the captured difference alone.
func (c *Counts) capturesOnly(setName string, rows []datasets.Row[oware.Position], points float64) ([]report.Point, error) {
	set, err := thesis.ByName(setName)
	if err != nil {
		return nil, err
	}
	w, err := features.New(oware.Descriptor().Name, c.Rules.String(), set.Info, []string{capturesFeature}, []float64{points})
	if err != nil {
		return nil, err
	}
	list := make([]report.Point, 0, len(rows))
	for _, row := range rows {
		list = append(list, report.Point{X: set.Exact(w, row.Position), Y: row.Label})
	}
	return doubled(list), nil
}

func (c *Counts) labels() Labels { return Labels{c.Label, c.Searcher, c.LabelNodes, c.Noise} }

// labeller is what gave the labels, and its limits.
func (c *Counts) labeller() string {
	if c.Searcher == "" {
		return fmt.Sprintf("A captures-only search (%s)", c.Label)
	}
	return fmt.Sprintf("The program %s (%s)", c.Searcher, c.limits())
}

// limits are those of the searches for labels: a program has a hash table of its own, or none.
func (c *Counts) limits() string {
	if c.Searcher != "" {
		return c.Limits
	}
	return c.Label.String()
}

// sections are the sections of a run of seed counts.
func (c *Counts) sections(d drawings) []report.Section {
	sections := []report.Section{
		{
			Heading: "What the weights see", Figures: []report.Figure{d.typical},
			Text: []string{"A position of the validation sample, with the value that the weights give it, taken apart: below each number of seeds stands what it adds for the side to move. All that the weights know of a house is how many seeds it holds."},
		},
		{Heading: "Match", Text: c.matchTexts(), Figures: []report.Figure{d.score}},
		{
			Heading: "Fit",
			Text: append([]string{fmt.Sprintf("%s gave each position its label: the seeds by which the side to move will win or lose, 24 for a won game. "+
				"A linear function of seed counts, those of the side to move minus those of the other side, was fitted to the labels of the training sample.",
				c.labeller())}, c.labels().texts()...),
			Table: fitTable(c.Fit), Figures: []report.Figure{d.predicted, d.residuals, d.captures, d.trainingCaptures, d.trainingResiduals}, Folded: true,
		},
		{
			Heading: "Where the weights err most", Figures: d.worst,
			Text: []string{"The validation positions with the largest errors. What they have in common is what a better evaluation would have to see; a search sees much of it."},
		},
		{
			Heading: "Selection", Text: []string{selectionText(c.Fit)},
			Table: weightTable(c.Fit), Figures: []report.Figure{d.elimination}, Folded: true,
		},
		{
			Heading: "Opening book", Text: c.bookTexts(),
			Table: rootTable(c.Book), Figures: d.diagrams, Folded: true,
		},
		samplesSection(d.training, d.validation, c.Fit.Overlap, d.distributions),
	}
	sections = append(sections, c.besideThesis()...)
	if c.Patterns != nil {
		sections = append(sections, c.Patterns.section())
	}
	return sections
}

// matchTexts are about the fitted weights' matches.
func (c *Counts) matchTexts() []string {
	texts := []string{c.Match.text("The fitted weights against captures-only")}
	if c.Champion != nil {
		texts = append(texts, c.Champion.text("The fitted weights against the program's own")+
			" The program's own are patterns of many seed counts at once, trained in rounds of play: they show how far up the scale goes.")
	}
	return texts
}

// bookTexts tell how large the book is, and what play from it has shown.
func (c *Counts) bookTexts() []string {
	texts := []string{fmt.Sprintf("%s positions are in the book, %s were searched, to ply %d. The values of the first moves, for South, in seeds: %s.",
		report.Count(c.Book.Entries), report.Count(c.Book.Nodes), c.Book.MaxDepth, rootScores(c.Book))}
	if m := c.BookPlay; m != nil {
		what := fmt.Sprintf("With the book against without it (the book chose %s, %s a game)", report.Plural(m.BookMoves, "move"), report.Number(m.movesAGame(), 1))
		texts = append(texts, m.text(what)+" "+m.bookVerdictText())
	}
	return texts
}

// section sets patterns beside the seed counts.
func (p *Patterns) section() report.Section {
	t := &report.Table{
		Header:  []string{"function", "weights", "R training", "R validation", "error validation"},
		Caption: "From the view of the side to move, each position once, predictions clamped to ±24 seeds as labels are; errors in seeds. The table of the fit doubles positions and does not clamp: its R is not comparable.",
		Rows:    [][]string{{strings.ReplaceAll(p.Fit.Set, "+", " + "), report.Count(p.Fit.Weights), report.Number(p.Fit.Train.R, 4), "–", "–"}},
	}
	if v := p.Fit.Validation; v != nil {
		t.Rows[0][3], t.Rows[0][4] = report.Number(v.R, 4), report.Number(features.Seeds(v.MAE), 2)
	}
	return report.Section{
		Heading: "Patterns",
		Text: []string{"A pattern is a combination of seed counts in some houses. One function serves both players: it sees the houses of the side to move and those of the other side apart, so that it also learns what it is worth to move. It is fitted to the same labels.",
			p.Match.text("The patterns against the selected seed counts")},
		Table: t, Folded: true,
	}
}

func rootTable(b dropout.Summary) *report.Table {
	t := &report.Table{Header: []string{"move", "seeds"}, Caption: "Values of the first moves, for South."}
	for i, v := range b.RootScores {
		row := []string{oware.MoveName(oware.Move(i), oware.South), "illegal"}
		if v != book.Illegal {
			row[1] = report.Signed(features.Seeds(float64(v)), 2)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// rows are the figures that matter most.
func (c *Counts) rows() []report.Row {
	full, selected, captures := c.Fit.Full.Measured(), c.Fit.Selected.Measured(), c.Fit.Captures.Measured()
	rows := []report.Row{
		{Label: "correlation R", Value: report.Number(selected.R, 4), Note: fmt.Sprintf("on the validation sample, with %d features; all %d: %s; captures alone: %s",
			len(c.Fit.Selected.Features), len(c.Fit.Full.Features), report.Number(full.R, 4), report.Number(captures.R, 4))},
		{Label: "mean error", Value: report.Number(features.Seeds(selected.MAE), 2) + " seeds", Note: fmt.Sprintf("of a prediction; captures alone: %s seeds", report.Number(features.Seeds(captures.MAE), 2))},
		c.Match.headline("against captures-only", c.Match.verdict(), c.Match.score()+"; 95 %"),
	}
	if m := c.Champion; m != nil {
		rows = append(rows, m.headline("against the program's weights", m.verdict(), m.score()+"; 95 %; those it plays with by default"))
	}
	rows = append(rows, []report.Row{
		{Label: "opening book", Value: report.Count(c.Book.Entries) + " entries", Note: fmt.Sprintf("of %s positions searched, to ply %d", report.Count(c.Book.Nodes), c.Book.MaxDepth)},
		{Label: "best first move", Value: fmt.Sprintf("%s %s seeds", c.Book.Best, report.Signed(features.Seeds(float64(c.Book.BestPoints)), 1)), Note: "all moves: " + rootScores(c.Book)},
	}...)
	if c.BookPlay != nil {
		rows = append(rows, c.BookPlay.bookRow())
	}
	rows = append(rows, c.labels().row())
	if c.Noise != nil {
		rows = append(rows, noiseRow(*c.Noise))
	}
	if p := c.Patterns; p != nil {
		rows = append(rows, p.Match.headline("patterns against seed counts", p.Match.verdict(),
			fmt.Sprintf("%s, %s weights", strings.ReplaceAll(p.Fit.Set, "+", " + "), report.Count(p.Fit.Weights))))
	}
	return rows
}

func rootScores(b dropout.Summary) string {
	var words []string
	for i, v := range b.RootScores {
		if v == book.Illegal {
			continue
		}
		words = append(words, fmt.Sprintf("%c %s", 'A'+i, report.Signed(features.Seeds(float64(v)), 1)))
	}
	return strings.Join(words, ", ")
}

// noiseRow tells how much of a label is noise, and what it does to R.
func noiseRow(n sampler.Noise) report.Row {
	return report.Row{
		Label: "noise of labels", Value: report.Number(features.Seeds(n.Within), 2) + " seeds",
		Note: fmt.Sprintf("standard deviation of the labels of one position; of all labels %s. No function of the position passes R = %s with such labels (%s positions, %d labels each)",
			report.Number(features.Seeds(n.Total), 2), report.Number(n.CeilingR, 4), report.Count(n.Positions), n.Repeats),
	}
}
