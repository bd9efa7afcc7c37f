package run

import (
	"context"
	"fmt"

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
	weightsFullFile     = "weights-full.json"
	matchFile           = "match.ogn"
	championMatchFile   = "champion-match.ogn"
	patternsFile        = "patterns.weights"
	patternsMatchFile   = "patterns-match.ogn"
	bookFile            = "book.bin"
	leavesFile          = "dropout.csv"
	bookPlayFile        = "book-play.ogn"
	reportFile          = "report.html"
	plotsFolder         = "plots"
)

func files(names ...string) func() []string { return func() []string { return names } }

// stages returns the stages of the run in order: those of seed counts, those of rounds, or both.
func (r *Run) stages() (list []stage) {
	if r.Config.counts() {
		list = r.countStages()
	}
	for i, c := range r.Config.Rounds {
		list = append(list, r.roundStages(i+1, c)...)
	}
	list = append(list, r.finalStages()...)
	return append(list, r.reportStage())
}

// countStages fit seed counts to random boards, like the thesis.
func (r *Run) countStages() []stage {
	c, fitted := r.Config, playing(r.path(weightsFile))
	list := []stage{
		r.sampleStage("sample", "training positions", c.Training, positionsFile),
		r.sampleStage("sample-validation", "validation positions", c.Validation, positionsValidation),
		r.labelStage(0, "label", "training labels", c.Label, float64(c.Training.N), positionsFile, labelsFile),
		r.labelStage(0, "label-validation", "validation labels", c.Label, float64(c.Validation.N), positionsValidation, labelsValidation),
	}
	if c.Noise != nil {
		list = append(list, r.noiseStage(0, "label-noise", "noise of labels", *c.Noise, c.Label, positionsValidation))
	}
	list = append(list,
		r.featureStage("features", "training features", labelsFile, featuresFile),
		r.featureStage("features-validation", "validation features", labelsValidation, featuresValidation),
		stage{
			name: "fit", title: "fit", unit: "fits", settings: []any{c.Fit},
			inputs: []string{featuresFile, featuresValidation}, outputs: files(weightsFile, weightsFullFile), do: r.fit,
		},
		r.matchStage("match", "match", c.Match, c.Match, countsCost, fitted, playing(engine.CapturesName), matchFile, weightsFile),
	)
	if m := r.championMatch(); m != nil {
		list = append(list, r.matchStage("champion-match", "match against the program's weights", *m, *m, patternsCost,
			fitted, playing(engine.DefaultName), championMatchFile, weightsFile))
	}
	if c.Patterns != nil {
		list = append(list, r.patternStage(*c.Patterns), r.matchStage("patterns-match", "patterns against seed counts", c.Patterns.Match, c.Patterns.Match, patternsCost,
			playing(r.path(patternsFile)), fitted, patternsMatchFile, weightsFile, patternsFile))
	}
	list = append(list, stage{
		name: "book", title: "book", unit: "expansions", settings: []any{c.Book}, nodes: bookNodes(c.Book),
		inputs: []string{weightsFile}, outputs: files(bookFile, leavesFile), journal: journalName(bookFile), do: r.book,
	})
	if c.BookPlay != nil {
		with := fitted
		with.Book, with.Policy = r.path(bookFile), c.BookPlay.BookPolicy
		list = append(list, r.matchStage("book-play", "play from the book", *c.BookPlay, c.BookPlay.Config, countsCost, with, fitted, bookPlayFile, weightsFile, bookFile))
	}
	return list
}

// championMatch returns the settings of the match of the fitted weights against the program's
// weights for the rules, or nil.
func (r *Run) championMatch() *match.Config {
	if r.Config.Champion == nil {
		return nil
	}
	if champion, err := patterns.Default(r.Config.Rules); err != nil || champion == nil {
		return nil
	}
	return r.Config.Champion
}

// patternStage fits patterns to the same labels.
func (r *Run) patternStage(c Patterns) stage {
	return stage{
		name: "patterns", title: "fit of patterns", unit: "steps", settings: []any{c.Fit},
		inputs: []string{labelsFile, labelsValidation}, outputs: files(patternsFile, features.ModelPath(patternsFile)),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			s, err := regress.Fit(ctx, patterns.Sets, patterns.PatternSets, regress.Request{
				PatternConfig: c.Fit, Rows: []string{r.path(labelsFile)}, Validation: []string{r.path(labelsValidation)},
				Out: r.path(patternsFile), Workers: r.Config.Workers,
			}, progress)
			return fitted(s, err, patternsFile)
		},
	}
}

