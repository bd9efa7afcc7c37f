package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/regress"
	"kroo/report"
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
	names := map[string]string{} // of stages, by title
	for _, p := range c.runs {
		for _, s := range p.workStages() {
			if names[s.title] == "" {
				titles = append(titles, s.title)
				names[s.title] = s.name
			}
		}
	}
	for _, title := range titles {
		row := StageRow{Title: title}
		first := map[string]string{}
		for i, p := range c.runs {
			rec := p.manifest.stage(names[title])
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

// Doc describes the comparison.
func (c *Comparison) Doc() *outline.Doc {
	d := &outline.Doc{Value: c, Title: fmt.Sprintf("%s compared with %s", wording.Count(len(c.Runs)-1, "run"), c.dirs[0])}
	for i, e := range c.Runs {
		d.Facts = append(d.Facts,
			outline.Fact{
				Name:  c.letters[i],
				Value: c.shownName(i),
				Note: strings.Join(slices.DeleteFunc([]string{e.stateText(), e.Note},
					func(s string) bool { return s == "" }), "; "),
			})
	}
	d.Add(c.settingsSection())
	d.Add(c.stagesSection())
	d.Sections = append(d.Sections, c.figureSections()...)
	d.Sections = append(d.Sections, c.boardSections()...)
	if len(c.Weights) > 0 {
		d.Add(c.weightsSection())
	}
	if next := c.decide(); next != nil {
		d.Add(outline.Section{Heading: "to decide by a match", Commands: next})
	}
	return d
}

// shownName returns the name of a run, or its folder if the runs are not in one folder.
func (c *Comparison) shownName(i int) string {
	for _, dir := range c.dirs {
		if filepath.Dir(filepath.Clean(dir)) != filepath.Dir(filepath.Clean(c.dirs[0])) {
			return c.dirs[i]
		}
	}
	return c.Runs[i].Name
}

func (c *Comparison) settingsSection() outline.Section {
	one := outline.Section{Heading: "settings that differ"}
	if len(c.Settings) == 0 {
		one.Text = []string{"None: all runs have the same settings."}
		return one
	}
	one.Table = outline.TableOf(append([]string{"setting"}, c.letters...), c.Settings,
		func(s Setting) []any { return cells(s.Name, s.Values) })
	return one
}

// cells is a row of a name and texts.
func cells(name string, texts []string) []any {
	row := []any{name}
	for _, text := range texts {
		row = append(row, text)
	}
	return row
}

func (c *Comparison) stagesSection() outline.Section {
	one := outline.Section{
		Heading: "where they diverge",
		Note:    "The letter of the first run with the same results, to the byte. –: not done.",
	}
	one.Table = outline.TableOf(append([]string{"stage"}, c.letters...), c.Stages, func(s StageRow) []any {
		row := []any{s.Title}
		for _, same := range s.Same {
			row = append(row, report.OrDash(same != "", same))
		}
		return row
	})
	for i := 1; i < len(c.letters); i++ {
		if c.runs[i].manifest.Tool != c.runs[0].manifest.Tool {
			one.Text = append(one.Text, fmt.Sprintf("Another build of the program made %s. Files record the build, so most differ from those of A.",
				c.letters[i]))
		}
		at := slices.IndexFunc(c.Stages, func(s StageRow) bool { return s.Same[i] != s.Same[0] })
		text := c.letters[i] + " has the results of A in all stages."
		if at >= 0 {
			text = fmt.Sprintf("%s differs from A from this stage on: %s.", c.letters[i], c.Stages[at].Title)
		}
		one.Text = append(one.Text, text)
	}
	return one
}

// figureSections sets the figures of the runs side by side.
func (c *Comparison) figureSections() (all []outline.Section) {
	if len(c.Fits) > 0 {
		all = append(all, outline.Section{Heading: "fits", Figures: FiguresOverTime(c.Runs),
			Note: "R and the mean error on the validation rows of each run, which may differ.",
			Table: outline.TableOf([]string{"fit", "run", "rows", "weights", "R", "error, seeds"}, c.Fits, func(f FitRow) []any {
				return []any{f.Fit, f.Run, f.Rows, f.Weights, report.Number(f.R, 4), report.Number(f.Error, 3)}
			})})
	}
	if len(c.Matches) > 0 {
		all = append(all, outline.Section{Heading: "matches",
			Note: "Elo with 95 % intervals. Intervals that overlap far do not show which run is better.",
			Table: outline.TableOf([]string{"match", "run", "games", "Elo"}, c.Matches, func(m MatchRow) []any {
				return []any{m.Match, m.Run, m.Games, m.Lead.String()}
			})})
	}
	return all
}

// boardSections compare the errors on the same boards.
func (c *Comparison) boardSections() (all []outline.Section) {
	heading := "is the difference of errors more than noise?"
	for _, b := range c.Boards {
		t := outline.NewTable("weights of", "error, seeds", "minus A's", "± s.e.", "z", "")
		for i, e := range b.Evaluations {
			if i == 0 {
				t.Add(c.letters[i], report.Number(oware.InSeeds(e.MAE), 3), "–", "–", "–", "")
				continue
			}
			row := []any{c.letters[i], report.Number(oware.InSeeds(e.MAE), 3)}
			t.Add(append(row, DifferenceCells(e, oware.InSeeds(1))...)...)
		}
		all = append(all, outline.Section{Heading: heading, Table: t, Text: []string{fmt.Sprintf(
			"On %s of %s (labels by %s), without the boards that a run was fitted to:", report.Plural(b.Rows,
				"validation board"), b.Run, b.Labels)}})
		heading = ""
	}
	if all != nil {
		all[len(all)-1].Note = "Each board is compared with itself; standard errors by game or situation. Of twenty comparisons of equal weights, one looks better or worse by chance. Less error is not more strength: games decide."
	}
	return all
}

// isSame reports whether an evaluation has the error of the first on every board.
func isSame(e regress.Paired) bool { return e.Difference == 0 && e.DifferenceErr == 0 }

// verdict says whether the error of an evaluation differs from that of the first by more than noise.
func verdict(e regress.Paired) string {
	switch z := e.Z(); {
	case isSame(e):
		return "the same errors"
	case e.DifferenceErr == 0: // a single cluster
		return "unknown: all boards are of one game"
	case z <= -agreement.Significant:
		return "better than A"
	case z >= agreement.Significant:
		return "worse than A"
	}
	return "within noise"
}

// DifferenceCells returns the cells of a table for the difference of the errors of an evaluation and the
// first: the difference and its standard error, both times a scale, the difference in standard errors, and
// the verdict.
func DifferenceCells(e regress.Paired, scale float64) []any {
	difference := report.SignedNumber(scale*e.Difference, 3)
	if e.DifferenceErr == 0 {
		return []any{difference, "–", "–", verdict(e)}
	}
	return []any{difference, report.Number(scale*e.DifferenceErr, 3), report.SignedNumber(e.Z(), 1), verdict(e)}
}

// weightsSection draws the weights of each feature, run by run.
func (c *Comparison) weightsSection() outline.Section {
	picture := report.Intervals{Name: "weights-of-runs", Title: "The weights of the runs",
		Line: "seeds of score for one more than the opponent has, with 95 % intervals", X: "seeds of score",
		Caption: "Intervals of one feature that do not overlap: the runs disagree by more than noise."}
	t := outline.NewTable(append([]string{"feature"}, c.letters...)...)
	for _, f := range c.Weights {
		row := []any{f.Feature}
		for _, letter := range c.letters {
			at := slices.IndexFunc(f.Weights, func(w RunOfFeature) bool { return w.Run == letter })
			if at < 0 {
				row = append(row, "–")
				continue
			}
			w := f.Weights[at]
			bar := agreement.Significant * w.StdErr
			weight, barText := report.SignedEstimate(w.Seeds, cmp.Or(bar, math.NaN()))
			row = append(row, weight)
			text := weight
			if bar > 0 {
				text += " ± " + barText
			}
			picture.Rows = append(picture.Rows, report.Interval{
				Name:  letter + ": " + describe(f.Feature), // a phone cuts the end
				Value: w.Seeds,
				Low:   w.Seeds - bar,
				High:  w.Seeds + bar,
				Text:  text,
			})
		}
		t.Add(row...)
	}
	return outline.Section{Heading: "weights, in seeds", Table: t, Figures: []outline.Drawing{picture}}
}

// decidePairs is the most pairs of games of a suggested match.
const decidePairs = 2000

// decide returns the matches that would decide which run is stronger.
func (c *Comparison) decide() (list []outline.Fact) {
	first := c.runs[0]
	for i := 1; i < len(c.runs); i++ {
		other := c.runs[i]
		if first.manifest.stage(mainFit(first.Config)) == nil || other.manifest.stage(mainFit(other.Config)) == nil {
			continue
		}
		differs := func(b BoardsOf) bool { return !isSame(b.Evaluations[i]) }
		if len(c.Boards) > 0 && !slices.ContainsFunc(c.Boards, differs) {
			continue // a match of equal weights decides nothing
		}
		rules := ""
		if first.Config.Rules != oware.Descriptor().Rules[0] {
			rules = " --rules " + first.Config.Rules
		}
		list = append(list, outline.Fact{Name: c.letters[i] + " against A, until one is shown to be stronger",
			Value: fmt.Sprintf("%s match%s --a %s --b %s --nodes 5000 --pairs %d --sprt 0,10",
				wording.Program(), rules, wording.Path(other.path(other.mainWeights())), wording.Path(first.path(first.mainWeights())), decidePairs)})
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
