package run

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/regress"
	"kroo/report"
)

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

// verdict says whether the errors of an evaluation and the first differ by more than noise.
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
