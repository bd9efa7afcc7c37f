package run

import (
	"cmp"
	"context"
	"slices"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/parallel"
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
	settings          []any           // structs that the result depends on
	otherSettings     []any           // other values that it depends on
	inputs            []string        // files of earlier stages
	outputs           func() []string // files it writes to the run folder; those of the report are known after do
	isSource          bool            // its outputs are positions or labels, whose features the report reads instead
	journal           string          // journal, kept until the manifest contains the stage
	pieces            pieces          // what is in the journal
	seed              string          // what its random choices derive from; "" is name
	match             *match.Config   // of a match that the report shows
	note              string          // on the match
	do                func(ctx context.Context, progress parallel.Progress) (result any, err error)
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

// stages returns the stages of the run in order: those of seed counts, those of rounds, or both, and the
// report.
func (r *Run) stages() []stage { return append(r.workStages(), r.reportStage()) }

// workStages returns the stages before the report.
func (r *Run) workStages() (list []stage) {
	if r.Config.fitsCounts() {
		list = r.countStages()
	}
	for i, c := range r.Config.Rounds {
		list = append(list, r.roundStages(i+1, c)...)
	}
	return append(list, r.finalStages()...)
}

// countStages fit seed counts to random boards, like the thesis.
func (r *Run) countStages() []stage {
	fitted := engine.Spec{Weights: r.path(weightsFile)}
	return slices.Concat(r.countLabelStages(), r.countFitStages(fitted), r.patternStages(fitted), r.bookStages(fitted))
}

// countLabelStages draw the random boards and label them.
func (r *Run) countLabelStages() []stage {
	c := r.Config
	list := []stage{
		r.sampleStage(0, stage{name: "sample", title: "training positions"}, c.Training, positionsFile),
		r.sampleStage(0, stage{name: "sample-validation", title: "validation positions"}, c.Validation, positionsValidation),
		r.labelStage(0, "label", "training labels", c.Label, positionsFile, labelsFile),
		r.labelStage(0, "label-validation", "validation labels", c.Label, positionsValidation, labelsValidation),
	}
	if c.Noise != nil {
		list = append(list, r.noiseStage(0, "label-noise", "noise of labels", *c.Noise, c.Label, positionsValidation))
	}
	return list
}

// countFitStages fit seed counts to the labels, and play with them.
func (r *Run) countFitStages(fitted engine.Spec) []stage {
	c := r.Config
	list := []stage{
		r.featureStage("features", "training features", labelsFile, featuresFile),
		r.featureStage("features-validation", "validation features", labelsValidation, featuresValidation),
		r.countFitStage(stage{
			name:    "fit",
			title:   "fit",
			unit:    "fits",
			inputs:  []string{featuresFile, featuresValidation},
			outputs: files(weightsFile),
		}, c.Fit),
		r.matchStage(stage{
			name:   "match",
			title:  "weights against captures",
			inputs: []string{weightsFile},
			note:   "an engine that only counts captured seeds",
		}, c.Match, c.Match, fitted, engine.Spec{Weights: engine.CapturesName}),
	}
	if own, err := owarefeatures.Default(c.Rules); c.Champion != nil && err == nil && own != nil {
		m := *c.Champion
		list = append(list, r.matchStage(stage{
			name:   "champion-match",
			title:  "weights against the program's own",
			inputs: []string{weightsFile},
			note:   "the program's own weights are patterns trained in rounds of self-play, far stronger than any sum of seed counts",
		}, m, m, fitted, engine.Spec{Weights: engine.DefaultName}))
	}
	return list
}

// patternStages fit patterns to the same labels if the configuration has them, and play against the seed counts.
func (r *Run) patternStages(fitted engine.Spec) []stage {
	c := r.Config.Patterns
	if c == nil {
		return nil
	}
	return []stage{
		r.patternFitStage(stage{
			name:    "patterns",
			title:   "fit of patterns",
			unit:    "steps",
			inputs:  []string{labelsFile, labelsValidation},
			outputs: files(patternsFile, features.ModelPath(patternsFile)),
		}, regress.Request{PatternConfig: c.Fit}, patternsFile),
		r.matchStage(stage{
			name:   "patterns-match",
			title:  "patterns against seed counts",
			inputs: []string{weightsFile, patternsFile},
			note:   "both fitted to the same labels",
		}, c.Match, c.Match, engine.Spec{Weights: r.path(patternsFile)}, fitted),
	}
}

// bookStages build the book, and play with it if the configuration says so.
func (r *Run) bookStages(fitted engine.Spec) []stage {
	c := r.Config
	list := []stage{{
		name:     "book",
		title:    "book",
		unit:     "expansions",
		settings: []any{c.Book},
		inputs:   []string{weightsFile},
		outputs:  files(bookFile),
		journal:  journal.PathOf(r.path(bookFile)),
		do:       r.book,
		pieces:   pieces{unit: "searches"},
	}}
	if c.BookPlay != nil {
		with := fitted
		with.Book = r.path(bookFile)
		with.Policy = c.BookPlay.BookPolicy
		list = append(list, r.matchStage(stage{
			name:   bookPlayStage,
			title:  "book against no book",
			inputs: []string{weightsFile, bookFile},
		}, *c.BookPlay, c.BookPlay.Config, with, fitted))
	}
	return list
}

const bookPlayStage = "book-play"

// sampleStage completes a stage that draws positions. The champion after round k plays the games of
// self-play.
func (r *Run) sampleStage(k int, s stage, c sampler.Config, out string) stage {
	seed := r.seed(cmp.Or(s.seed, s.name))
	s.unit = "positions"
	s.settings = []any{c}
	s.otherSettings = []any{r.Config.Rules, seed}
	s.inputs = r.withChampion(k)
	s.isSource = true
	s.outputs = dataset(out)
	s.journal = journal.PathOf(r.path(out))
	s.pieces.unit = "games"
	if c.Split > 0 {
		s.outputs = dataset(out, sampler.ValidationPath(out))
	}
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		c.Seed = seed
		c.Rules = r.Config.Rules
		c.Workers = r.Config.Workers
		return sampler.Sample(ctx, engine.Oware(), c, engine.Spec{Weights: r.champion(k), Search: c.Searches()},
			r.path(out), progress)
	}
	return s
}

