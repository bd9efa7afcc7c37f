package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/match/elo"
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
	pieces            pieces          // what is in the journal
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
		r.countFitStage(stage{name: "fit", title: "fit", unit: "fits",
			inputs: []string{featuresFile, featuresValidation}, outputs: files(weightsFile)}, c.Fit),
		r.matchStage(stage{
			name:   "match",
			title:  "weights against captures",
			inputs: []string{weightsFile},
			note:   "an engine that only counts captured seeds",
		},
			c.Match, c.Match, fitted, engine.Spec{Weights: engine.CapturesName}),
	)
	if own, err := patterns.Default(c.Rules); c.Champion != nil && err == nil && own != nil {
		m := *c.Champion
		list = append(list, r.matchStage(stage{
			name:   "champion-match",
			title:  "weights against the program's own",
			inputs: []string{weightsFile},
			note:   "the program's own weights are patterns trained in rounds of self-play, far stronger than any sum of seed counts",
		},
			m, m, fitted, engine.Spec{Weights: engine.DefaultName}))
	}
	if c.Patterns != nil {
		list = append(list,
			r.patternFitStage(stage{
				name:    "patterns",
				title:   "fit of patterns",
				unit:    "steps",
				inputs:  []string{labelsFile, labelsValidation},
				outputs: files(patternsFile, features.ModelPath(patternsFile)),
			},
				regress.Request{PatternConfig: c.Patterns.Fit}, patternsFile),
			r.matchStage(stage{
				name:   "patterns-match",
				title:  "patterns against seed counts",
				inputs: []string{weightsFile, patternsFile},
				note:   "both fitted to the same labels",
			},
				c.Patterns.Match, c.Patterns.Match, engine.Spec{Weights: r.path(patternsFile)}, fitted))
	}
	list = append(list, stage{
		name: "book", title: "book", unit: "expansions", settings: []any{c.Book},
		inputs: []string{weightsFile}, outputs: files(bookFile), journal: journal.PathOf(r.path(bookFile)), do: r.book,
		pieces: pieces{unit: "searches"},
	})
	if c.BookPlay != nil {
		with := fitted
		with.Book, with.Policy = r.path(bookFile), c.BookPlay.BookPolicy
		list = append(list, r.matchStage(stage{name: bookPlayStage, title: "book against no book",
			inputs: []string{weightsFile, bookFile}}, *c.BookPlay, c.BookPlay.Config, with, fitted))
	}
	return list
}

const bookPlayStage = "book-play"

// sampleStage completes a stage that draws positions. The champion before round k plays the games of
// self-play.
func (r *Run) sampleStage(k int, s stage, c sampler.Config, out string) stage {
	seed := r.seed(cmp.Or(s.seed, s.name))
	s.unit = "positions"
	s.settings = []any{c}
	s.also = []any{r.Config.Rules, seed}
	s.inputs = r.championInput(k)
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
		return sampler.Sample(ctx, engine.Oware(), c, engine.Spec{Weights: r.champion(k - 1), Search: c.Searches()},
			r.path(out), revision.Get(), progress)
	}
	return s
}

// labelStage labels the positions of the file in by searches with the champion after round k.
func (r *Run) labelStage(k int, name, title string, c engine.Config, in, out string) stage {
	return stage{
		name: name, title: title, unit: "positions", settings: []any{c},
		inputs: r.championInput(k+1, in), outputs: dataset(out), journal: journal.PathOf(r.path(out)),
		pieces: pieces{total: r.rowsOf(in)},
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			_, err := sampler.Label(ctx, engine.Oware(), r.path(in), r.path(out), r.searches(k, c), progress)
			if err != nil || c.MoveTime.Duration == 0 {
				return nil, err
			}
			return figuresOfLabels(ctx, r.path(out))
		},
	}
}

// labelFigures are the results of a stage of labels that are limited by time.
type labelFigures struct {
	Nodes int64 `json:"nodes,omitempty"` // median per label, without labels that took no search
}

// figuresOfLabels returns the labelFigures of the labels in a file.
func figuresOfLabels(ctx context.Context, path string) (f labelFigures, err error) {
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
		inputs:   r.championInput(k+1, in),
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
			_, err := regress.Tabulate(ctx, patterns.Sets, r.path(in), r.path(out), r.Config.Features.Set, "", progress)
			return nil, err
		},
	}
}

