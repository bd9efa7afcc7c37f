package run

import (
	"context"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	"kroo/games/oware"
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
	bookFile            = "book.bin"
	leavesFile          = "dropout.csv"
	bookPlayFile        = "book-play.ogn"
	reportFile          = "report.html"
	plotsFolder         = "plots"
)

func files(names ...string) func() []string { return func() []string { return names } }

// stages are the steps of the run, in order.
func (r *Run) stages() []stage {
	c := r.Config
	return []stage{
		r.sampleStage("sample", "training positions", c.Training, positionsFile),
		r.sampleStage("sample-validation", "validation positions", c.Validation, positionsValidation),
		r.labelStage("label", "training labels", positionsFile, labelsFile),
		r.labelStage("label-validation", "validation labels", positionsValidation, labelsValidation),
		r.featureStage("features", "training features", labelsFile, featuresFile),
		r.featureStage("features-validation", "validation features", labelsValidation, featuresValidation),
		{
			name: "fit", title: "fit", unit: "fits", settings: c.Fit,
			inputs: []string{featuresFile, featuresValidation}, outputs: files(weightsFile, weightsFullFile), do: r.fit,
		},
		{
			name: "match", title: "match", unit: "pairs", settings: c.Match,
			inputs: []string{weightsFile}, outputs: files(matchFile), journal: journalName(matchFile), do: r.match,
		},
		{
			name: "book", title: "book", unit: "expansions", settings: c.Book,
			inputs: []string{weightsFile}, outputs: files(bookFile, leavesFile), journal: journalName(bookFile), do: r.book,
		},
		{
			name: "book-play", title: "play from the book", unit: "pairs", settings: c.BookPlay,
			inputs: []string{weightsFile, bookFile}, outputs: files(bookPlayFile), journal: journalName(bookPlayFile), do: r.bookPlay,
		},
		r.reportStage(),
	}
}

func (r *Run) sampleStage(name, title string, c sampler.Config, out string) stage {
	return stage{
		name: name, title: title, unit: "positions",
		settings: []any{c, r.Config.Rules, r.seed(name)}, outputs: files(out, datasets.ManifestPath(out)),
		do: func(ctx context.Context, progress Progress) (any, error) {
			return nil, r.sample(ctx, name, c, out, progress)
		},
	}
}

func (r *Run) sample(ctx context.Context, name string, c sampler.Config, out string, progress Progress) error {
	c.Seed, c.Rules = r.seed(name), r.Config.Rules
	_, err := sampler.Sample(ctx, engine.Oware(), c, engine.Captures(), r.path(out), revision.Get(), progress)
	return err
}

func (r *Run) labelStage(name, title, in, out string) stage {
	c := sampler.LabelConfig[oware.Position]{Search: r.Config.Label, Workers: r.Config.Workers, Eval: engine.Captures()}
	return stage{
		name: name, title: title, unit: "positions",
		settings: c.Search, inputs: []string{in}, outputs: files(out, datasets.ManifestPath(out)), journal: journalName(out),
		do: func(ctx context.Context, progress Progress) (any, error) {
			_, err := sampler.Label(ctx, engine.Oware(), r.path(in), r.path(out), c, progress)
			return nil, err
		},
	}
}

func (r *Run) featureStage(name, title, in, out string) stage {
	return stage{
		name: name, title: title, unit: "rows",
		settings: r.Config.Features, inputs: []string{in}, outputs: files(out, datasets.ManifestPath(out)),
		do: func(ctx context.Context, progress Progress) (any, error) {
			_, err := regress.Tabulate(ctx, r.path(in), r.path(out), r.Config.Features.Set, progress)
			return nil, err
		},
	}
}

func (r *Run) fit(ctx context.Context, progress Progress) (any, error) {
	return regress.FitFiles(ctx, regress.FitRequest{
		Config: r.Config.Fit, Training: r.path(featuresFile), Validation: r.path(featuresValidation),
		Out: r.path(weightsFile), Full: r.path(weightsFullFile),
	}, progress)
}

// fitted is the evaluator of the run's weights.
func (r *Run) fitted() (engine.Evaluation[oware.Position], error) {
	w, err := features.LoadWeights(r.path(weightsFile))
	if err != nil {
		return engine.Evaluation[oware.Position]{}, err
	}
	return engine.Fitted(w)
}

func (r *Run) match(ctx context.Context, progress Progress) (any, error) {
	eval, err := r.fitted()
	if err != nil {
		return nil, err
	}
	return r.play(ctx, match.Request{
		Conditions: r.Config.Match, Seed: r.seed("match"),
		A: match.Contender{Eval: eval}, B: match.Contender{Eval: engine.Captures()},
	}, matchFile, progress)
}

func (r *Run) bookPlay(ctx context.Context, progress Progress) (any, error) {
	eval, err := r.fitted()
	if err != nil {
		return nil, err
	}
	b, err := engine.Oware().Book(r.path(bookFile), r.Config.Rules)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return r.play(ctx, match.Request{
		Conditions: r.Config.BookPlay, Seed: r.seed("book-play"),
		A: match.Contender{Eval: eval, Book: b}, B: match.Contender{Eval: eval},
	}, bookPlayFile, progress)
}

// play plays a match of the run.
func (r *Run) play(ctx context.Context, req match.Request, out string, progress Progress) (any, error) {
	req.Rules, req.Concurrency, req.Log = r.rules, r.Config.Workers, journalName(r.path(out))
	return match.Run(ctx, req, r.path(out), func(done, total int64, _ match.Score) { progress(done, total) })
}

func (r *Run) book(ctx context.Context, progress Progress) (any, error) {
	eval, err := r.fitted()
	if err != nil {
		return nil, err
	}
	req := dropout.Request{
		BookConfig: r.Config.Book, Root: oware.Start(r.rules), Eval: eval,
		Workers: r.Config.Workers, Log: journalName(r.path(bookFile)),
	}
	g, sum, err := dropout.Grow(ctx, req, r.path(bookFile), progress)
	if err != nil {
		return nil, err
	}
	return sum, dropout.WriteLeaves(r.path(leavesFile), g)
}
