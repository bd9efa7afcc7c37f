package page

import (
	"cmp"
	"fmt"
	"strings"

	"kroo/book"
	"kroo/datasets"
	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
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

// Patterns compares patterns with seed counts.
type Patterns struct {
	Fit   regress.PatternSummary
	Match Match
}

// doc is the sections of a run of seed counts.
func (c *Counts) doc() ([]doc.Section, error) {
	m, err := patterns.Sets.Load(c.Weights)
	if err != nil {
		return nil, err
	}
	training, err := c.readLabelled("training", c.Training, c.Fit.Full.Train.Rows, m)
	if err != nil {
		return nil, err
	}
	validation, err := c.readLabelled("validation", c.Validation, c.Fit.Full.Measured().Rows, m)
	if err != nil {
		return nil, err
	}
	fits, err := c.fitFigures(m.Named.Set, training, validation)
	if err != nil {
		return nil, err
	}
	leaves, err := dropout.ReadLeaves(c.Leaves)
	if err != nil {
		return nil, err
	}
	return c.sections(training, validation, boards(validation, m), fits, diagrams(leaves)), nil
}

// fitFigures show how predictions agree with labels.
func (c *Counts) fitFigures(set string, training, validation *labelled) ([]doc.Drawing, error) {
	captures, err := c.capturesOnly(set, validation.rows, c.Fit.Captures.Points[0])
	if err != nil {
		return nil, err
	}
	trained, err := c.capturesOnly(set, training.rows, c.Fit.Captures.Points[0])
	if err != nil {
		return nil, err
	}
	fitted, unit := doubled(validation.fitted), report.UnitOf(oware.Descriptor().Info)
	draw := func(name string, what func(points []report.Point, title string, unit report.Unit) (doc.Figure, error), points []report.Point, title string) doc.Drawing {
		return doc.DrawFunc(func() (doc.Figure, error) {
			f, err := what(points, title, unit)
			f.Name = cmp.Or(name, f.Name)
			return f, err
		})
	}
	return []doc.Drawing{
		draw("", report.PredictedVsLabel, fitted, fmt.Sprintf("Fitted weights on %s, each seen from both sides", report.Plural(len(validation.rows), "validation position"))),
		draw("", report.Residuals, fitted, "Errors of the fitted weights"),
		doc.DrawFunc(func() (doc.Figure, error) { return report.CapturesVsFitted(captures, fitted, unit) }),
		// Those that the thesis draws of its own sample, figures 4.2 and 4.3.
		draw("captures-training", report.PredictedVsLabel, trained, fmt.Sprintf("Captures alone on %s", report.Plural(len(training.rows), "training position"))),
		draw("captures-training-residuals", report.Residuals, trained, "Errors of captures alone, training sample"),
	}, nil
}

// diagrams are the drop-out diagrams of both players.
func diagrams(leaves map[oware.Side][]book.Leaf) (all []doc.Drawing) {
	for _, side := range []oware.Side{oware.South, oware.North} {
		all = append(all, report.DropOutOf(leaves[side], side))
	}
	return all
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
	set, err := patterns.Sets.ByName(setName)
	if err != nil {
		return nil, err
	}
	w, err := features.New(oware.Descriptor().Name, c.Rules.String(), set.Info, []string{capturesFeature}, []float64{points})
	if err != nil {
		return nil, err
	}
	m, err := patterns.Sets.Model(w)
	if err != nil {
		return nil, err
	}
	list := make([]report.Point, 0, len(rows))
	for _, row := range rows {
		list = append(list, report.Point{X: m.Exact(row.Position), Y: row.Label})
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

func (c *Counts) sections(training, validation *labelled, boards, fits, diagrams []doc.Drawing) []doc.Section {
	sections := []doc.Section{
		{
			Heading: "What the weights see", Figures: boards[:min(1, len(boards))],
			Text: []string{"The value of a position of the validation sample, house by house, for the side to move. The weights depend only on the number of seeds in each house."},
		},
		{Heading: "Match", Text: c.matchTexts(), Figures: []doc.Drawing{report.ScoreBar{First: "fitted", Second: "captures-only", Won: c.Match.Score.Wins, Drawn: c.Match.Score.Draws, Lost: c.Match.Score.Losses}}},
		{
			Heading: "Fit",
			Text: append([]string{fmt.Sprintf("%s gave each position its label: the seeds by which the side to move will win or lose, 24 for a won game. "+
				"A linear function of seed counts, those of the side to move minus those of the other side, was fitted to the labels of the training sample.",
				c.labeller())}, c.labels().texts()...),
			Table: fitTable(c.Fit), Figures: fits,
		},
		{
			Heading: "Where the weights err most", Figures: boards[min(1, len(boards)):],
			Text: []string{"The validation positions with the largest errors. What they have in common is what a better evaluation would have to see; a search sees much of it."},
		},
		{
			Heading: "Weights", Text: []string{selectionText(c.Fit)}, Table: weightTable(c.Fit),
		},
		{
			Heading: "Selection", Table: stepTable(c.Fit), Figures: eliminationCharts(c.Fit), Drawn: true,
		},
		{
			Heading: "Opening book", Text: c.bookTexts(),
			Table: rootTable(c.Book), Figures: diagrams,
		},
		samplesSection(training, validation, c.Fit.Overlap),
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

// bookTexts report how large the book is, and what play from it has shown.
func (c *Counts) bookTexts() []string {
	texts := []string{fmt.Sprintf("%s positions are in the book, %s were searched, to ply %d. The values of the first moves, for South, in seeds: %s.",
		report.Count(c.Book.Entries), report.Count(c.Book.Nodes), c.Book.MaxDepth, rootScores(c.Book))}
	if m := c.BookPlay; m != nil {
		what := fmt.Sprintf("With the book against without it (the book chose %s, %s a game)", report.Plural(m.BookMoves, "move"), report.Number(m.movesAGame(), 1))
		texts = append(texts, m.text(what)+" "+m.bookVerdictText())
	}
	return texts
}

// section sets patterns next to the seed counts.
func (p *Patterns) section() doc.Section {
	t := &doc.Table{
		Header:  []string{"function", "weights", "R training", "R validation", "error validation"},
		Caption: "From the view of the side to move, each position once, predictions clamped to ±24 seeds as labels are; errors in seeds. The table of the fit doubles positions and does not clamp: its R is not comparable.",
		Rows:    [][]string{{strings.ReplaceAll(p.Fit.Set, "+", " + "), report.Count(p.Fit.Weights), report.Number(p.Fit.Train.R, 4), "–", "–"}},
	}
	if v := p.Fit.Validation; v != nil {
		t.Rows[0][3], t.Rows[0][4] = report.Number(v.R, 4), report.Number(features.Seeds(v.MAE), 2)
	}
	return doc.Section{
		Heading: "Patterns",
		Text: []string{"A pattern is a combination of seed counts in some houses. One function serves both players: it sees the houses of the side to move and those of the other side apart, so that it also learns what it is worth to move. It is fitted to the same labels.",
			p.Match.text("The patterns against the selected seed counts")},
		Table: t,
	}
}

func rootTable(b dropout.Summary) *doc.Table {
	t := &doc.Table{Header: []string{"move", "seeds"}, Caption: "Values of the first moves, for South."}
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
func (c *Counts) rows() []doc.Fact {
	full, selected, captures := c.Fit.Full.Measured(), c.Fit.Selected.Measured(), c.Fit.Captures.Measured()
	rows := []doc.Fact{
		{Name: "correlation R", Value: report.Number(selected.R, 4), Note: fmt.Sprintf("on the validation sample, with %d features; all %d: %s; captures alone: %s",
			len(c.Fit.Selected.Features), len(c.Fit.Full.Features), report.Number(full.R, 4), report.Number(captures.R, 4))},
		{Name: "mean error", Value: report.Number(features.Seeds(selected.MAE), 2) + " seeds", Note: fmt.Sprintf("of a prediction; captures alone: %s seeds", report.Number(features.Seeds(captures.MAE), 2))},
		c.Match.headline("against captures-only", c.Match.verdict(), c.Match.score()+"; 95 %"),
	}
	if m := c.Champion; m != nil {
		rows = append(rows, m.headline("against the program's weights", m.verdict(), m.score()+"; 95 %; those it plays with by default"))
	}
	rows = append(rows, []doc.Fact{
		{Name: "opening book", Value: report.Count(c.Book.Entries) + " entries", Note: fmt.Sprintf("of %s positions searched, to ply %d", report.Count(c.Book.Nodes), c.Book.MaxDepth)},
		{Name: "best first move", Value: fmt.Sprintf("%s %s seeds", c.Book.Best, report.Signed(features.Seeds(float64(c.Book.BestPoints)), 1)), Note: "all moves: " + rootScores(c.Book)},
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

// noiseRow reports how much of a label is noise, and what it does to R.
func noiseRow(n sampler.Noise) doc.Fact {
	return doc.Fact{
		Name: "noise of labels", Value: report.Number(features.Seeds(n.Within), 2) + " seeds",
		Note: fmt.Sprintf("standard deviation of the labels of one position; of all labels %s. No function of the position passes R = %s with such labels (%s positions, %d labels each)",
			report.Number(features.Seeds(n.Total), 2), report.Number(n.CeilingR, 4), report.Count(n.Positions), n.Repeats),
	}
}
