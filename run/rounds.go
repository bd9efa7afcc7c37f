package run

import (
	"context"
	"fmt"
	"slices"

	"kroo/datasets"
	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/match/elo"
	"kroo/regress"
	"kroo/run/page"
	"kroo/sampler"
)

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

func roundFile(k int, name string) string { return fmt.Sprintf("round%d%s", k, name) }

func roundLabels(k int) string     { return roundFile(k, "-labels.parquet") }
func roundValidation(k int) string { return roundFile(k, "-labels-validation.parquet") }
func roundWeights(k int) string    { return roundFile(k, features.CompiledSuffix) }

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

// playing returns a player with weights.
func playing(weights string) engine.Spec {
	return engine.Spec{Weights: weights}
}

// championPlayer returns a player of the champion after round k.
func (r *Run) championPlayer(k int) engine.Spec {
	return playing(r.champion(k))
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
	positions := roundFile(k, "-positions.parquet")
	validation := sampler.ValidationPath(positions)
	title := func(what string) string { return fmt.Sprintf("round %d %s", k, what) }
	stages := []stage{
		{
			name: fmt.Sprintf("round%d-positions", k), title: title("positions"), unit: "positions", nodes: sampleNodes(c.Positions),
			settings: []any{c.Positions}, also: []any{r.Config.Rules, r.seed(positions)}, inputs: r.championInput(k), journal: journalName(positions),
			outputs: files(positions, datasets.ManifestPath(positions), validation, datasets.ManifestPath(validation)),
			do: func(ctx context.Context, progress parallel.Progress) (any, error) {
				return r.roundPositions(ctx, k, c, positions, progress)
			},
		},
		r.labelStage(k-1, "label "+roundLabels(k), title("labels"), c.Labels, (1-c.Positions.Split)*float64(c.Positions.N), positions, roundLabels(k)),
		r.labelStage(k-1, "label "+roundValidation(k), title("validation labels"), c.Labels, c.Positions.Split*float64(c.Positions.N), validation, roundValidation(k)),
		r.roundFitStage(k, c, title("fit")),
	}
	if c.Noise != nil {
		stages = append(stages, r.noiseStage(k-1, roundNoise(k), title("noise of labels"), *c.Noise, c.Labels, validation))
	}
	if c.Screen != nil {
		stages = append(stages, r.screenStage(k, *c.Screen, title("screen")))
	}
	return append(stages, r.gateStage(k, c, title("gate")))
}

func (r *Run) roundPositions(ctx context.Context, k int, c Round, out string, progress parallel.Progress) (any, error) {
	cfg := c.Positions
	spec, err := r.spec(r.champion(k-1), cfg.Searches())
	if err != nil {
		return nil, err
	}
	cfg.Tables = spec.Search.Tables
	cfg.Seed, cfg.Rules, cfg.Workers = r.seed(out), r.Config.Rules, r.Config.Workers
	return sampler.Sample(ctx, engine.Oware(), cfg, spec, r.path(out), revision.Get(), progress)
}

func (r *Run) roundFitStage(k int, c Round, title string) stage {
	inputs := []string{roundValidation(k)}
	req := regress.Request{
		PatternConfig: c.Fit, Validation: []string{r.path(roundValidation(k))}, Out: r.path(roundWeights(k)),
		Round: k, Workers: r.Config.Workers,
	}
	for i := max(1, k-c.Keep); i <= k; i++ {
		inputs = append(inputs, roundLabels(i))
		req.Rows = append(req.Rows, r.path(roundLabels(i)))
	}
	return stage{
		name: fmt.Sprintf("round%d-fit", k), title: title, unit: "steps", settings: []any{c.Fit}, inputs: inputs, nodes: float64(len(req.Rows)*c.Positions.N) * fitNodes,
		outputs: files(roundWeights(k), features.ModelPath(roundWeights(k))),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			s, err := regress.Fit(ctx, patterns.Sets, patterns.PatternSets, req, progress)
			return fitted(s, err, roundWeights(k))
		},
	}
}