// labelStage labels the positions of the file in by searches with the champion after round k.
func (r *Run) labelStage(k int, name, title string, c engine.Config, in, out string) stage {
	return stage{
		name: name, title: title, unit: "positions", settings: []any{c},
		inputs: r.withChampion(k, in), outputs: dataset(out), isSource: true, journal: journal.PathOf(r.path(out)),
		pieces: pieces{total: r.rowsOf(in)},
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			_, err := sampler.Label(ctx, engine.Oware(), r.path(in), r.path(out), r.searches(k, c), progress)
			if err != nil || c.MoveTime.Duration == 0 {
				return nil, err
			}
			return medianNodes(ctx, r.path(out))
		},
	}
}

// labelResult are the results of a stage of labels that are limited by time.
type labelResult struct {
	Nodes int64 `json:"nodes,omitempty"` // median per label, without labels that took no search
}

// medianNodes returns the labelResult of the labels in a file.
func medianNodes(ctx context.Context, path string) (f labelResult, err error) {
	t, err := datasets.Open(ctx, oware.Descriptor().Info, path)
	if err != nil {
		return f, err
	}
	defer t.Close()
	var nodes []int64
	searched := datasets.Query{Kind: datasets.Labels, Columns: []string{"nodes"}, Where: "nodes > 0"}
	for b, err := range t.Batches(ctx, searched) {
		if err != nil {
			return f, err
		}
		nodes = append(nodes, b.Whole(0)...)
	}
	if len(nodes) > 0 {
		slices.Sort(nodes)
		f.Nodes = nodes[len(nodes)/2]
	}
	return f, nil
}