// countFitStage completes the stage that fits seed counts to the features in its inputs.
func (r *Run) countFitStage(s stage, c regress.Config) stage {
	s.settings = []any{c}
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		q := r.fitRequest(regress.Request{Linear: c}, s.inputs, weightsFile)
		return regress.Fit(ctx, patterns.Sets, q, progress)
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
		f, err := regress.Fit(ctx, patterns.Sets, r.fitRequest(q, s.inputs, out), progress)
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

// A round of training plays games with the champion so far, labels their positions with it, fits
// weights to them, and plays a match of the new weights against the champion, the gate. The
// winner is the next champion. The first champion counts captures.
//
// A gate at equal time measures strength in play, and takes long. A screen, a match at equal
// nodes before it, avoids the gate for weights that fail there.

// Round is the settings of one round of training.
type Round struct {
	Keep      int                   `name:"keep" range:"0.." help:"number of earlier rounds whose rows are fitted as well"`
	Positions sampler.Config        `name:"positions" help:"games of the champion so far, and boards drawn at random"`
	Labels    engine.Config         `name:"labels" help:"the search that gives each position its value"`
	Noise     *sampler.NoiseConfig  `name:"noise" help:"label noise: repeated searches of the same positions"`
	Fit       regress.PatternConfig `name:"fit" help:"the fit of the new weights"`
	// Screen and Gate are matches that the new weights must win to become champion: by the
	// sequential test if there is one, else by points.
	Screen *match.Config `name:"screen" help:"a match against the champion so far: new weights that fail here do not come to the gate"`
	Gate   match.Config  `name:"gate" help:"the match against the champion so far that decides"`
}

// Final is a match of the last champion against a named opponent.
type Final struct {
	Opponent string `name:"opponent" file:"in" help:"an evaluation by name, or a weights file"`
	Only     string `name:"only_rules" help:"rules that the opponent plays; under others the match is left out"`
	match.Config
}

// finals returns the matches of the last champion under the run's rules.
func (c *Config) finals() []Final {
	return slices.DeleteFunc(slices.Clone(c.Finals), func(f Final) bool { return f.Only != "" && f.Only != c.Rules })
}

// firstChampion is the evaluation that the first round plays with.
const firstChampion = engine.CapturesName

// ofRound returns the name of a file or a stage of round k.
func ofRound(k int, name string) string { return fmt.Sprintf("round%d%s", k, name) }

func roundLabels(k int) string  { return ofRound(k, "-labels.parquet") }
func roundWeights(k int) string { return ofRound(k, features.CompiledSuffix) }

// championFile returns the file of the champion after round k; the last champion is the run's.
func (r *Run) championFile(k int) string {
	if k == len(r.Config.Rounds) {
		return "champion" + features.CompiledSuffix
	}
	return fmt.Sprintf("champion%d%s", k, features.CompiledSuffix)
}

// champion returns the champion after round k.
func (r *Run) champion(k int) string {
	if k == 0 {
		return firstChampion
	}
	return r.path(r.championFile(k))
}

// championInput returns the file of the champion that plays in round k, as an input of its
// stages.
func (r *Run) championInput(k int, more ...string) []string {
	if k > 1 {
		more = append(more, r.championFile(k-1))
	}
	return more
}

// roundStages returns the stages of round k, from 1.
func (r *Run) roundStages(k int, c Round) []stage {
	positions := ofRound(k, "-positions.parquet")
	labels, weights := roundLabels(k), roundWeights(k)
	validation, labelsValidation := sampler.ValidationPath(positions), ofRound(k, "-labels-validation.parquet")
	title := func(what string) string { return fmt.Sprintf("round %d %s", k, what) }
	fit := stage{
		name:    ofRound(k, "-fit"),
		title:   title("fit"),
		unit:    "steps",
		outputs: files(weights, features.ModelPath(weights)),
	}
	for i := max(1, k-c.Keep); i <= k; i++ {
		fit.inputs = append(fit.inputs, roundLabels(i))
	}
	fit.inputs = append(fit.inputs, labelsValidation)
	stages := []stage{
		r.sampleStage(k, stage{name: ofRound(k, "-positions"), title: title("positions"), seed: positions}, c.Positions,
			positions),
		r.labelStage(k-1, "label "+labels, title("labels"), c.Labels, positions, labels),
		r.labelStage(k-1, "label "+labelsValidation, title("validation labels"), c.Labels, validation, labelsValidation),
		r.patternFitStage(fit, regress.Request{PatternConfig: c.Fit, Round: k}, weights),
	}
	if c.Noise != nil {
		stages = append(stages, r.noiseStage(k-1, ofRound(k, "-noise"), title("noise of labels"), *c.Noise, c.Labels,
			validation))
	}
	inputs := r.championInput(k, weights)
	if c.Screen != nil {
		screen := r.gateStage(k, "screen", inputs, *c.Screen)
		screen.match = nil // the report shows the gate, or the screen in its place
		stages, inputs = append(stages, screen), append(inputs, ofRound(k, "-screen.ogn"))
	}
	gate := r.gateStage(k, "gate", inputs, c.Gate)
	play, games := gate.do, ofRound(k, "-gate.ogn")
	gate.outputs = files(games, r.championFile(k))
	gate.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		if c.Screen != nil {
			screen, err := figuresOf[gateResult](r.manifest, ofRound(k, "-screen"))
			if err != nil {
				return nil, err
			}
			if !screen.Accepted { // there is no gate
				return r.promote(k, *screen, atomicfile.WriteBytes(r.path(games), nil))
			}
		}
		played, err := play(ctx, progress)
		if err != nil {
			return nil, err
		}
		return r.promote(k, played.(gateResult), nil)
	}
	return append(stages, gate)
}

