package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/regress"
)

// MaxCompared is the most runs that [CompareRuns] compares.
const MaxCompared = 8

// Comparison is what differs between runs. The first is the one that the others are compared with.
type Comparison struct {
	Runs     []Entry       `json:"runs"`
	Settings []Setting     `json:"settings"` // those that differ
	Stages   []StageRow    `json:"stages"`
	Fits     []FitRow      `json:"fits"`
	Matches  []MatchRow    `json:"matches"`
	Boards   []BoardsOf    `json:"boards"`
	Weights  []FeatureRows `json:"weights"` // of seed counts

	letters []string
	dirs    []string
	runs    []*results
}

// Setting is a setting with its value in each run.
type Setting struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// StageRow is a stage. Same names for each run the first run whose stage has the same outputs, "" if the
// run has no such stage yet.
type StageRow struct {
	Title string   `json:"title"`
	Same  []string `json:"same"`
}

// FitRow is a fit of a run.
type FitRow struct {
	Run     string  `json:"run"`
	Fit     string  `json:"fit"`
	Rows    int     `json:"rows"`
	Weights int     `json:"weights"`
	R       float64 `json:"r"`     // on the validation rows of the run
	Error   float64 `json:"error"` // mean absolute error on them, seeds of score
}

// MatchRow is a match of a run.
type MatchRow struct {
	Run   string `json:"run"`
	Match string `json:"match"`
	Lead
}

// BoardsOf are the weights of all runs measured on the validation boards of one.
type BoardsOf struct {
	Run    string `json:"run"`
	Labels string `json:"labels"` // the limit of the searches that labelled them
	regress.Pairing
}

// FeatureRows are the weights of a feature, in seeds, one per run that has it.
type FeatureRows struct {
	Feature string         `json:"feature"`
	Weights []RunOfFeature `json:"weights"`
}

// RunOfFeature is the weight of a feature in a run, in seeds, with its standard error, 0 if unknown.
type RunOfFeature struct {
	Run    string  `json:"run"`
	Seeds  float64 `json:"seeds"`
	StdErr float64 `json:"stderr"`
}

// CompareRuns compares the runs in 2 to [MaxCompared] folders. It reads their validation boards.
func CompareRuns(ctx context.Context, dirs []string) (*Comparison, error) {
	if len(dirs) < 2 || len(dirs) > MaxCompared {
		return nil, fmt.Errorf("%s to compare: expected 2 to %d", wording.Count(len(dirs), "run"), MaxCompared)
	}
	c := &Comparison{dirs: dirs}
	for i, dir := range dirs {
		r, err := readRun(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: not the folder of a run: expected %s in it", dir, ConfigFile)
		}
		if err != nil {
			return nil, err
		}
		p, err := r.results()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		if p.rules != c.rules(p) {
			return nil, fmt.Errorf("%s is under %s rules, %s under %s: expected runs under the same rules",
				dir, p.rules, dirs[0], c.rules(p))
		}
		c.runs = append(c.runs, p)
		c.Runs = append(c.Runs, entryOf(dir))
		c.letters = append(c.letters, string(rune('A'+i)))
	}
	c.addSettings()
	c.addStages()
	for i, p := range c.runs {
		c.addFits(i, p)
		for _, m := range p.matches {
			lead, in := m.Score.Elo()
			c.Matches = append(c.Matches, MatchRow{c.letters[i], m.name, Lead{lead, in, m.Score.Games()}})
		}
	}
	slices.SortStableFunc(c.Fits, func(a, b FitRow) int { return strings.Compare(a.Fit, b.Fit) })
	c.sortMatches()
	c.addWeights()
	return c, c.addBoards(ctx)
}

// rules returns the rules of the first run, or those of p if it is the first.
func (c *Comparison) rules(p *results) oware.Rules {
	if len(c.runs) == 0 {
		return p.rules
	}
	return c.runs[0].rules
}

func (c *Comparison) addSettings() {
	var values []map[string]string
	names := map[string]bool{}
	for _, p := range c.runs {
		values = append(values, spec.Values(p.Config))
	}
	for _, of := range values[1:] {
		for _, change := range differences(values[0], of) {
			names[change.Name] = true
		}
	}
	for _, name := range sortedKeys(names) {
		s := Setting{Name: name}
		for _, of := range values {
			s.Values = append(s.Values, textOf(of, name))
		}
		c.Settings = append(c.Settings, s)
	}
}

// sortMatches brings the same match of all runs together, in the order of the first run that has it.
func (c *Comparison) sortMatches() {
	var order []string
	for _, m := range c.Matches {
		if !slices.Contains(order, m.Match) {
			order = append(order, m.Match)
		}
	}
	slices.SortStableFunc(c.Matches, func(a, b MatchRow) int {
		return slices.Index(order, a.Match) - slices.Index(order, b.Match)
	})
}

// addStages finds which stages have the same results. The report has those of all.
func (c *Comparison) addStages() {
	var titles []string
	names := make([]map[string]string, len(c.runs)) // of the stages of each run, by title
	for i, p := range c.runs {
		names[i] = map[string]string{}
		for _, s := range p.workStages() {
			names[i][s.title] = s.name
			if !slices.Contains(titles, s.title) {
				titles = append(titles, s.title)
			}
		}
	}
	for _, title := range titles {
		row := StageRow{Title: title}
		first := map[string]string{}
		for i, p := range c.runs {
			rec := p.manifest.stage(names[i][title])
			if rec == nil {
				row.Same = append(row.Same, "")
				continue
			}
			made := rec.fingerprint()
			if first[made] == "" {
				first[made] = c.letters[i]
			}
			row.Same = append(row.Same, first[made])
		}
		c.Stages = append(c.Stages, row)
	}
}