func roundNoise(k int) string { return fmt.Sprintf("round%d-noise", k) }
func screenName(k int) string { return fmt.Sprintf("round%d-screen", k) }
func gateName(k int) string   { return fmt.Sprintf("round%d-gate", k) }

// screenStage plays the new weights against the champion.
func (r *Run) screenStage(k int, c match.Config, title string) stage {
	out := roundFile(k, "-screen.ogn")
	return stage{
		name: screenName(k), title: title, unit: "games", settings: []any{c}, nodes: matchNodes(c, patternsCost),
		inputs: r.championInput(k, roundWeights(k)), outputs: files(out), journal: journalName(out),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			return r.gate(ctx, k, c, out, progress)
		},
	}
}

// gateStage plays the new weights against the champion and copies the winner.
func (r *Run) gateStage(k int, c Round, title string) stage {
	out := roundFile(k, "-gate.ogn")
	inputs := r.championInput(k, roundWeights(k))
	if c.Screen != nil {
		inputs = append(inputs, roundFile(k, "-screen.ogn"))
	}
	return stage{
		name: gateName(k), title: title, unit: "games", settings: []any{c.Gate}, inputs: inputs, nodes: matchNodes(c.Gate, patternsCost),
		outputs: files(out, r.championFile(k)), journal: journalName(out),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			return r.crown(ctx, k, c, out, progress)
		},
	}
}

// crown plays the gate of round k, unless the new weights failed the screen, and writes the
// champion.
func (r *Run) crown(ctx context.Context, k int, c Round, out string, progress parallel.Progress) (any, error) {
	f := page.Gate{}
	if c.Screen != nil {
		if err := r.figures(screenName(k), &f); err != nil {
			return nil, err
		}
	}
	if c.Screen == nil || f.Accepted {
		var err error
		if f, err = r.gate(ctx, k, c.Gate, out, progress); err != nil {
			return nil, err
		}
	} else if err := atomicfile.WriteBytes(r.path(out), nil); err != nil {
		return nil, err
	}
	if k == 1 && !f.Accepted {
		f.Accepted, f.Fallback = true, true
	}
	winner := roundWeights(k)
	if !f.Accepted {
		winner = r.championFile(k - 1)
	}
	data, err := vfs.ReadFile(r.path(winner))
	if err != nil {
		return nil, err
	}
	return f, atomicfile.WriteBytes(r.path(r.championFile(k)), data)
}

// gate plays the new weights against the champion.
func (r *Run) gate(ctx context.Context, k int, c match.Config, out string, progress parallel.Progress) (f page.Gate, err error) {
	f.Summary, err = r.play(ctx, fmt.Sprintf("gate %d", k), c, playing(r.path(roundWeights(k))), r.championPlayer(k-1), out, progress)
	f.Accepted = f.Elo > 0
	if c.Test.Given() {
		f.Accepted = f.Verdict == elo.AcceptedH1
	}
	return f, err
}

// finalFile returns the name of the games of final i, from 0.
func finalFile(i int) string { return fmt.Sprintf("final%d.ogn", i+1) }

// finalStages returns the matches of the last champion.
func (r *Run) finalStages() (list []stage) {
	last := len(r.Config.Rounds)
	for i, c := range r.Config.finals() {
		out := finalFile(i)
		list = append(list, stage{
			name: fmt.Sprintf("final%d", i+1), title: "champion against " + c.Opponent, unit: "games", settings: []any{c}, nodes: matchNodes(c.Config, patternsCost),
			inputs: []string{r.championFile(last)}, outputs: files(out), journal: journalName(out),
			do: func(ctx context.Context, progress parallel.Progress) (any, error) {
				return r.play(ctx, fmt.Sprintf("final %d", i+1), c.Config, r.championPlayer(last), playing(c.Opponent), out, progress)
			},
		})
	}
	return list
}