// gateResult is the result of a round's gate, or of its screen.
type gateResult struct {
	match.Summary
	Accepted bool `json:"accepted"`           // the new weights are the champion
	Fallback bool `json:"fallback,omitempty"` // although they did not win: the first round has no weights to stay with
}

// gateStage is a match that the weights of round k must win to become champion: the screen or the gate.
func (r *Run) gateStage(k int, name string, inputs []string, c match.Config) stage {
	s := stage{
		name:   ofRound(k, "-"+name),
		title:  fmt.Sprintf("round %d %s", k, name),
		inputs: inputs,
		seed:   fmt.Sprintf("gate %d", k),
	}
	s = r.matchStage(s, c, c, engine.Spec{Weights: r.path(roundWeights(k))}, engine.Spec{Weights: r.champion(k - 1)})
	play := s.do
	s.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		played, err := play(ctx, progress)
		if err != nil {
			return nil, err
		}
		f := gateResult{Summary: played.(match.Summary)}
		f.Accepted = f.Elo > 0
		if c.Test.Given() {
			f.Accepted = f.Verdict == elo.AcceptedH1
		}
		return f, nil
	}
	return s
}

// promote writes the champion after the gate of round k.
func (r *Run) promote(k int, f gateResult, err error) (any, error) {
	if k == 1 && !f.Accepted {
		f.Accepted, f.Fallback = true, true
	}
	winner := roundWeights(k)
	if !f.Accepted {
		winner = r.championFile(k - 1)
	}
	data, readErr := vfs.ReadFile(r.path(winner))
	if err = cmp.Or(err, readErr); err != nil {
		return nil, err
	}
	return f, atomicfile.WriteBytes(r.path(r.championFile(k)), data)
}

// finalName returns the name of the stage of final match i, from 0.
func finalName(i int) string { return fmt.Sprintf("final%d", i+1) }

// finalStages returns the matches of the last champion.
func (r *Run) finalStages() (list []stage) {
	last := len(r.Config.Rounds)
	for i, c := range r.Config.finals() {
		s := stage{
			name:   finalName(i),
			title:  "champion against " + c.Opponent,
			inputs: []string{r.championFile(last)},
			seed:   fmt.Sprintf("final %d", i+1),
		}
		list = append(list, r.matchStage(s, c, c.Config, engine.Spec{Weights: r.champion(last)},
			engine.Spec{Weights: c.Opponent}))
	}
	return list
}
