// Package page shows a training run's results: a page of six pictures, with the
// tables of experts folded away below, and the rows that matter most, for the screen.
//
// A [Run] holds what the stages have recorded, and the names of the files that figures
// are drawn from. Who makes a run fills it in, as far as the run is; nothing here searches, fits
// or plays.
package page

import (
	"fmt"
	"strings"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// Run is what a run has come to.
type Run struct {
	Rules    string
	Searcher string  // another program, by its name, that searched for the run; "" for Kroo's engine
	Counts   *Counts // of seed counts; nil for a run without
	Rounds   []Round // finished ones
	Finals   []Match // of the last champion
	Times    []StageTime
	Origin   []doc.Fact
	Next     []doc.Fact // what to try, and the command
}

// StageTime is how long a stage took.
type StageTime struct {
	Title   string  `json:"title"`
	Seconds float64 `json:"seconds"`
}

// LabelNodes are the nodes of the first labels, as [Labels] has them.
func (r Run) LabelNodes() int64 {
	switch {
	case r.Counts != nil:
		return r.Counts.Labels.Nodes
	case len(r.Rounds) > 0:
		return r.Rounds[0].Labels.Nodes
	}
	return 0
}

// Summary are the figures that matter most, and how the labels were limited.
func (r Run) Summary() []doc.Fact { return append(r.highlights(), r.labelRows()...) }

// labelRows say how the labels were limited.
func (r Run) labelRows() (rows []doc.Fact) {
	if r.Counts != nil {
		rows = append(rows, r.Counts.Labels.row())
	}
	for i, round := range r.Rounds {
		row := round.Labels.row()
		row.Name += fmt.Sprintf(", round %d", i+1)
		rows = append(rows, row)
	}
	return rows
}

func (r Run) highlights() (rows []doc.Fact) {
	for _, m := range r.matches() {
		rows = append(rows, m.fact())
	}
	if c := r.Counts; c != nil {
		rows = append(rows, c.facts()...)
	}
	return append(rows, r.roundFacts()...)
}

// Doc is the page, as far as the run is. It reads the files that figures are drawn from.
func (r Run) Doc() (*doc.Doc, error) {
	d := &doc.Doc{Title: "Kroo: a training run for " + r.Rules, Lead: r.lead(), Facts: r.highlights(), Terms: terms(r.Rules), Origin: append(r.Origin[:len(r.Origin):len(r.Origin)], r.labelRows()...)}
	var experts []doc.Section
	if len(r.Rounds) > 0 {
		d.Add(r.roundsSection())
		experts = append(experts, r.roundTable())
	}
	matches := r.matchSection()
	if r.Counts == nil {
		d.Sections = append(d.Sections, matches...)
	} else {
		parts, more, err := r.Counts.parts()
		if err != nil {
			return nil, err
		}
		if r.Counts.Fit != nil {
			d.Add(parts.done)
		}
		d.Sections = append(append(d.Sections, matches...), parts.rest...)
		experts = append(experts, more...)
	}
	if len(r.Next) > 0 {
		d.Add(doc.Section{Heading: nextHeading, Commands: r.Next, Text: []string{"Commands for a terminal in the folder of this run."}})
	}
	experts = append(experts, doc.Section{Heading: "Time of each stage", Table: TimesTable(r.Times)})
	d.Add(doc.Section{Heading: "For experts", Text: []string{"The tables and figures behind the story. Each part opens with a click."}})
	for _, s := range experts {
		s.Aside = true
		d.Add(s)
	}
	return d, nil
}

// nextHeading is where the commands are.
const nextHeading = "What next"

// TimesTable is all that the page has of times.
func TimesTable(times []StageTime) *doc.Table {
	table := &doc.Table{
		Header:  []string{"stage", "seconds", "share, %"},
		Caption: "Wall-clock time on this machine; work that was killed, and this report, are not counted.",
	}
	all := StageTime{Title: "all"}
	for _, s := range times {
		all.Seconds += s.Seconds
	}
	for _, s := range append(times[:len(times):len(times)], all) {
		table.Add(s.Title, report.Number(s.Seconds, 1), report.Number(100*s.Seconds/max(all.Seconds, 1e-9), 1))
	}
	return table
}

// lead sums up the result for those who read no further.
func (r Run) lead() (list []string) {
	if len(r.Rounds) > 0 {
		list = append(list, r.roundsLead())
	}
	if c := r.Counts; c != nil && c.Fit != nil {
		list = append(list, c.lead())
	}
	if len(r.Next) > 0 {
		list = append(list, "Next, play against these weights, look at positions that they misjudge, or train on positions of their own games: see “"+nextHeading+"”.")
	}
	return list
}

func (c *Counts) lead() string {
	searcher := "a search"
	if c.Labels.Searcher != "" {
		searcher = "the program " + c.Labels.Searcher
	}
	text := fmt.Sprintf("This run scored %s boards by %s and fitted an evaluation to the scores, from differences in %s. On %s other boards its mean error against the search is %s seeds.",
		report.Count(c.Fit.Full.Train.Rows), searcher, meanings(c.Fit.Selected.Features), report.Count(c.Fit.Full.Measured().Rows), report.Number(features.Seeds(c.Fit.Selected.Measured().MAE), 1))
	if c.Match != nil {
		text += " " + c.Match.sentence("An engine with these weights", "one that only counts captured seeds")
	}
	if m := c.Champion; m != nil {
		text += fmt.Sprintf(" Against the program's default weights it %s (%s Elo).", m.games(), eloValue(m.Score))
	}
	return text
}

// meanings are what features count, as a list.
func meanings(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, patterns.Sets.Meaning(name))
	}
	return strings.Join(all, ", ")
}

