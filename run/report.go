package run

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/regress"
	"kroo/report"
	"kroo/run/page"
	"kroo/sampler"
)

const reportStageName = "report"

// reportStage draws the figures and writes the page, only from files and recorded results.
func (r *Run) reportStage() stage {
	var plots []string
	return stage{
		name: reportStageName, title: "report", unit: "figures",
		also:    []any{"report 5"},
		inputs:  r.reportInputs(),
		outputs: func() []string { return append([]string{reportFile}, plots...) },
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			results, err := r.results()
			if err != nil {
				return nil, err
			}
			d, err := results.Doc()
			if err != nil {
				return nil, err
			}
			if err := vfs.MkdirAll(r.path(plotsFolder), 0o777); err != nil {
				return nil, err
			}
			figures := d.Figures()
			files := doc.Section{Heading: "Figures as files, for slides", Aside: true, Table: doc.NewTable("file", "what it shows"),
				Text: []string{fmt.Sprintf("Each is in the folder %s of the run, as .svg (sharp at any size) and as .png.", plotsFolder)}}
			for i, figure := range figures {
				progress.At(int64(i), int64(len(figures)))
				f, err := report.SaveFigure(r.path(plotsFolder), *figure)
				if err != nil {
					return nil, err
				}
				*figure = f
				plots = append(plots, plotsFolder+"/"+f.Name+".png", plotsFolder+"/"+f.Name+".svg")
				shows, _, _ := strings.Cut(f.Alt, ": ")
				files.Table.Add(f.Name, strings.TrimSuffix(shows, "."))
			}
			d.Add(files)
			progress.At(int64(len(figures)), int64(len(figures)))
			return nil, report.WriteHTML(r.path(reportFile), d)
		},
	}
}

// SoFar returns the page of the run in a folder, as far as the run is.
func SoFar(dir string) (*doc.Doc, error) {
	r, err := readRun(dir)
	if err != nil {
		return nil, err
	}
	results, err := r.results()
	if err != nil {
		return nil, err
	}
	return results.Doc()
}

