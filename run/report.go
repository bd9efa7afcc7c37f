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
)

const reportStageName = "report"

// reportStage draws the figures and writes the page, from files and recorded
// figures alone.
func (r *Run) reportStage() stage {
	var plots []string
	return stage{
		name: reportStageName, title: "report", unit: "figures",
		settings: "report 1",
		inputs:   []string{ConfigFile, featuresValidation, weightsFile, matchFile, bookFile, leavesFile, bookPlayFile},
		outputs:  func() []string { return append([]string{reportFile}, plots...) },
		do: func(ctx context.Context, progress Progress) (any, error) {
			f, err := r.allFigures()
			if err != nil {
				return nil, err
			}
			figures, err := r.draw(f, progress)
			if err != nil {
				return nil, err
			}
			if err := os.MkdirAll(r.path(plotsFolder), 0o755); err != nil {
				return nil, err
			}
			for _, fig := range figures.all() {
				if err := report.SaveFigure(r.path(plotsFolder), fig); err != nil {
					return nil, err
				}
				plots = append(plots, plotsFolder+"/"+fig.Name+".png", plotsFolder+"/"+fig.Name+".svg")
			}
			return nil, report.WriteHTML(r.path(reportFile), r.page(f, figures))
		},
	}
}

// results are the recorded figures of all stages.
type results struct {
	fit      regress.Summary
	match    match.Summary
	book     dropout.Summary
	bookPlay match.Summary
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
	return f, nil
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
		name := strings.ToLower(match.SideNames[side])
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
// fit is: as the player to move sees it and as his opponent does. So the
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

func (r *Run) page(f results, d drawings) report.Page {
	return report.Page{
		Title:   "Kroo: a training run for " + r.Config.Rules,
		Summary: summaryRows(f),
		Sections: []report.Section{
			{
				Heading: "Fit",
				Text: []string{fmt.Sprintf("Positions were labelled by a captures-only search (%s), in points: 1000 for a won game, 1000/24 for a seed. "+
					"A linear function of seed-count differences, the player to move's minus his opponent's, was fitted to %d of them and measured on %d others. "+
					"Each position counts twice, as the player to move sees it and as his opponent does.",
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
		},
		Provenance: r.provenance(),
	}
}

func matchText(m match.Summary, what string, c match.Conditions) string {
	return fmt.Sprintf("%s, %d pairs of games (%s): %d won, %d drawn, %d lost; Elo %+.0f ± %.0f, seeds a game %+.2f ± %.2f (95 %%).",
		what, c.Pairs, c.Config.String(), m.Score.Wins, m.Score.Draws, m.Score.Losses, m.Elo, m.EloBar, m.Seeds, m.SeedsBar)
}

func rootTable(b dropout.Summary) *report.Table {
	t := &report.Table{Header: []string{"move", "points", "seeds"}, Caption: "Values of the first moves, for South."}
	for i, v := range b.RootScores {
		row := []string{oware.MoveName(oware.Move(i), oware.South), "illegal", ""}
		if v != book.Illegal {
			row[1], row[2] = fmt.Sprint(v), fmt.Sprintf("%.2f", float64(v)*24/1000)
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
