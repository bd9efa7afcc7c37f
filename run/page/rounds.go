package page

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"kroo/features"
	"kroo/internal/doc"
	"kroo/match"
	"kroo/match/elo"
	"kroo/regress"
	"kroo/report"
)

// Round is what a round of play and training has come to.
type Round struct {
	Fit    regress.PatternSummary
	Gate   Gate
	Labels Labels
}

// Gate is what a round's gate has shown.
type Gate struct {
	match.Summary
	Accepted bool `json:"accepted"` // the new weights are the champion
	// Fallback tells that they are it although they did not win: those of the first
	// round, when there are no weights before them to stay with.
	Fallback bool `json:"fallback,omitempty"`
}

// leads sums the leads of accepted weights over the champion before, with the 95 % interval
// of each sum: ends that are independent of each other add up by their squares. A rejected
// round leaves the champion where it was. A lead without an upper end counts as far upwards
// as downwards.
func (r Run) leads() (sums []float64, ends []elo.Interval) {
	var sum, below, above float64
	for _, round := range r.Rounds {
		if round.Gate.Accepted {
			lead, in := round.Gate.Score.Elo()
			low, high := lead-in.Low, in.High-lead
			if math.IsInf(high, 0) {
				high = low
			}
			sum, below, above = sum+lead, math.Hypot(below, low), math.Hypot(above, high)
		}
		sums, ends = append(sums, sum), append(ends, elo.Interval{Low: sum - below, High: sum + above})
	}
	return sums, ends
}

// curve is the champion's lead over the first champion, round by round.
func (r Run) curve() report.Chart {
	sums, ends := r.leads()
	c := report.Chart{Name: "rounds", Title: "Strength by round", Line: "Elo over the first champion, as the sum of leads over the champion before", X: "round", Y: "Elo"}
	c.Add("sum of the leads", 0, 0)
	for i, sum := range sums {
		c.Add("sum of the leads", float64(i+1), sum)
		c.Add("95 % bar, low", float64(i+1), ends[i].Low)
		c.Add("95 % bar, high", float64(i+1), ends[i].High)
	}
	return c
}

// roundsSection says what was done in rounds, and how strength grew.
func (r Run) roundsSection() doc.Section {
	who := "the champion plays games against itself, and a search with its weights labels their positions"
	if r.Searcher != "" {
		who = "the program " + r.Searcher + " plays the games that positions are taken from, and labels them"
	}
	return doc.Section{
		Heading: "What was done: rounds",
		Text: append([]string{"In each round " + who + "; patterns are fitted to the labels, " +
			"and the new weights play the champion. The winner becomes the champion. The first champion counts captured seeds."}, r.Rounds[0].Labels.texts()...),
		Figures: []doc.Drawing{r.curve()},
	}
}

// roundTable has the figures of each round.
func (r Run) roundTable() doc.Section {
	t := &doc.Table{
		Header:  []string{"round", "set", "weights", "rows", "mean error", "Elo", "champion"},
		Caption: "The mean error (seeds) is measured on validation rows of the round, predictions clamped to ±24 as labels are; each round has labels of its own. Elo is the lead over the champion before, with its 95 % interval, in the match at the gate, or at the screen if the round failed there.",
	}
	one := doc.Section{Heading: "Rounds", Table: t}
	for i, round := range r.Rounds {
		fit, g := round.Fit, round.Gate
		v := *cmp.Or(fit.Validation, &fit.Train)
		t.Add(i+1, strings.ReplaceAll(fit.Set, "+", " + "), report.Count(fit.Weights), report.Count(fit.Train.Rows),
			report.Number(features.Seeds(v.MAE), 2), eloValue(g.Score), g.champion())
		if n := round.Labels.Noise; n != nil {
			one.Text = append(one.Text, fmt.Sprintf("Round %d. %s", i+1, noiseText(*n)))
		}
	}
	return one
}

// champion says which weights continue.
func (g Gate) champion() string {
	switch {
	case g.Fallback:
		return "new, without having won: there is none before"
	case g.Accepted:
		return "new"
	}
	return "kept"
}

// roundFacts are the figures of the rounds that matter most.
func (r Run) roundFacts() (rows []doc.Fact) {
	if len(r.Rounds) == 0 {
		return nil
	}
	var words []string
	for i, round := range r.Rounds {
		words = append(words, fmt.Sprintf("%d: %s", i+1, eloValue(round.Gate.Score)))
	}
	return append(rows, doc.Fact{Name: "rounds", Value: fmt.Sprint(len(r.Rounds)), Note: "Elo over the champion before: " + strings.Join(words, ", ")})
}

func (r Run) roundsLead() string {
	accepted := 0
	for _, round := range r.Rounds {
		if round.Gate.Accepted {
			accepted++
		}
	}
	what := "the engine played itself, fitted weights to the positions of its games, and kept them if they beat the previous ones"
	if r.Searcher != "" {
		what = "weights were fitted to scores by the program " + r.Searcher + ", and kept if they beat the previous ones"
	}
	text := fmt.Sprintf("In %s %s: %s.", report.Plural(len(r.Rounds), "round"), what, report.Plural(accepted, "time"))
	for _, m := range r.Finals {
		text += " " + m.sentence("The last champion", m.Opponent)
	}
	return text
}
