package run

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/report"
	"kroo/sampler"
)

// page returns the report, as far as the run is: a story in six pictures, with the tables for experts
// folded below. It reads the files that figures are drawn from.
func (p *results) page(next outline.Section) (*outline.Doc, error) {
	d := &outline.Doc{
		Title:  "Kroo: a training run for " + p.Config.Rules,
		Facts:  p.highlights(),
		Lead:   p.lead(),
		Origin: p.origin(),
	}
	if len(p.rounds) > 0 {
		d.Add(p.roundsSection())
	}
	if p.fit != nil {
		d.Add(p.doneSection())
	}
	d.Sections = append(d.Sections, p.matchSections()...)
	if p.fit != nil {
		d.Add(p.weightSection())
	}
	if p.validation != nil {
		d.Sections = append(d.Sections, p.errorSections()...)
	}
	sections, err := p.bookSections()
	if err != nil {
		return nil, err
	}
	d.Sections = append(d.Sections, sections...)
	if s := p.workStages(); p.manifest.stage(s[len(s)-1].name) != nil { // all are finished
		d.Add(next)
	}
	if experts := p.experts(); len(experts) > 0 {
		d.Add(outline.Section{Heading: "For experts", Text: []string{"The tables and figures behind the story."}})
		for _, s := range experts {
			s.Aside = true
			d.Add(s)
		}
	}
	d.Add(outline.Section{Heading: "Words", Facts: p.terms()})
	return d, nil
}

// nextInFolder suggests commands for a terminal in the folder of the run: its report has the same bytes
// wherever the run is.
func (p *results) nextInFolder() outline.Section {
	next := p.next("train", "..", func(name string) string { return name })
	where := "Commands for a terminal in the folder of this run, where this report is: change to it first."
	return outline.Section{Heading: "What next", Commands: next, Text: []string{where}}
}

// nextSection suggests commands. They name the files of the run by the path that the run was opened with.
func (p *results) nextSection() outline.Section {
	where := "Commands for a terminal."
	if !filepath.IsAbs(p.Dir) {
		where = fmt.Sprintf("Commands for a terminal in the folder in which this run is %s.", filepath.ToSlash(p.Dir))
	}
	next := p.next(wording.Program(), "", func(name string) string { return wording.Path(p.path(name)) })
	return outline.Section{Heading: "What next", Commands: next, Text: []string{where}}
}

// experts returns the tables of the stages, as the commands of the stages print them.
func (p *results) experts() []outline.Section {
	var d outline.Doc
	if len(p.rounds) > 0 {
		d.Add(p.roundTable())
	}
	if p.fit != nil {
		d.AddDoc("The fit", p.fit.Doc(oware.Descriptor().Info))
	}
	if p.patterns != nil {
		d.AddDoc("Patterns", p.patterns.Doc(oware.Descriptor().Info))
	}
	if n := p.labels.noise; n != nil {
		d.Add(outline.Section{Heading: "Noise of labels", Text: []string{noiseText(*n)}})
	}
	if p.fit != nil {
		d.Sections = append(d.Sections, p.nextToThesis()...)
	}
	return d.Sections
}

// noiseText describes how labels of one position differ.
func noiseText(n sampler.Noise) string {
	return fmt.Sprintf("%s positions were searched %d times each; the labels of one position spread by %s seeds (standard deviation), and %s %% of the positions got different ones.",
		report.Integer(n.Positions), n.Repeats, report.Number(oware.InSeeds(n.Within), 2), report.Number(100*n.Changed, 0))
}

// countFacts returns the main figures of seed counts, except matches.
func (p *results) countFacts() (facts []outline.Fact) {
	if f := p.fit; f != nil {
		full, selected := f.Full.Agreement(), f.Selected.Agreement()
		captures := f.Captures.Agreement()
		facts = append(facts,
			p.errorFact(),
			outline.Fact{Name: "correlation R", Value: report.Number(selected.R, 3),
				Note: fmt.Sprintf("with %d features; all %d: %s; captures alone: %s",
					len(f.Selected.Features), len(f.Full.Features), report.Number(full.R, 3), report.Number(captures.R, 3))})
	}
	if b := p.book; b != nil {
		facts = append(facts,
			outline.Fact{
				Name:  "opening book",
				Value: report.Integer(b.Entries) + " entries",
				Note:  fmt.Sprintf("of %s positions searched, to ply %d", report.Integer(b.Nodes), b.MaxDepth),
			},
			outline.Fact{Name: "best first move", Value: b.Best, Note: p.worth(float64(b.BestPoints), oware.Start(p.rules))})
	}
	return facts
}

