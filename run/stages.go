package run

import (
	"cmp"
	"context"
	"slices"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/match"
	"kroo/regress"
	"kroo/sampler"
)

// Files of a run folder.
const (
	positionsFile       = "positions.parquet"
	positionsValidation = "positions-validation.parquet"
	labelsFile          = "labels.parquet"
	labelsValidation    = "labels-validation.parquet"
	featuresFile        = "features.parquet"
	featuresValidation  = "features-validation.parquet"
	weightsFile         = "weights.json"
	patternsFile        = "patterns.weights"
	bookFile            = "book.bin"
	reportFile          = "report.html"
	plotsFolder         = "plots"
)

// stage is one step of a run.
type stage struct {
	name, title, unit string
	settings, also    []any           // everything that the result depends on, as structs and other values,
	inputs            []string        // and files of earlier stages
	outputs           func() []string // files it writes to the run folder; call it after do
	journal           string          // journal, kept until the manifest contains the stage
	seed              string          // what its random choices derive from; "" is name
	match             *match.Config   // of a match that the report shows
	note              string          // on the match
	do                func(ctx context.Context, progress parallel.Progress) (results any, err error)
}

func files(names ...string) func() []string { return func() []string { return names } }

// dataset returns the files of datasets: each with its manifest.
func dataset(names ...string) func() []string {
	var list []string
	for _, name := range names {
		list = append(list, name, datasets.ManifestPath(name))
	}
	return files(list...)
}

// journalName returns the name of the journal of a long stage.
func journalName(out string) string { return out + ".journal" }

// stages returns the stages of the run in order: those of seed counts, those of rounds, or both, and the
// report.
func (r *Run) stages() []stage { return append(r.workStages(), r.reportStage()) }

// workStages returns the stages before the report.
func (r *Run) workStages() (list []stage) {
	if r.Config.counts() {
		list = r.countStages()
	}
	for i, c := range r.Config.Rounds {
		list = append(list, r.roundStages(i+1, c)...)
	}
	return append(list, r.finalStages()...)
}

// countStages fit seed counts to random boards, like the thesis.
func (r *Run) countStages() []stage {
	c, fitted := r.Config, engine.Spec{Weights: r.path(weightsFile)}
	list := []stage{
		r.sampleStage(1, stage{name: "sample", title: "training positions"}, c.Training, positionsFile),
		r.sampleStage(1, stage{name: "sample-validation", title: "validation positions"}, c.Validation, positionsValidation),
		r.labelStage(0, "label", "training labels", c.Label, positionsFile, labelsFile),
		r.labelStage(0, "label-validation", "validation labels", c.Label, positionsValidation, labelsValidation),
	}
	if c.Noise != nil {
		list = append(list, r.noiseStage(0, "label-noise", "noise of labels", *c.Noise, c.Label, positionsValidation))
	}
	list = append(list,
		r.featureStage("features", "training features", labelsFile, featuresFile),
		r.featureStage("features-validation", "validation features", labelsValidation, featuresValidation),
		r.fitStage(stage{name: "fit", title: "fit", unit: "fits", inputs: []string{featuresFile, featuresValidation}, outputs: files(weightsFile)},
			regress.Request{Exact: c.Fit, Out: weightsFile}),
		r.matchStage(stage{name: "match", title: "weights against captures", inputs: []string{weightsFile}, note: "an engine that only counts captured seeds"},
			c.Match, c.Match, fitted, engine.Spec{Weights: engine.CapturesName}),
	)
	if own, err := patterns.Default(c.Rules); c.Champion != nil && err == nil && own != nil {
		m := *c.Champion
		list = append(list, r.matchStage(stage{name: "champion-match", title: "weights against the program's own", inputs: []string{weightsFile}, note: "patterns trained in rounds of play, with which the program plays by default"},
			m, m, fitted, engine.Spec{Weights: engine.DefaultName}))
	}
	if c.Patterns != nil {
		list = append(list,
			r.fitStage(stage{name: "patterns", title: "fit of patterns", unit: "steps", inputs: []string{labelsFile, labelsValidation}, outputs: files(patternsFile, features.ModelPath(patternsFile))},
				regress.Request{PatternConfig: c.Patterns.Fit, Out: patternsFile}),
			r.matchStage(stage{name: "patterns-match", title: "patterns against seed counts", inputs: []string{weightsFile, patternsFile}, note: "fitted to the same labels"},
				c.Patterns.Match, c.Patterns.Match, engine.Spec{Weights: r.path(patternsFile)}, fitted))
	}
	list = append(list, stage{
		name: "book", title: "book", unit: "expansions", settings: []any{c.Book},
		inputs: []string{weightsFile}, outputs: files(bookFile), journal: journalName(r.path(bookFile)), do: r.book,
	})
	if c.BookPlay != nil {
		with := fitted
		with.Book, with.Policy = r.path(bookFile), c.BookPlay.BookPolicy
		list = append(list, r.matchStage(stage{name: bookPlayStage, title: "book against no book", inputs: []string{weightsFile, bookFile}}, *c.BookPlay, c.BookPlay.Config, with, fitted))
	}
	return list
}

const bookPlayStage = "book-play"

