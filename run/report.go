package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

const reportStageName = "report"

// reportStage draws the figures and writes the page, only from files and recorded results. Another
// build does it again.
func (r *Run) reportStage() stage {
	s := stage{
		name:          reportStageName,
		title:         "report",
		unit:          "figures",
		otherSettings: []any{revision.Get()},
		inputs:        r.reportInputs(),
	}
	written := []string{reportFile}
	s.outputs = func() []string { return written }
	s.do = func(_ context.Context, progress parallel.Progress) (any, error) {
		p, err := r.loadResults()
		if err != nil {
			return nil, err
		}
		d, err := p.page(p.nextInFolder())
		if err != nil {
			return nil, err
		}
		if err := vfs.MkdirAll(r.path(plotsFolder), 0o777); err != nil {
			return nil, err
		}
		figures := d.Figures()
		list := outline.Section{Heading: "Figures as files, for slides", Aside: true, Table: outline.NewTable("file",
			"what it shows"),
			Text: []string{fmt.Sprintf("The folder %s of the run has each as .svg (sharp at any size) and as .png.",
				plotsFolder)}}
		for i, figure := range figures {
			progress.At(int64(i), int64(len(figures)))
			f, err := report.SaveFigure(r.path(plotsFolder), *figure)
			if err != nil {
				return nil, err
			}
			*figure = f
			written = append(written, plotsFolder+"/"+f.Name+".png", plotsFolder+"/"+f.Name+".svg")
			list.Table.Add(f.Name, titleOf(f))
		}
		d.Add(list)
		progress.At(int64(len(figures)), int64(len(figures)))
		return reportResult{ChanceError: p.meanChanceError()}, report.WriteHTML(r.path(reportFile), d)
	}
	return s
}

// titleOf returns the title of a figure, with which its alternative text begins.
func titleOf(f outline.Figure) string {
	sentence, _, _ := strings.Cut(f.Alt, ". ")
	if i := strings.LastIndex(sentence, ": "); i >= 0 {
		return sentence[:i]
	}
	return strings.TrimSuffix(sentence, ".")
}

// reportResult are the results of the report: those that need the validation sample.
type reportResult struct {
	// ChanceError is the mean error in winning chance on the validation sample, in percent; nil if the
	// rules have no calibration, or the run no fit of seed counts.
	ChanceError *float64 `json:"chance_error,omitempty"`
}

// reportInputs returns the files that the report depends on: all but positions and labels, whose
// features it reads.
func (r *Run) reportInputs() []string {
	list := []string{ConfigFile}
	for _, s := range r.workStages() {
		if !s.isSource {
			list = append(list, s.outputs()...)
		}
	}
	return list
}

// Page returns the report of the run in a folder, as far as the run is and its files are there.
func Page(dir string) (*outline.Doc, error) {
	r, err := readRun(dir)
	if err != nil {
		return nil, err
	}
	p, err := r.loadResults()
	if err != nil {
		return nil, err
	}
	return p.page(p.nextSection())
}

// results are the results of the finished stages of a run, nil for others.
type results struct {
	*Run
	labels        labelling
	fit, patterns *regress.Summary
	book          *dropout.Summary
	reported      reportResult
	rounds        []roundResults
	matches       []played
	model         *owarefeatures.Model // with validation; nil without [results.load]
	validation    []judged
	calibration   *features.Calibration // of the program's weights for the rules
	err           error                 // of the first result that cannot be read
}

// roundResults are the results of a finished round.
type roundResults struct {
	fit    regress.Summary
	gate   gateResult
	labels labelling
}

// loadResults returns the results with the validation sample.
func (r *Run) loadResults() (*results, error) {
	p, err := r.results()
	if err == nil {
		err = p.load()
	}
	return p, err
}

