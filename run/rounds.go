package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/engine"
	"kroo/features"
	"kroo/internal/atomicfile"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/match/elo"
	"kroo/regress"
	"kroo/sampler"
)

// Round is the settings of one round of training. A round plays games with the champion so far, labels
// their positions with it, fits weights to them, and plays a match of the new weights against the
// champion: the gate. The winner is the next champion. The first champion counts captures.
//
// A gate at equal time measures strength in play, and takes long. A screen, a match at equal nodes
// before it, avoids the gate for weights that fail there.
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

// withChampion returns inputs of a stage with the file of the champion after round k, if it has one.
func (r *Run) withChampion(k int, inputs ...string) []string {
	if k > 0 {
		inputs = append(inputs, r.championFile(k))
	}
	return inputs
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
		r.sampleStage(k-1, stage{name: ofRound(k, "-positions"), title: title("positions"), seed: positions}, c.Positions,
			positions),
		r.labelStage(k-1, "label "+labels, title("labels"), c.Labels, positions, labels),
		r.labelStage(k-1, "label "+labelsValidation, title("validation labels"), c.Labels, validation, labelsValidation),
		r.patternFitStage(fit, regress.Request{PatternConfig: c.Fit, Round: k}, weights),
	}
	if c.Noise != nil {
		stages = append(stages, r.noiseStage(k-1, ofRound(k, "-noise"), title("noise of labels"), *c.Noise, c.Labels,
			validation))
	}
	return append(stages, r.gateStages(k, c)...)
}

// gateStages returns the matches that decide if the weights of round k become the champion: its screen, if it has
// one, and its gate.
func (r *Run) gateStages(k int, c Round) (stages []stage) {
	inputs := r.withChampion(k-1, roundWeights(k))
	screen := "" // name of the stage
	if c.Screen != nil {
		s := r.gateStage(k, "screen", inputs, *c.Screen)
		screen = s.name
		stages = append(stages, s)
		inputs = append(inputs, ofRound(k, "-screen.ogn"))
	}
	gate := r.gateStage(k, "gate", inputs, c.Gate)
	games := ofRound(k, "-gate.ogn")
	gate.outputs = files(games, r.championFile(k))
	play := gate.do
	gate.do = func(ctx context.Context, progress parallel.Progress) (any, error) {
		if screen != "" {
			screened, err := resultOf[gateResult](r.manifest, screen)
			if err != nil {
				return nil, err
			}
			if !screened.Accepted { // there is no gate
				screened.Screened = true
				return r.promote(k, *screened, atomicfile.WriteBytes(r.path(games), nil))
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
	Screened bool `json:"screened,omitempty"` // the gate was not played: this is the result of the screen
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

// finalTitle returns the title of final match i, from 0: with its number and limits if several have the
// same opponent.
func finalTitle(finals []Final, i int) string {
	f := finals[i]
	title := "champion against " + f.Opponent
	for k, other := range finals {
		if k != i && other.Opponent == f.Opponent {
			return fmt.Sprintf("%s (final %d, %s)", title, i+1, f.Config.Config)
		}
	}
	return title
}

// finalStages returns the matches of the last champion.
func (r *Run) finalStages() (list []stage) {
	last := len(r.Config.Rounds)
	finals := r.Config.finals()
	for i, c := range finals {
		s := stage{
			name:   finalName(i),
			title:  finalTitle(finals, i),
			inputs: []string{r.championFile(last)},
			seed:   fmt.Sprintf("final %d", i+1),
		}
		list = append(list, r.matchStage(s, c, c.Config, engine.Spec{Weights: r.champion(last)},
			engine.Spec{Weights: c.Opponent}))
	}
	return list
}
