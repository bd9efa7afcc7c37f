package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kroo/book"
	"kroo/datasets"
	"kroo/dropout"
	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

const reportStageName = "report"

// reportStage draws the figures and writes the page, from files and recorded
// figures alone.
func (r *Run) reportStage() stage {
	var plots []string
	return stage{
		name: reportStageName, title: "report", unit: "figures",
		settings: "report 2",
		inputs:   r.reportInputs(),
		outputs:  func() []string { return append([]string{reportFile}, plots...) },
		do: func(ctx context.Context, progress Progress) (any, error) {
			sections, summary, figures, err := r.sections(progress)
			if err != nil {
				return nil, err
			}
			if err := vfs.MkdirAll(r.path(plotsFolder), 0o777); err != nil {
				return nil, err
			}
			for _, fig := range figures {
				if err := report.SaveFigure(r.path(plotsFolder), fig); err != nil {
					return nil, err
				}
				plots = append(plots, plotsFolder+"/"+fig.Name+".png", plotsFolder+"/"+fig.Name+".svg")
			}
			return nil, report.WriteHTML(r.path(reportFile), report.Page{
				Title: "Kroo: a training run for " + r.Config.Rules, Summary: summary, Sections: sections, Provenance: r.provenance(),
			})
		},
	}
}

// reportInputs are the files that the report is made of.
func (r *Run) reportInputs() []string {
	list := []string{ConfigFile}
	if r.Config.counts() {
		list = append(list, featuresFile, featuresValidation, weightsFile, matchFile, bookFile, leavesFile, bookPlayFile)
	}
	if r.Config.Patterns != nil {
		list = append(list, patternsFile, patternsMatchFile)
	}
	for k := range r.Config.Rounds {
		list = append(list, r.championFile(k+1), roundFile(k+1, "-gate.ogn"))
		if r.Config.Rounds[k].Screen != nil {
			list = append(list, roundFile(k+1, "-screen.ogn"))
		}
	}
	for i := range r.Config.finals() {
		list = append(list, finalFile(i))
	}
	return list
}

// sections are the parts of the page, the figures that matter most, and all
// drawings, of what the run consists of.
func (r *Run) sections(progress Progress) (sections []report.Section, summary []report.Row, figures []report.Figure, err error) {
	if len(r.Config.Rounds) > 0 {
		f, err := r.roundFigures()
		if err != nil {
			return nil, nil, nil, err
		}
		curve, err := f.curve()
		if err != nil {
			return nil, nil, nil, err
		}
		sections, summary, figures = f.sections(curve), f.summary(), []report.Figure{curve}
	}
	if r.Config.counts() {
		f, err := r.allFigures()
		if err != nil {
			return nil, nil, nil, err
		}
		d, err := r.draw(f, progress)
		if err != nil {
			return nil, nil, nil, err
		}
		sections, summary, figures = append(sections, r.countSections(f, d)...), append(summary, summaryRows(f)...), append(figures, d.all()...)
	}
	return append(sections, readTimes(r.Dir).section()), summary, figures, nil
}

// results are the recorded figures of all stages.
type results struct {
	fit      regress.Summary
	match    match.Summary
	book     dropout.Summary
	bookPlay match.Summary
	noise    *sampler.Noise // nil without

	patterns      *regress.PatternSummary // nil without
	patternsMatch match.Summary
}

func (r *Run) allFigures() (f results, err error) {
	for _, s := range []struct {
		name string
		into any
	}{{"fit", &f.fit}, {"match", &f.match}, {"book", &f.book}, {"book-play", &f.bookPlay}} {
		if err := r.figures(s.name, s.into); err != nil {
			return f, err
		}
	}
	if r.Config.Noise != nil {
		f.noise = new(sampler.Noise)
		if err := r.figures("label-noise", f.noise); err != nil {
			return f, err
		}
	}
	if r.Config.Patterns == nil {
		return f, nil
	}
	f.patterns = new(regress.PatternSummary)
	if err := r.figures("patterns", f.patterns); err != nil {
		return f, err
	}
	return f, r.figures("patterns-match", &f.patternsMatch)
}

