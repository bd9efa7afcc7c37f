package page

import (
	"fmt"
	"strings"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// lead tells the result in words, to whoever reads no further.
func (r Run) lead() (list []string) {
	if len(r.Rounds) > 0 {
		list = append(list, r.roundsLead())
	}
	if r.Counts != nil {
		list = append(list, r.Counts.lead())
	}
	return append(list, "Next, play against these weights, look at positions that they misjudge, or train on positions of their own games: see “"+nextHeading+"”.")
}

func (c *Counts) lead() string {
	var meanings []string
	for _, name := range c.Fit.Selected.Features {
		meanings = append(meanings, patterns.Sets.Meaning(name))
	}
	v := c.Fit.Selected.Measured()
	searcher := "a search"
	if c.Searcher != "" {
		searcher = "the program " + c.Searcher
	}
	text := fmt.Sprintf("This run scored %s boards by %s and fitted an evaluation to the scores, from differences in %s. On %s other boards its mean error against the search is %s seeds. ",
		report.Count(c.Fit.Full.Train.Rows), searcher, strings.Join(meanings, ", "), report.Count(c.Fit.Full.Measured().Rows), report.Number(features.Seeds(v.MAE), 1))
	text += c.Match.sentence("An engine with these weights", "one that only counts captured seeds")
	if m := c.Champion; m != nil {
		text += fmt.Sprintf(" Against the program's default weights it scored %s (%s Elo).", m.score(), eloValue(m.Score))
	}
	return text
}

// sentence tells a match in words: the score, the difference, and what is certain of it.
func (m Match) sentence(first, second string) string {
	score := fmt.Sprintf("scored %s against %s (%s Elo)", m.score(), second, eloValue(m.Score))
	if m.verdict() == inconclusive {
		return fmt.Sprintf("%s %s: too few games to tell them apart.", first, score)
	}
	return fmt.Sprintf("%s is %s: it %s; the interval has 95 %% confidence.", first, m.verdict(), score)
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

// terms are the words of the page that a reader may not know.
func terms() []doc.Fact {
	return []doc.Fact{
		{Name: "oware", Value: "A game of sowing and capturing for two, with six houses each and 48 seeds. Who holds more than 24 has won."},
		{Name: "abapa", Value: "The rules of oware that tournaments use: a move that would capture all of the opponent's seeds captures nothing. Awari is a relative of it."},
		{Name: "point", Value: "The unit of files and of the thesis: 1000 for a won game, 1000/24 for a seed. This page uses seeds, except next to figures of the thesis."},
		{Name: "label", Value: "The value that a search has found for a position, for the side to move: what the weights are to predict."},
		{Name: "R", Value: "The correlation of predictions with labels: 1 if they lie on a line, 0 if they know nothing of each other. It measures the fit, not the playing strength."},
		{Name: "drop-out", Value: "The way in which the opening book grows: it looks first where an opponent is likeliest to leave the book, and at what they would leave it with."},
	}
}