// terms are the words of the page that a reader may not know.
func terms(rules string) []doc.Fact {
	score := "What a search says that a position is worth, in seeds for the side to move, 24 for a won game. It is not the final difference."
	if c := calibrationOf(rules); c != nil {
		all := float64(oware.Seeds)
		score += fmt.Sprintf(" In games of the program's weights, a score of one seed led to a final difference of %s seeds on average while all seeds were in play, and of %s once %d were.",
			report.Number(c.ExpectedMargin(1, 1, all), 1), report.Number(c.ExpectedMargin(1, 0.25, all), 1), oware.Seeds/4)
	}
	return []doc.Fact{
		{Name: "oware", Value: "A game of sowing and capturing for two, with six houses each and 48 seeds. More than 24 captured seeds win."},
		{Name: "abapa", Value: "The rules of oware that tournaments use: a move that would capture all of the opponent's seeds captures nothing. Awari is a relative of it."},
		{Name: "score", Value: score},
		{Name: "label", Value: "The score of a position that the weights are fitted to predict."},
		{Name: "mean error", Value: "The mean of the distance between prediction and label, in seeds of score, whichever of them is higher."},
		{Name: "R", Value: "The correlation of predictions with labels, each position seen from both sides: 1 if they lie on a line, 0 if they are unrelated. It measures the fit, not the playing strength."},
		{Name: "Elo", Value: "The scale of playing strength: a lead of 100 scores 64 % of the points, one of 200 scores 76 %, one of 400 scores 91 %."},
		{Name: "interval", Value: "Brackets, as in +70 [+8, +138], hold the true value in 95 of 100 such matches. Near 0 and 100 % of the points Elo stretches, so an interval reaches further away from 0 than towards it."},
		{Name: "SPRT", Value: "Sequential probability ratio test: a match that ends as soon as its games favour one of two leads clearly enough."},
		{Name: "drop-out", Value: "How the opening book grows: it searches first where an opponent is likeliest to leave it, and notes what they would leave it with."},
		{Name: "point", Value: "The unit of files and of the thesis: 1000 for a won game, 1000/24 per seed. This page uses seeds, except next to figures of the thesis."},
	}
}