// errorFact returns the mean error of the selected weights, as one number.
func (p *results) errorFact() outline.Fact {
	chance, score := p.selectedError()
	captures := scoreText(p.fit.Captures.Agreement().MAE)
	if chance != "" {
		return outline.Fact{
			Name:  "mean error in winning chance",
			Value: chance,
			Note:  fmt.Sprintf("on the validation sample; %s, captures alone %s", score, captures),
		}
	}
	return outline.Fact{Name: "mean error", Value: score, Note: "on the validation sample; captures alone " + captures}
}

// selectedError formats the mean error of the selected weights on the validation sample: in winning
// chance, "" if that is unknown, and in seeds of score.
func (p *results) selectedError() (chance, score string) {
	if e := p.meanChanceError(); e != nil {
		chance = percentText(*e)
	}
	return chance, scoreText(p.fit.Selected.Agreement().MAE)
}

// scoreText formats an error in points as seeds of score.
func scoreText(points float64) string {
	return report.Number(oware.InSeeds(points), 2) + " seeds of score"
}

func percentText(percent float64) string { return report.Number(percent, 0) + " %" }

// meanError formats the mean error of the selected weights, for a sentence.
func (p *results) meanError() string {
	chance, score := p.selectedError()
	if chance == "" {
		return score
	}
	return fmt.Sprintf("%s of winning chance (%s)", chance, score)
}

// summary returns the main figures, and how the labels were limited.
func (p *results) summary() []outline.Fact {
	return append(p.highlights(), p.labelFacts(labelling.isAny)...)
}

func (p *results) highlights() (facts []outline.Fact) {
	for _, m := range p.matches {
		if !p.isGate(m) {
			facts = append(facts, m.fact())
		}
	}
	facts = append(facts, p.countFacts()...)
	return append(facts, p.roundFacts()...)
}

// Ends of the names of the stages whose matches decide about the champion of a round.
const (
	screenSuffix = "-screen"
	gateSuffix   = "-gate"
)

// isGate reports whether a match decides about the champion of a round: at the gate, or at the screen.
func (p *results) isGate(m played) bool {
	return len(p.rounds) > 0 && (strings.HasSuffix(m.stage, gateSuffix) || strings.HasSuffix(m.stage, screenSuffix))
}

// isShown reports whether the report shows the match of a stage. Of a round, it shows the gate, or the
// screen if the gate was not played.
func (p *results) isShown(s stage) bool {
	round, isScreen := strings.CutSuffix(s.name, screenSuffix)
	if !isScreen {
		round = strings.TrimSuffix(s.name, gateSuffix)
	}
	if round == s.name {
		return true
	}
	gate := found[gateResult](p, round+gateSuffix)
	return gate != nil && gate.Screened == isScreen
}

func (p *results) roundFacts() []outline.Fact {
	if len(p.rounds) == 0 {
		return nil
	}
	var gates []string
	for _, m := range p.matches {
		if p.isGate(m) {
			gates = append(gates, eloValue(m.Score))
		}
	}
	return []outline.Fact{{
		Name:  "rounds",
		Value: fmt.Sprint(len(p.rounds)),
		Note:  "Elo over the champion before: " + strings.Join(gates, ", "),
	}}
}

// brief returns the main figures in the same order as summary, in so few words that a terminal of 24
// lines shows them all: the report explains them.
func (p *results) brief() (facts []outline.Fact) {
	for _, m := range p.matches {
		if p.isGate(m) {
			continue
		}
		f := m.fact()
		f.Value = strings.Replace(f.Value, "of the points", "of points", 1) // or Elo does not fit on the screen
		f.Note = eloValue(m.Score) + " Elo"
		facts = append(facts, f)
	}
	for _, f := range p.countFacts() {
		f.Note = ""
		facts = append(facts, f)
	}
	facts = append(facts, p.roundFacts()...)
	notRepeatable := func(l labelling) bool { return !l.isRepeatable() }
	return append(facts, p.labelFacts(notRepeatable)...)
}

// lead sums up the results for those who read no further.
func (p *results) lead() (list []string) {
	if len(p.rounds) > 0 {
		list = append(list, p.roundsLead())
	}
	if p.fit != nil {
		list = append(list, p.countsLead())
	}
	return list
}

func (p *results) countsLead() string {
	f := p.fit
	var all []string
	for _, name := range f.Selected.Features {
		all = append(all, owarefeatures.Sets.Meaning(name))
	}
	return fmt.Sprintf("This run scored %s boards by a search and fitted an evaluation to the scores, from differences in %s. On %s other boards its mean error against the search is %s.",
		report.Integer(f.Full.Train.Rows), strings.Join(all, ", "), report.Integer(f.Full.Agreement().Rows), p.meanError())
}