// drawings are the report's figures, and the samples that some of them show.
type drawings struct {
	training, validation                               *labelled
	predicted, residuals, captures, elimination, score report.Figure
	distributions, diagrams                            []report.Figure
}

func (d drawings) all() []report.Figure {
	return slices.Concat(d.distributions, []report.Figure{d.predicted, d.residuals, d.captures, d.elimination, d.score}, d.diagrams)
}

func (r *Run) draw(f results, progress Progress) (d drawings, err error) {
	w, err := thesis.Load(r.path(weightsFile))
	if err != nil {
		return d, err
	}
	if d.training, err = r.readLabelled("training", featuresFile, r.Config.Training, f.fit.Full.Train.Rows, w); err != nil {
		return d, err
	}
	if d.validation, err = r.readLabelled("validation", featuresValidation, r.Config.Validation, f.fit.Full.Measured().Rows, w); err != nil {
		return d, err
	}
	if d.distributions, err = distributions(d.training, d.validation); err != nil {
		return d, err
	}
	captures, err := r.capturesOnly(w.Set, d.validation.rows, f.fit.Captures.Points[0])
	if err != nil {
		return d, err
	}
	leaves, err := dropout.ReadLeaves(r.path(leavesFile))
	if err != nil {
		return d, err
	}
	fitted := doubled(d.validation.fitted)
	const total = 7
	done := int64(0)
	figure := func(fig report.Figure, err2 error) report.Figure {
		if err == nil {
			err = err2
		}
		done++
		progress(done, total)
		return fig
	}
	d.predicted = figure(report.PredictedVsLabel(fitted, "Fitted weights on the validation positions"))
	d.residuals = figure(report.Residuals(fitted, "Residuals of the fitted weights"))
	d.captures = figure(report.CapturesVsFitted(captures, fitted))
	d.elimination = figure(report.Elimination(eliminationSteps(f.fit)))
	d.score = figure(report.ScoreBar("fitted", "captures-only", f.match.Score.Wins, f.match.Score.Draws, f.match.Score.Losses))
	for _, side := range []oware.Side{oware.South, oware.North} {
		name := strings.ToLower(oware.Descriptor().Sides[side])
		points := make([]report.Point, len(leaves[side]))
		for i, l := range leaves[side] {
			points[i] = report.Point{X: float64(l.Value), Y: float64(l.Depth)}
		}
		fig := figure(report.DropOut(points, name))
		fig.Name = "dropout-" + name
		d.diagrams = append(d.diagrams, fig)
	}
	return d, err
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
func (r *Run) capturesOnly(setName string, rows []datasets.FeatureRow, points float64) ([]report.Point, error) {
	set, err := thesis.ByName(setName)
	if err != nil {
		return nil, err
	}
	w, err := features.New(oware.Descriptor().Name, r.rules.String(), set.Info, []string{capturesFeature}, []float64{points})
	if err != nil {
		return nil, err
	}
	list := make([]report.Point, 0, len(rows))
	for _, row := range rows {
		p, err := oware.FromBookKey(r.rules, row.Key)
		if err != nil {
			return nil, err
		}
		list = append(list, report.Point{X: set.Exact(w, p), Y: row.Label})
	}
	return doubled(list), nil
}

// countSections are the sections of a run of seed counts.
func (r *Run) countSections(f results, d drawings) []report.Section {
	sections := []report.Section{
		samplesSection(d.training, d.validation, f.fit.Overlap, d.distributions),
		{
			Heading: "Fit",
			Text: []string{fmt.Sprintf("Positions were labelled by a captures-only search (%s), in points: 1000 for a won game, 1000/24 for a seed. "+
				"A linear function of seed counts, those of the side to move minus those of the other side, was fitted to the labels of the training sample.",
				r.Config.Label.String())},
			Table: fitTable(f.fit), Figures: []report.Figure{d.predicted, d.residuals, d.captures},
		},
		{
			Heading: "Selection", Text: []string{selectionText(f.fit)},
			Table: weightTable(f.fit), Figures: []report.Figure{d.elimination},
		},
		{
			Heading: "Match", Text: []string{matchText(f.match, "The fitted weights against captures-only", r.Config.Match)},
			Figures: []report.Figure{d.score},
		},
		{
			Heading: "Opening book",
			Text: []string{fmt.Sprintf("%s positions are in the book, %s were searched, to ply %d.",
				report.Count(f.book.Entries), report.Count(f.book.Nodes), f.book.MaxDepth),
				matchText(f.bookPlay, fmt.Sprintf("With the book against without it (the book chose %s, %s a game)", report.Plural(f.bookPlay.BookMoves, "move"), report.Number(movesAGame(f.bookPlay), 1)), r.Config.BookPlay.Config) +
					" " + bookVerdictText(f.bookPlay)},
			Table: rootTable(f.book), Figures: d.diagrams,
		},
	}
	sections = append(sections, r.besideThesis(f.fit)...)
	if f.patterns != nil {
		sections = append(sections, patternSection(f, r.Config.Patterns.Match))
	}
	return sections
}

// patternSection sets patterns beside the seed counts.
func patternSection(f results, c match.Config) report.Section {
	p := f.patterns
	t := &report.Table{
		Header:  []string{"function", "weights", "R training", "R validation", "MAE validation"},
		Caption: "From the view of the side to move, each position once, predictions clamped to ±1000 points as labels are. The table of the fit doubles positions and does not clamp: its R is not comparable.",
		Rows:    [][]string{{strings.ReplaceAll(p.Set, "+", " + "), report.Count(p.Weights), report.Number(p.Train.R, 4), "–", "–"}},
	}
	if v := p.Validation; v != nil {
		t.Rows[0][3], t.Rows[0][4] = report.Number(v.R, 4), report.Number(v.MAE, 1)
	}
	return report.Section{
		Heading: "Patterns",
		Text: []string{"A pattern is a combination of seed counts in some houses. One function serves both players: it sees the houses of the side to move and those of the other side apart, so that it also learns what it is worth to move. It is fitted to the same labels.",
			matchText(f.patternsMatch, "The patterns against the selected seed counts", c)},
		Table: t,
	}
}

func matchText(m match.Summary, what string, c match.Config) string {
	return fmt.Sprintf("%s, %s pairs of games (%s): %s; %s, seeds a game %s ± %s (95 %%).",
		what, report.Count(c.Pairs), c.Config.String(), scoreText(m), eloText(m), report.Signed(m.Diff, 2), report.Number(m.DiffBar, 2))
}

func rootTable(b dropout.Summary) *report.Table {
	t := &report.Table{Header: []string{"move", "points", "seeds"}, Caption: "Values of the first moves, for South."}
	for i, v := range b.RootScores {
		row := []string{oware.MoveName(oware.Move(i), oware.South), "illegal", ""}
		if v != book.Illegal {
			row[1], row[2] = report.Signed(float64(v), 0), report.Signed(features.Seeds(float64(v)), 2)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *Run) provenance() []report.Row {
	rows := []report.Row{
		{Label: "rules", Value: r.Config.Rules},
		{Label: "seed", Value: fmt.Sprint(r.Config.Seed)},
		{Label: "engine", Value: r.manifest.Engine},
		{Label: "program", Value: r.manifest.Tool},
		{Label: "configuration", Value: r.manifest.Config, Note: "SHA-256 of " + ConfigFile},
	}
	for _, s := range r.manifest.Stages {
		for _, name := range []string{weightsFile, bookFile} {
			if hash, ok := s.Outputs[name]; ok {
				rows = append(rows, report.Row{Label: name, Value: hash, Note: "SHA-256"})
			}
		}
	}
	return rows
}