// fitted returns the results of a fit of patterns. It names the files relative to the folder,
// which may be moved before the later stages.
func fitted(f regress.Fitted, err error, file string) (any, error) {
	if err != nil {
		return nil, err
	}
	s := f.Patterns
	if s.Compiled == "" {
		return nil, fmt.Errorf("%s is not written: %s", file, s.WhyNot)
	}
	s.Model, s.Compiled = features.ModelPath(file), file
	return s, nil
}

func (r *Run) sampleStage(name, title string, c sampler.Config, out string) stage {
	return stage{
		name: name, title: title, unit: "positions",
		settings: []any{c}, also: []any{r.Config.Rules, r.seed(name)}, outputs: files(out, datasets.ManifestPath(out)),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			c.Seed, c.Rules, c.Workers = r.seed(name), r.Config.Rules, r.Config.Workers
			_, err := sampler.Sample(ctx, engine.Oware(), c, engine.Spec{Weights: engine.CapturesName}, r.path(out), revision.Get(), progress)
			return nil, err
		},
	}
}

// labelStage labels n positions of the file in by searches with the champion after round k.
func (r *Run) labelStage(k int, name, title string, c engine.Config, n float64, in, out string) stage {
	cost := 1.0
	if k > 0 {
		cost = patternsCost
	}
	return stage{
		name: name, title: title, unit: "positions", settings: []any{c}, nodes: n * nodesOf(c) * cost,
		inputs: r.championInput(k+1, in), outputs: files(out, datasets.ManifestPath(out)), journal: journalName(out),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			spec, err := r.spec(r.champion(k), c)
			if err != nil {
				return nil, err
			}
			_, err = sampler.Label(ctx, engine.Oware(), r.path(in), r.path(out), sampler.LabelConfig{Spec: spec, Workers: r.Config.Workers, Farm: r.Farm}, progress)
			if err != nil {
				return nil, err
			}
			return figuresOfLabels(ctx, c, r.path(out))
		},
	}
}

func (r *Run) featureStage(name, title, in, out string) stage {
	return stage{
		name: name, title: title, unit: "rows",
		settings: []any{r.Config.Features}, inputs: []string{in}, outputs: files(out, datasets.ManifestPath(out)),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			_, err := regress.Tabulate(ctx, patterns.Sets, r.path(in), r.path(out), r.Config.Features.Set, "", progress)
			return nil, err
		},
	}
}

func (r *Run) fit(ctx context.Context, progress parallel.Progress) (any, error) {
	f, err := regress.Fit(ctx, patterns.Sets, patterns.PatternSets, regress.Request{
		Exact: r.Config.Fit, Rows: []string{r.path(featuresFile)}, Validation: []string{r.path(featuresValidation)},
		Out: r.path(weightsFile), Full: r.path(weightsFullFile),
	}, progress)
	return f.Features, err
}

// matchStage plays two players, whose nodes have the given cost, against each other.
func (r *Run) matchStage(name, title string, settings any, c match.Config, cost float64, a, b engine.Spec, out string, inputs ...string) stage {
	return stage{
		name: name, title: title, unit: "games", settings: []any{settings}, nodes: matchNodes(c, cost),
		inputs: inputs, outputs: files(out), journal: journalName(out),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			return r.play(ctx, name, c, a, b, out, progress)
		},
	}
}

// play plays a match of the run.
func (r *Run) play(ctx context.Context, seed string, c match.Config, a, b engine.Spec, out string, progress parallel.Progress) (match.Summary, error) {
	c.Rules, c.Seed, c.Concurrency, c.Log, c.Farm = r.Config.Rules, r.seed(seed), r.Config.Workers, journalName(r.path(out)), r.Farm
	return match.Run(ctx, engine.Oware(), c, a, b, match.Output{File: r.path(out)}, progress)
}

func (r *Run) book(ctx context.Context, progress parallel.Progress) (any, error) {
	c := r.Config.Book
	spec, err := r.spec(r.path(weightsFile), c.Config)
	if err != nil {
		return nil, err
	}
	c.Config = spec.Search
	req := dropout.Request{
		BookConfig: c, Root: oware.Start(r.rules), By: spec,
		Workers: r.Config.Workers, Farm: r.Farm, Log: journalName(r.path(bookFile)),
	}
	g, sum, err := dropout.Grow(ctx, req, r.path(bookFile), progress)
	if err != nil {
		return nil, err
	}
	return sum, dropout.WriteLeaves(r.path(leavesFile), g)
}