// fingerprint identifies the results of a stage: by its outputs, or by its key if it has none.
func (r *StageRecord) fingerprint() string {
	if len(r.Outputs) == 0 {
		return r.Key
	}
	var b strings.Builder
	for _, name := range sortedKeys(r.Outputs) {
		b.WriteString(name + " " + r.Outputs[name] + "\n")
	}
	return b.String()
}

func (c *Comparison) addFits(i int, p *results) {
	if p.fit != nil {
		m := p.fit.Selected
		of := m.Agreement()
		c.Fits = append(c.Fits, FitRow{c.letters[i], "seed counts", m.Train.Rows, len(m.Features), of.R,
			oware.InSeeds(of.MAE)})
	}
	add := func(name string, s *regress.Summary) {
		of := s.Validation
		if of == nil {
			of = s.Train
		}
		if of != nil && s.Train != nil {
			c.Fits = append(c.Fits, FitRow{c.letters[i], name, s.Train.Rows, s.Weights, of.R, oware.InSeeds(of.MAE)})
		}
	}
	if p.patterns != nil {
		add("patterns", p.patterns)
	}
	for k, round := range p.rounds {
		add(fmt.Sprintf("round %d", k+1), &round.fit)
	}
}

func (c *Comparison) addWeights() {
	for i, p := range c.runs {
		if p.fit == nil {
			continue
		}
		m := p.fit.Selected
		for k, name := range m.Features {
			one := RunOfFeature{Run: c.letters[i], Seeds: oware.InSeeds(m.Points[k])}
			if k < len(m.StdErr) {
				one.StdErr = oware.InSeeds(m.StdErr[k])
			}
			at := slices.IndexFunc(c.Weights, func(f FeatureRows) bool { return f.Feature == name })
			if at < 0 {
				at = len(c.Weights)
				c.Weights = append(c.Weights, FeatureRows{Feature: name})
			}
			c.Weights[at].Weights = append(c.Weights[at].Weights, one)
		}
	}
}

// validationLabels returns the files of validation labels and of training labels of the main weights.
func (r *Run) validationLabels() (validation string, training []string) {
	last := len(r.Config.Rounds)
	if last == 0 {
		return labelsValidation, []string{labelsFile}
	}
	for k := range last {
		training = append(training, roundLabels(k+1))
	}
	return ofRound(last, "-labels-validation.parquet"), training
}

// addBoards measures the weights of all runs on the validation boards of each, without boards that a run
// was fitted to. Runs with equal validation files are measured on them once.
func (c *Comparison) addBoards(ctx context.Context) error {
	known := fittedBoards{}
	var predict []func(oware.Position) float64
	for _, p := range c.runs {
		validation, training := p.validationLabels()
		there, err := p.has(append([]string{validation, p.mainWeights()}, training...)...)
		if err != nil {
			return err
		}
		if !there {
			return nil // not that far, or deleted: there is nothing to compare
		}
		evaluate, err := predictor(p.path(p.mainWeights()), p.Config.Rules)
		if err != nil {
			return err
		}
		predict = append(predict, evaluate)
		for _, name := range training {
			if err := known.add(p.path(name)); err != nil {
				return err
			}
		}
	}
	seen := map[string]bool{} // by hash
	for i, p := range c.runs {
		validation, _ := p.validationLabels()
		path := p.path(validation)
		m, err := datasets.ReadManifest(path)
		if err != nil {
			return err
		}
		if seen[m.SHA256] {
			continue
		}
		seen[m.SHA256] = true
		pairing, err := regress.Pair(ctx, oware.Descriptor(), regress.PairingOptions[oware.Position]{
			Predict: predict,
			Clamped: len(p.Config.Rounds) > 0, // the labels of rounds are fitted clamped
			Paths:   []string{path},
			Skip:    known.has,
		})
		if err != nil {
			return err
		}
		c.Boards = append(c.Boards, BoardsOf{c.letters[i], m.Meta.Limits, pairing})
	}
	return nil
}

// fittedBoards are boards that weights were fitted to, by their situation.
type fittedBoards map[int64]bool

// add adds the boards of a file of labels.
func (f fittedBoards) add(path string) error {
	_, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Labels)
	if err != nil {
		return err
	}
	for _, row := range rows {
		f[datasets.SituationOf(oware.Descriptor(), row.Position)] = true
	}
	return nil
}

func (f fittedBoards) has(board oware.Position) bool {
	return f[datasets.SituationOf(oware.Descriptor(), board)]
}

// predictor returns an evaluation of a file, in points: exactly if the file has weights of features.
func predictor(path, rules string) (func(oware.Position) float64, error) {
	if filepath.Ext(path) == ".json" {
		m, err := owarefeatures.Sets.Load(path)
		if err != nil {
			return nil, err
		}
		return m.Exact, nil
	}
	_, of, err := engine.Oware().InPoints(rules, path)
	return of, err
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