// sampleStage completes a stage that draws positions. The champion before round k plays the games of
// self-play.
func (r *Run) sampleStage(k int, s stage, c sampler.Config, out string) stage {
	seed := r.seed(cmp.Or(s.seed, s.name))
	s.unit, s.settings, s.also = "positions", []any{c}, []any{r.Config.Rules, seed}
	s.inputs, s.outputs, s.journal = r.championInput(k), dataset(out), journalName(r.path(out))
	if c.Split > 0 {
		s.outputs = dataset(out, sampler.ValidationPath(out))
	}
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		c.Seed, c.Rules, c.Workers = seed, r.Config.Rules, r.Config.Workers
		return sampler.Sample(ctx, engine.Oware(), c, engine.Spec{Weights: r.champion(k - 1), Search: c.Searches()}, r.path(out), revision.Get(), progress)
	}
	return s
}

// labelStage labels the positions of the file in by searches with the champion after round k.
func (r *Run) labelStage(k int, name, title string, c engine.Config, in, out string) stage {
	return stage{
		name: name, title: title, unit: "positions", settings: []any{c},
		inputs: r.championInput(k+1, in), outputs: dataset(out), journal: journalName(r.path(out)),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			_, err := sampler.Label(ctx, engine.Oware(), r.path(in), r.path(out), r.searches(k, c), progress)
			if err != nil || c.MoveTime.Duration == 0 {
				return nil, err
			}
			return figuresOfLabels(r.path(out))
		},
	}
}

// labelFigures are the results of a stage of labels that are limited by time.
type labelFigures struct {
	Nodes int64 `json:"nodes,omitempty"` // median per label, without labels that took no search
}

// figuresOfLabels returns the labelFigures of the labels in a file.
func figuresOfLabels(path string) (f labelFigures, err error) {
	_, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Labels)
	rows = slices.DeleteFunc(rows, func(row datasets.Row[oware.Position]) bool { return row.Nodes == 0 })
	slices.SortFunc(rows, func(a, b datasets.Row[oware.Position]) int { return cmp.Compare(a.Nodes, b.Nodes) })
	if len(rows) > 0 {
		f.Nodes = rows[len(rows)/2].Nodes
	}
	return f, err
}

// searches returns how the champion after round k searches positions.
func (r *Run) searches(k int, c engine.Config) sampler.LabelConfig {
	return sampler.LabelConfig{Spec: engine.Spec{Weights: r.champion(k), Search: c}, Workers: r.Config.Workers, Farm: r.Farm}
}

// noiseStage measures the noise of labels of the positions in the file in, by searches with the
// champion after round k.
func (r *Run) noiseStage(k int, name, title string, c sampler.NoiseConfig, search engine.Config, in string) stage {
	return stage{
		name: name, title: title, unit: "labels", settings: []any{c, search}, inputs: r.championInput(k+1, in), outputs: files(),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			return sampler.MeasureNoise(ctx, engine.Oware(), r.path(in), r.searches(k, search), c, progress)
		},
	}
}

func (r *Run) featureStage(name, title, in, out string) stage {
	return stage{
		name: name, title: title, unit: "rows", settings: []any{r.Config.Features}, inputs: []string{in}, outputs: dataset(out),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			_, err := regress.Tabulate(ctx, patterns.Sets, r.path(in), r.path(out), r.Config.Features.Set, "", progress)
			return nil, err
		},
	}
}

// fitStage fits seed counts or patterns to the rows of its inputs, of which the last has the
// validation rows.
func (r *Run) fitStage(s stage, q regress.Request) stage {
	exact := q.Out == weightsFile
	if s.settings = []any{q.PatternConfig}; exact {
		s.settings = []any{q.Exact}
	}
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		out, last := q.Out, len(s.inputs)-1
		q.Out, q.Workers = r.path(out), r.Config.Workers
		for i, name := range s.inputs {
			if i == last {
				q.Validation = []string{r.path(name)}
			} else {
				q.Rows = append(q.Rows, r.path(name))
			}
		}
		f, err := regress.Fit(ctx, patterns.Sets, q, progress)
		if err != nil || exact {
			return f, err
		}
		f.Model, f.Compiled = features.ModelPath(out), out // the folder may be moved before the later stages
		return f, nil
	}
	return s
}

// matchStage completes the stage of a match of a and b. The report shows it.
func (r *Run) matchStage(s stage, settings any, c match.Config, a, b engine.Spec) stage {
	out := s.name + ".ogn"
	s.unit, s.settings, s.outputs, s.journal, s.match = "games", []any{settings}, files(out), journalName(r.path(out)), &c
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		c := c
		c.Rules, c.Seed, c.Concurrency, c.Log, c.Farm = r.Config.Rules, r.seed(cmp.Or(s.seed, s.name)), r.Config.Workers, s.journal, r.Farm
		return match.Run(ctx, engine.Oware(), c, a, b, match.Output{File: r.path(out)}, progress)
	}
	return s
}

func (r *Run) book(ctx context.Context, progress parallel.Progress) (any, error) {
	req := dropout.Request{
		BookConfig: r.Config.Book, Root: oware.Start(r.rules), By: engine.Spec{Weights: r.path(weightsFile), Search: r.Config.Book.Config},
		Workers: r.Config.Workers, Farm: r.Farm, Log: journalName(r.path(bookFile)),
	}
	return dropout.Grow(ctx, req, r.path(bookFile), progress)
}