// results returns the results of the finished stages.
func (r *Run) results() (*results, error) {
	p := &results{Run: r}
	if e, err := owarefeatures.Default(r.Config.Rules); err == nil && e != nil {
		p.calibration = e.Header().Calibration
	}
	if figures := found[reportResult](p, reportStageName); figures != nil {
		p.reported = *figures
	}
	if c := r.Config; c.fitsCounts() {
		p.labels = p.labelling(c.Label, "label", "label-noise")
		p.fit = found[regress.Summary](p, "fit")
		p.patterns = found[regress.Summary](p, "patterns")
		p.book = found[dropout.Summary](p, "book")
	}
	for i, c := range r.Config.Rounds {
		k := i + 1
		fit, gate := found[regress.Summary](p, ofRound(k, "-fit")), found[gateResult](p, ofRound(k, "-gate"))
		if gate == nil || fit == nil {
			break
		}
		p.rounds = append(p.rounds,
			roundResults{*fit, *gate, p.labelling(c.Labels, "label "+roundLabels(k), ofRound(k, "-noise"))})
	}
	for _, s := range r.workStages() {
		if s.match != nil && p.isShown(s) {
			p.addMatch(s)
		}
	}
	return p, p.err
}

// resultOf returns the results of a stage, or nil if it is not finished.
func resultOf[T any](m *Manifest, stage string) (*T, error) {
	rec := m.stage(stage)
	if rec == nil {
		return nil, nil
	}
	v := new(T)
	return v, json.Unmarshal(rec.Result, v)
}

// found is resultOf for the report.
func found[T any](p *results, stage string) *T {
	v, err := resultOf[T](p.manifest, stage)
	p.err = cmp.Or(p.err, err)
	return v
}