// searches returns how the champion after round k searches positions.
func (r *Run) searches(k int, c engine.Config) sampler.LabelConfig {
	return sampler.LabelConfig{Spec: engine.Spec{Weights: r.champion(k), Search: c}, Workers: r.Config.Workers, Farm: r.Farm}
}

// noiseStage measures the noise of labels of the positions in the file in, by searches with the
// champion after round k.
func (r *Run) noiseStage(k int, name, title string, c sampler.NoiseConfig, search engine.Config, in string) stage {
	return stage{
		name:     name,
		title:    title,
		unit:     "labels",
		settings: []any{c, search},
		inputs:   r.withChampion(k, in),
		outputs:  files(),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			return sampler.MeasureNoise(ctx, engine.Oware(), r.path(in), r.searches(k, search), c, progress)
		},
	}
}

func (r *Run) featureStage(name, title, in, out string) stage {
	return stage{
		name: name, title: title, unit: "rows", settings: []any{r.Config.Features}, inputs: []string{in}, outputs: dataset(out),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			table := regress.Tabulation{In: r.path(in), Out: r.path(out), Set: r.Config.Features.Set}
			_, err := regress.Tabulate(ctx, owarefeatures.Sets, table, progress)
			return nil, err
		},
	}
}

// countFitStage completes the stage that fits seed counts to the features in its inputs.
func (r *Run) countFitStage(s stage, c regress.Config) stage {
	s.settings = []any{c}
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		q := r.fitRequest(regress.Request{Linear: c}, s.inputs, weightsFile)
		return regress.Fit(ctx, owarefeatures.Sets, q, progress)
	}
	return s
}

// patternFitStage completes the stage that fits patterns to the labels in its inputs. q has the
// settings and the provenance.
func (r *Run) patternFitStage(s stage, q regress.Request, out string) stage {
	s.settings = []any{q.PatternConfig}
	s.journal = journal.PathOf(r.path(out))
	s.pieces.unit = "rounds of the fit"
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		f, err := regress.Fit(ctx, owarefeatures.Sets, r.fitRequest(q, s.inputs, out), progress)
		if err != nil {
			return f, err
		}
		// The folder may be moved before the later stages, so these names are relative to it.
		f.Model = features.ModelPath(out)
		f.Compiled = out
		return f, nil
	}
	return s
}

// fitRequest completes a request: it fits the rows of the inputs, of which the last has the
// validation rows.
func (r *Run) fitRequest(q regress.Request, inputs []string, out string) regress.Request {
	q.Out = r.path(out)
	q.Workers = r.Config.Workers
	last := len(inputs) - 1
	for _, name := range inputs[:last] {
		q.Rows = append(q.Rows, r.path(name))
	}
	q.Validation = []string{r.path(inputs[last])}
	return q
}

// matchStage completes the stage of a match of a and b. The report shows it.
func (r *Run) matchStage(s stage, settings any, c match.Config, a, b engine.Spec) stage {
	out := s.name + ".ogn"
	played := c
	played.Rules = r.Config.Rules
	played.Seed = r.seed(cmp.Or(s.seed, s.name))
	played.Concurrency = r.Config.Workers
	played.Farm = r.Farm
	played.Log = journal.PathOf(r.path(out))
	s.unit = "games"
	s.settings = []any{settings}
	s.outputs = files(out)
	s.journal = played.Log
	s.pieces = matchPieces(played, a, b)
	s.match = &c
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		return match.Run(ctx, engine.Oware(), played, a, b, match.Output{File: r.path(out)}, progress)
	}
	return s
}

func (r *Run) book(ctx context.Context, progress parallel.Progress) (any, error) {
	req := dropout.Request{
		BookConfig: r.Config.Book,
		Root:       oware.Start(r.rules),
		By:         engine.Spec{Weights: r.path(weightsFile), Search: r.Config.Book.Config},
		Workers:    r.Config.Workers, Farm: r.Farm, Log: journal.PathOf(r.path(bookFile)),
	}
	return dropout.Grow(ctx, req, r.path(bookFile), progress)
}
