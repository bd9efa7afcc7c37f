package run

import (
	"context"
	"fmt"
	"os"
	"strings"

	"kroo/book"
	"kroo/datasets"
	"kroo/dropout"
	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
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
		settings: "report 1",
		inputs:   r.reportInputs(),
		outputs:  func() []string { return append([]string{reportFile}, plots...) },
		do: func(ctx context.Context, progress Progress) (any, error) {
			sections, summary, figures, err := r.sections(progress)
			if err != nil {
				return nil, err
			}
			if err := os.MkdirAll(r.path(plotsFolder), 0o777); err != nil {
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
		list = append(list, featuresValidation, weightsFile, matchFile, bookFile, leavesFile, bookPlayFile)
	}
	if r.Config.Patterns != nil {
		list = append(list, patternsFile, patternsMatchFile)
	}
	if n := len(r.Config.Rounds); n > 0 {
		list = append(list, r.championFile(n))
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
	return sections, summary, figures, nil
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

// drawings are the report's figures.
type drawings struct {
	predicted, residuals, captures, elimination, score report.Figure
	diagrams                                           []report.Figure
}

func (d drawings) all() []report.Figure {
	return append([]report.Figure{d.predicted, d.residuals, d.captures, d.elimination, d.score}, d.diagrams...)
}

func (r *Run) draw(f results, progress Progress) (d drawings, err error) {
	_, rows, err := datasets.ReadFeatures(r.path(featuresValidation))
	if err != nil {
		return d, err
	}
	w, err := thesis.Load(r.path(weightsFile))
	if err != nil {
		return d, err
	}
	rules, set := r.rules, w.Set
	fitted, err := predictions(rules, rows, w)
	if err != nil {
		return d, err
	}
	captures, err := capturesOnly(rules, set, rows, f.fit.Captures.Points[0])
	if err != nil {
		return d, err
	}
	leaves, err := dropout.ReadLeaves(r.path(leavesFile))
	if err != nil {
		return d, err
	}
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

// predictions are the points (prediction, label) of every row, doubled as the
// fit is: as the side to move sees it and as the other side does. So the
// figures show the same R and errors as the tables.
func predictions(rules oware.Rules, rows []datasets.FeatureRow, w *features.Weights) ([]report.Point, error) {
	set, err := thesis.Sets.Check(w)
	if err != nil {
		return nil, err
	}
	points := make([]report.Point, 0, 2*len(rows))
	for _, row := range rows {
		p, err := oware.FromBookKey(rules, row.Key)
		if err != nil {
			return nil, err
		}
		x := set.Exact(w, p)
		points = append(points, report.Point{X: x, Y: row.Label}, report.Point{X: -x, Y: -row.Label})
	}
	return points, nil
}

// capturesOnly are the same of the fit of the captured difference alone.
func capturesOnly(rules oware.Rules, setName string, rows []datasets.FeatureRow, points float64) ([]report.Point, error) {
	set, err := thesis.ByName(setName)
	if err != nil {
		return nil, err
	}
	w, err := features.New(oware.Descriptor().Name, rules.String(), set.Info, []string{capturesFeature}, []float64{points})
	if err != nil {
		return nil, err
	}
	return predictions(rules, rows, w)
}

// countSections are the sections of a run of seed counts.
func (r *Run) countSections(f results, d drawings) []report.Section {
	sections := []report.Section{
		{
			Heading: "Fit",
			Text: []string{fmt.Sprintf("Positions were labelled by a captures-only search (%s), in points: 1000 for a won game, 1000/24 for a seed. "+
				"A linear function of seed-count differences, those of the side to move minus those of the other side, was fitted to %d of them and measured on %d others. "+
				"Each position counts twice, as either side sees it.",
				r.Config.Label.String(), f.fit.Full.Train.Rows, f.fit.Full.Validation.Rows)},
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
			Text: []string{fmt.Sprintf("%d positions are in the book, %d were searched, to ply %d. Each point of the drop-out diagrams is a position where the opponent can leave the book, if its player makes best moves only.",
				f.book.Entries, f.book.Nodes, f.book.MaxDepth),
				matchText(f.bookPlay, fmt.Sprintf("With the book against without it (%d moves came from the book)", f.bookPlay.BookMoves), r.Config.BookPlay)},
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
		Caption: "From the view of the side to move, each position once, predictions clamped to ±1000 points as labels are. The table above doubles positions and does not clamp: its R is not comparable.",
		Rows:    [][]string{{p.Set, fmt.Sprint(p.Weights), fmt.Sprintf("%.4f", p.Train.R), "–", "–"}},
	}
	if v := p.Validation; v != nil {
		t.Rows[0][3], t.Rows[0][4] = fmt.Sprintf("%.4f", v.R), fmt.Sprintf("%.1f", v.MAE)
	}
	return report.Section{
		Heading: "Patterns",
		Text: []string{"A pattern is a combination of seed counts in some houses. One function serves both players: it sees the houses of the side to move and those of the other side apart, so that it also learns what it is worth to move. It is fitted to the same labels.",
			matchText(f.patternsMatch, "The patterns against the selected seed counts", c)},
		Table: t,
	}
}

func matchText(m match.Summary, what string, c match.Config) string {
	return fmt.Sprintf("%s, %d pairs of games (%s): %d won, %d drawn, %d lost; Elo %+.0f ± %.0f, seeds a game %+.2f ± %.2f (95 %%).",
		what, c.Pairs, c.Config.String(), m.Score.Wins, m.Score.Draws, m.Score.Losses, m.Elo, m.EloBar, m.Diff, m.DiffBar)
}

func rootTable(b dropout.Summary) *report.Table {
	t := &report.Table{Header: []string{"move", "points", "seeds"}, Caption: "Values of the first moves, for South."}
	for i, v := range b.RootScores {
		row := []string{oware.MoveName(oware.Move(i), oware.South), "illegal", ""}
		if v != book.Illegal {
			row[1], row[2] = fmt.Sprint(v), fmt.Sprintf("%.2f", features.Seeds(float64(v)))
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