// has reports whether files of the run are in its folder: of an old run, some may be deleted.
func (p *results) has(names ...string) (bool, error) {
	for _, name := range names {
		_, err := vfs.Stat(p.path(name))
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// Summary returns the main results of a finished run, its files and suggested commands.
func (r *Run) Summary() (*outline.Doc, error) {
	p, err := r.loadResults()
	if err != nil {
		return nil, err
	}
	open := wording.Program() + " serve --open"
	if dir := filepath.Dir(r.Dir); dir != "runs" { // the folder that serve shows by default
		open += " --dir " + wording.Path(dir)
	}
	d := &outline.Doc{Value: r.manifest, Facts: append(p.brief(),
		outline.Fact{Name: "report", Value: r.path(reportFile)},
		outline.Fact{Name: "to read it", Value: open + ", or open the file in a browser"})}
	next := p.nextSection().Commands
	d.Add(outline.Section{Heading: "what next", Commands: next[:min(len(next), fewNext)]})
	return d, nil
}

// fewNext is the number of commands that a terminal of 24 lines shows below the report's name and the
// main results; the report has all.
const fewNext = 4

// eveningSize is the number of boards of the preset evening, which smaller runs suggest next.
const eveningSize = 16000

// next returns suggested commands for the files of the run, the most useful first: purpose and
// command line. file maps the name of a file to its path; new runs are in the folder runs, or in folders
// of the given parent.
func (p *results) next(program, parent string, file func(name string) string) (list []outline.Fact) {
	into := func(name string) string {
		if parent == "" {
			return ""
		}
		return " --dir " + parent + "/" + name
	}
	add := func(what, format string, args ...any) {
		list = append(list, outline.Fact{Name: what, Value: program + " " + fmt.Sprintf(format, args...)})
	}
	rules := ""
	if info := oware.Descriptor().Info; p.Config.Rules != info.Rules[0] {
		rules = " --rules " + p.Config.Rules
	}
	labels := p.labels
	if n := len(p.rounds); n > 0 {
		champion := file(p.championFile(n))
		add("play against the champion", "play%s --weights %s", rules, champion)
		add("measure it against the program's own weights", "match%s --a %s --b default", rules, champion)
		if !p.Config.fitsCounts() {
			labels = p.rounds[0].labels
		}
	}
	if p.Config.fitsCounts() {
		add("play against the weights, with the book", "play%s --weights %s --book %s", rules, file(weightsFile),
			file(bookFile))
		add("look into the book", "book query %s", file(bookFile))
	}
	switch n := p.Config.Training.N; {
	case n == 0 || len(p.rounds) > 0:
	case n < eveningSize:
		add("do the same with more of everything", "run%s --preset evening%s", rules, into("evening"))
	default:
		add("train patterns on games of their own, as the program's weights were made", "run%s --preset full%s", rules,
			into("full"))
	}
	if labels.nodes > 0 {
		add("do the same by nodes, so that it can be repeated", "run --config %s --nodes %d%s", file(ConfigFile),
			labels.nodes, into("by-nodes"))
	}
	if p.Config.fitsCounts() {
		add("see what each feature is worth", "inspect %s", file(featuresFile))
		add("see where the weights err", "evaluate %s %s --predictions predictions.parquet", file(weightsFile),
			file(labelsValidation))
		add("see the boards with the largest errors", "inspect predictions.parquet")
	}
	return list
}

// labelling is how the searches of labels were limited.
type labelling struct {
	search engine.Config
	nodes  int64          // median per label where time limits it; 0 if unknown
	noise  *sampler.Noise // nil if it was not measured
}

// labelling returns that of a stage of labels.
func (p *results) labelling(search engine.Config, stage, noise string) labelling {
	l := labelling{search: search, noise: found[sampler.Noise](p, noise)}
	if f := found[labelResult](p, stage); f != nil {
		l.nodes = f.Nodes
	}
	return l
}

// isAny is true for all labels.
func (labelling) isAny() bool { return true }

// isRepeatable reports whether the same command gives the same labels.
func (l labelling) isRepeatable() bool {
	return l.search.MoveTime.Duration == 0 && l.search.Reproducible()
}

// fact returns the limit, and whether the same command gives the same labels.
func (l labelling) fact() outline.Fact {
	f := outline.Fact{
		Name:  "limit of labels",
		Value: l.search.String(),
		Note:  "per search; repeatable: the same command gives the same labels, to the byte, on any machine",
	}
	switch {
	case l.search.MoveTime.Duration > 0:
		f.Note = "per search; not repeatable: labels depend on the machine and its load"
		if n := l.noise; n != nil {
			f.Note += fmt.Sprintf("; of positions searched %d times, %s %% got different labels",
				n.Repeats, report.Number(100*n.Changed, 0))
		}
	case !l.search.Reproducible():
		f.Note = fmt.Sprintf("per search; not repeatable: %d threads give other labels each time", l.search.Threads)
	}
	return f
}

// origin returns the provenance of the run.
func (p *results) origin() []outline.Fact {
	m := p.manifest
	facts := append(outline.Facts("rules", p.Config.Rules, "seed", fmt.Sprint(p.Config.Seed), "engine", m.Engine,
		"program",
		m.Tool),
		outline.Fact{Name: "configuration", Value: m.Config, Note: "SHA-256 of " + ConfigFile})
	for _, s := range m.Stages {
		for _, name := range []string{weightsFile, bookFile} {
			if hash, ok := s.Outputs[name]; ok {
				facts = append(facts, outline.Fact{Name: name, Value: hash, Note: "SHA-256"})
			}
		}
	}
	return append(facts, p.labelFacts(labelling.isAny)...)
}

// labelFacts returns the limits of the labels for which show is true.
func (p *results) labelFacts(show func(labelling) bool) (facts []outline.Fact) {
	if p.Config.fitsCounts() && show(p.labels) {
		facts = append(facts, p.labels.fact())
	}
	for i, round := range p.rounds {
		if !show(round.labels) {
			continue
		}
		f := round.labels.fact()
		f.Name += fmt.Sprintf(", round %d", i+1)
		facts = append(facts, f)
	}
	return facts
}
