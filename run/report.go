package run

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"kroo/datasets"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/report"
	"kroo/run/page"
	"kroo/sampler"
)

const reportStageName = "report"

// reportStage draws the figures and writes the page, from files and recorded
// figures alone.
func (r *Run) reportStage() stage {
	var plots []string
	return stage{
		name: reportStageName, title: "report", unit: "figures",
		also:    []any{"report 4"},
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
			for i, figure := range figures {
				progress.At(int64(i), int64(len(figures)))
				f, err := report.SaveFigure(r.path(plotsFolder), *figure)
				if err != nil {
					return nil, err
				}
				*figure = f
				plots = append(plots, plotsFolder+"/"+f.Name+".png", plotsFolder+"/"+f.Name+".svg")
			}
			progress.At(int64(len(figures)), int64(len(figures)))
			return nil, report.WriteHTML(r.path(reportFile), d)
		},
	}
}

// reportInputs returns the files that the report is made of.
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

// results returns what the finished stages have recorded.
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
		p.Counts.Searcher, p.Counts.Limits = p.Searcher, limits
	}
	p.Rounds = make([]page.Round, len(r.Config.Rounds))
	for i, c := range r.Config.Rounds {
		round := &p.Rounds[i]
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
	}
	for i, c := range r.Config.finals() {
		m := page.Match{Config: c.Config, Opponent: c.Opponent}
		if err := r.figures(fmt.Sprintf("final%d", i+1), &m.Summary); err != nil {
			return p, err
		}
		p.Finals = append(p.Finals, m)
	}
	for _, row := range r.next(p.LabelNodes(), func(name string) string { return name }) {
		p.Next = append(p.Next, doc.Fact{Name: row.Name, Value: "train " + row.Value})
	}
	return p, nil
}

// roundLabelling returns how the labels of round k were limited, and their noise.
func (r *Run) roundLabelling(k int, c Round) (l page.Labels, err error) {
	var f labelFigures
	if err := r.figures("label "+roundLabels(k), &f); err != nil {
		return l, err
	}
	l = page.Labels{Search: c.Labels, Nodes: f.Nodes}
	l.Noise, err = r.noise(c.Noise, roundNoise(k))
	return l, err
}

// searcher returns what another program calls itself that searched for the run, and the limits of
// its labels, "" for none.
func (r *Run) searcher() (name, limits string, err error) {
	if r.Config.Engine == nil {
		return "", "", nil
	}
	labels := labelsFile
	if !r.Config.counts() {
		labels = roundLabels(1)
	}
	m, err := datasets.ReadManifest(r.path(labels))
	if err != nil {
		return "", "", err
	}
	return m.Meta.Evaluator, m.Meta.Limits, nil
}

// counts returns the results of a run of seed counts.
func (r *Run) counts() (*page.Counts, error) {
	c := r.Config
	p := &page.Counts{
		Rules: r.rules, Label: c.Label, FitConfig: c.Fit, Weights: r.path(weightsFile), Leaves: r.path(leavesFile),
		Training:   page.Sample{Config: c.Training, Features: r.path(featuresFile)},
		Validation: page.Sample{Config: c.Validation, Features: r.path(featuresValidation)},
		Match:      page.Match{Config: c.Match},
	}
	var labels labelFigures
	recorded := map[string]any{"label": &labels, "fit": &p.Fit, "match": &p.Match.Summary, "book": &p.Book}
	if c.BookPlay != nil {
		p.BookPlay = &page.Match{Config: c.BookPlay.Config}
		recorded["book-play"] = &p.BookPlay.Summary
	}
	if m := r.championMatch(); m != nil {
		p.Champion = &page.Match{Config: *m}
		recorded["champion-match"] = &p.Champion.Summary
	}
	if c.Patterns != nil {
		p.Patterns = &page.Patterns{Match: page.Match{Config: c.Patterns.Match}}
		recorded["patterns"], recorded["patterns-match"] = &p.Patterns.Fit, &p.Patterns.Match.Summary
	}
	for stage, into := range recorded {
		if err := r.figures(stage, into); err != nil {
			return nil, err
		}
	}
	p.LabelNodes = labels.Nodes
	var err error
	p.Noise, err = r.noise(c.Noise, "label-noise")
	return p, err
}

// noise returns what a stage has recorded of the noise of labels, nil if it was not to be
// measured.
func (r *Run) noise(c *sampler.NoiseConfig, stage string) (*sampler.Noise, error) {
	if c == nil {
		return nil, nil
	}
	n := new(sampler.Noise)
	return n, r.figures(stage, n)
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