// reportInputs returns the files that the report depends on.
func (r *Run) reportInputs() []string {
	list := []string{ConfigFile}
	if r.Config.counts() {
		list = append(list, featuresFile, featuresValidation, weightsFile, matchFile, bookFile, leavesFile)
	}
	if r.Config.BookPlay != nil {
		list = append(list, bookPlayFile)
	}
	if r.championMatch() != nil {
		list = append(list, championMatchFile)
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

// results returns the results of the finished stages.
func (r *Run) results() (p page.Run, err error) {
	p = page.Run{Rules: r.Config.Rules, Times: readTimes(r.Dir).Stages, Origin: r.provenance()}
	limits := ""
	if p.Searcher, limits, err = r.searcher(); err != nil {
		return p, err
	}
	if r.Config.counts() {
		if p.Counts, err = r.counts(); err != nil {
			return p, err
		}
		p.Counts.Labels.Searcher, p.Counts.Limits = p.Searcher, limits
	}
	for i, c := range r.Config.Rounds {
		if !r.finished(gateName(i + 1)) {
			break
		}
		var round page.Round
		if err := r.figures(fmt.Sprintf("round%d-fit", i+1), &round.Fit); err != nil {
			return p, err
		}
		if err := r.figures(gateName(i+1), &round.Gate); err != nil {
			return p, err
		}
		if round.Labels, err = r.roundLabelling(i+1, c); err != nil {
			return p, err
		}
		round.Labels.Searcher = p.Searcher
		p.Rounds = append(p.Rounds, round)
	}
	for i, c := range r.Config.finals() {
		m, err := recorded(r, fmt.Sprintf("final%d", i+1), page.Match{Config: c.Config, Opponent: c.Opponent}, func(m *page.Match) any { return &m.Summary })
		if err != nil {
			return p, err
		}
		if m != nil {
			p.Finals = append(p.Finals, *m)
		}
	}
	if r.rested() {
		for _, row := range r.next(p.LabelNodes(), func(name string) string { return name }) {
			p.Next = append(p.Next, doc.Fact{Name: row.Name, Value: "train " + row.Value})
		}
	}
	return p, nil
}

// finished reports whether a stage is finished.
func (r *Run) finished(stage string) bool { return r.manifest.stage(stage) != nil }

// rested reports whether all stages before the report are finished.
func (r *Run) rested() bool {
	for _, s := range r.stages() {
		if s.name != reportStageName && !r.finished(s.name) {
			return false
		}
	}
	return true
}

// recorded returns value with a part of it read from the results of a stage, or nil if the stage
// is not finished.
func recorded[T any](r *Run, stage string, value T, part func(*T) any) (*T, error) {
	if !r.finished(stage) {
		return nil, nil
	}
	return &value, r.figures(stage, part(&value))
}

// roundLabelling returns the limits of the labels of round k, and their noise.
func (r *Run) roundLabelling(k int, c Round) (l page.Labels, err error) {
	var f labelFigures
	if err := r.figures("label "+roundLabels(k), &f); err != nil {
		return l, err
	}
	l = page.Labels{Search: c.Labels, Nodes: f.Nodes}
	l.Noise, err = r.noise(c.Noise, roundNoise(k))
	return l, err
}

// searcher returns the name of the program that searched for the run and the limits of its
// labels, "" if it was Kroo.
func (r *Run) searcher() (name, limits string, err error) {
	labels, stage := labelsFile, "label"
	if !r.Config.counts() {
		labels = roundLabels(1)
		stage += " " + labels
	}
	if r.Config.Engine == nil || !r.finished(stage) {
		return "", "", nil
	}
	m, err := datasets.ReadManifest(r.path(labels))
	if err != nil {
		return "", "", err
	}
	return m.Meta.Evaluator, m.Meta.Limits, nil
}

// counts returns the results so far of a run of seed counts.
func (r *Run) counts() (p *page.Counts, err error) {
	c := r.Config
	p = &page.Counts{
		Rules: r.rules, Labels: page.Labels{Search: c.Label}, FitConfig: c.Fit, Weights: r.path(weightsFile), Leaves: r.path(leavesFile), BookFile: r.path(bookFile),
		Training: page.Sample{Config: c.Training}, Validation: page.Sample{Config: c.Validation},
	}
	if r.finished("features") && r.finished("features-validation") {
		p.Training.Features, p.Validation.Features = r.path(featuresFile), r.path(featuresValidation)
	}
	matched := func(stage string, config match.Config) (m *page.Match) {
		if err == nil {
			m, err = recorded(r, stage, page.Match{Config: config}, func(m *page.Match) any { return &m.Summary })
		}
		return m
	}
	p.Match = matched("match", c.Match)
	if c.BookPlay != nil {
		p.BookPlay = matched("book-play", c.BookPlay.Config)
	}
	if m := r.championMatch(); m != nil {
		p.Champion = matched("champion-match", *m)
	}
	if err == nil && c.Patterns != nil {
		p.Patterns, err = recorded(r, "patterns", page.Patterns{}, func(p *page.Patterns) any { return &p.Fit })
	}
	if p.Patterns != nil {
		p.Patterns.Match = matched("patterns-match", c.Patterns.Match)
	}
	if err == nil {
		p.Fit, err = recorded(r, "fit", regress.Summary{}, func(s *regress.Summary) any { return s })
	}
	if err == nil {
		p.Book, err = recorded(r, "book", dropout.Summary{}, func(s *dropout.Summary) any { return s })
	}
	if err == nil && r.finished("label") {
		var f labelFigures
		err = r.figures("label", &f)
		p.Labels.Nodes = f.Nodes
	}
	if err == nil {
		p.Labels.Noise, err = r.noise(c.Noise, "label-noise")
	}
	return p, err
}

// noise returns the noise of labels that a stage measured, or nil if it has not.
func (r *Run) noise(c *sampler.NoiseConfig, stage string) (*sampler.Noise, error) {
	if c == nil {
		return nil, nil
	}
	return recorded(r, stage, sampler.Noise{}, func(n *sampler.Noise) any { return n })
}

func (r *Run) provenance() []doc.Fact {
	rows := []doc.Fact{
		{Name: "begun", Value: cmp.Or(readTimes(r.Dir).Begun, "unknown")},
		{Name: "machine", Value: fmt.Sprintf("%s, %s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())},
		{Name: "rules", Value: r.Config.Rules},
		{Name: "seed", Value: fmt.Sprint(r.Config.Seed)},
		{Name: "engine", Value: r.manifest.Engine},
		{Name: "program", Value: r.manifest.Tool},
		{Name: "configuration", Value: r.manifest.Config, Note: "SHA-256 of " + ConfigFile},
	}
	if r.manifest.Program != "" {
		rows = append(rows, doc.Fact{Name: "searched by", Value: r.manifest.Program})
	}
	for _, s := range r.manifest.Stages {
		for _, name := range []string{weightsFile, bookFile} {
			if hash, ok := s.Outputs[name]; ok {
				rows = append(rows, doc.Fact{Name: name, Value: hash, Note: "SHA-256"})
			}
		}
	}
	return rows
}