// roundsLead sums up rounds.
func (p *results) roundsLead() string {
	won := 0
	note := ""
	for _, round := range p.rounds {
		switch {
		case round.gate.Fallback:
			note = " The first round's were kept although they did not win, since there were none before."
		case round.gate.Accepted:
			won++
		}
	}
	return fmt.Sprintf("In %s the engine played itself, fitted weights to the positions of its games, and kept them if they beat the previous ones: %s.%s",
		report.Plural(len(p.rounds), "round"), report.Plural(won, "time"), note)
}

// roundsSection describes what was done in rounds.
func (p *results) roundsSection() outline.Section {
	return outline.Section{Heading: "What was done: rounds",
		Text: []string{"In each round the champion plays games against itself, and a search with its weights labels their positions; patterns are fitted to the labels, " +
			"and the new weights play the champion at a gate. The winner becomes the champion. The first champion counts captured seeds."}}
}

// roundTable has the figures of each round.
func (p *results) roundTable() outline.Section {
	t := outline.NewTable("round", "set", "weights", "rows", "mean error", "Elo", "champion")
	one := outline.Section{Heading: "Rounds", Table: t, Text: []string{
		"The mean error (seeds of score) is measured on validation rows of the round, predictions clamped to ±24 as labels are; each round has labels of its own. Elo is the lead over the champion before, with its 95 % interval, in the match at the gate, or at the screen if the round failed there.",
	}}
	for i, round := range p.rounds {
		fit, champion := round.fit, "kept"
		switch {
		case round.gate.Fallback:
			champion = "new, although it did not win: there was none before"
		case round.gate.Accepted:
			champion = "new"
		}
		t.Add(i+1, strings.ReplaceAll(fit.Set, "+", " + "), report.Integer(fit.Weights), report.Integer(fit.Train.Rows),
			report.Number(oware.InSeeds(cmp.Or(fit.Validation, fit.Train).MAE), 2), eloValue(round.gate.Score), champion)
		if n := round.labels.noise; n != nil {
			one.Text = append(one.Text, fmt.Sprintf("Round %d. Noise of labels: %s", i+1, noiseText(*n)))
		}
	}
	return one
}

// terms explains words of the report.
func (p *results) terms() []outline.Fact {
	score := "What a search says that a position is worth, in seeds for the side to move, 24 for a won game. It is not the final difference."
	if c := p.calibration; c != nil {
		all := float64(oware.Seeds)
		score += fmt.Sprintf(" In games of the program's weights, a score of one seed led to a final difference of %s seeds on average while all seeds were in play, and of %s once %d were.",
			report.Number(c.ExpectedMargin(1, 1, all), 1), report.Number(c.ExpectedMargin(1, 0.25, all), 1), oware.Seeds/4)
	}
	chance := "The chance of a win and half that of a draw. This run's rules have weights without such a calibration, so the report has scores instead."
	if p.calibration != nil {
		chance = "The chance of a win and half that of a draw, as in games of the program's own weights at such a score and stage of the game. An error of 10 % takes 50 % for 60 %."
	}
	return []outline.Fact{
		{Name: "oware", Value: "A game of sowing and capturing for two, with six houses each and 48 seeds. More than 24 captured seeds win."},
		{Name: "abapa", Value: "The rules of oware that tournaments use: a move that would capture all of the opponent's seeds captures nothing. Awari is a relative of it."},
		{Name: "winning chance", Value: chance},
		{Name: "score", Value: score},
		{Name: "label", Value: "The score of a position that the weights are fitted to predict."},
		{Name: "mean error", Value: "The mean distance between prediction and label, whichever of them is higher, in winning chance and in seeds of score."},
		{Name: "R", Value: "The correlation of predictions with labels, each position seen from both sides: 1 if they lie on a line, 0 if they are unrelated. It measures the fit, not the playing strength."},
		{Name: "<3, >12", Value: "Features, as tables name them: the number of houses with fewer than 3, or more than 12, seeds. " +
			"<1 are empty houses; captures are the seeds in the store."},
		{Name: "Elo", Value: "The scale of playing strength: a lead of 100 scores 64 % of the points, one of 200 scores 76 %, one of 400 scores 91 %."},
		{Name: "interval", Value: "Brackets, as in +70 [+8, +138], contain the true value in 95 of 100 such matches. Near 0 and 100 % of the points Elo stretches, so an interval reaches further away from 0 than towards it."},
		{Name: "SPRT", Value: "Sequential probability ratio test: a match that ends as soon as its games favour one of two leads clearly enough."},
		{Name: "drop-out", Value: "How the opening book grows: it searches first where an opponent is likeliest to leave it, and notes what they would leave it with."},
		{Name: "point", Value: "The unit of files and of the thesis: 1000 for a won game, 1000/24 per seed. This page uses winning chances and seeds, except next to figures of the thesis."},
	}
}
