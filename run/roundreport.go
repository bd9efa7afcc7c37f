package run

import (
	"fmt"
	"math"
	"strings"

	"kroo/match"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

// roundResults are the recorded figures of the rounds and the finals.
type roundResults struct {
	rounds []Round
	fits   []regress.PatternSummary
	gates  []RoundFigures
	noise  []sampler.Noise // of the labels of each round, zero where not measured
	finals []match.Summary
	conds  []match.Config // of the finals
}

func (r *Run) roundFigures() (f roundResults, err error) {
	f.rounds = r.Config.Rounds
	f.fits = make([]regress.PatternSummary, len(f.rounds))
	f.noise = make([]sampler.Noise, len(f.rounds))
	f.gates = make([]RoundFigures, len(f.rounds))
	for i := range f.rounds {
		if err := r.figures(fmt.Sprintf("round%d-fit", i+1), &f.fits[i]); err != nil {
			return f, err
		}
		if err := r.figures(gateName(i+1), &f.gates[i]); err != nil {
			return f, err
		}
		if f.rounds[i].Noise != nil {
			if err := r.figures(roundNoise(i+1), &f.noise[i]); err != nil {
				return f, err
			}
		}
	}
	finals := r.Config.finals()
	f.finals = make([]match.Summary, len(finals))
	for i, c := range finals {
		f.conds = append(f.conds, c.Config)
		if err := r.figures(fmt.Sprintf("final%d", i+1), &f.finals[i]); err != nil {
			return f, err
		}
	}
	return f, nil
}

// leads sums the leads of accepted weights over the champion before, with the
// bar of the sum. A rejected round leaves the champion where it was.
func (f roundResults) leads() (elo, bar []float64) {
	sum, square := 0.0, 0.0
	for _, g := range f.gates {
		if g.Accepted {
			sum += g.Elo
			square += g.EloBar * g.EloBar
		}
		elo, bar = append(elo, sum), append(bar, math.Sqrt(square))
	}
	return elo, bar
}

// curve is the champion's lead over the first champion, round by round.
func (f roundResults) curve() (report.Figure, error) {
	elo, bar := f.leads()
	middle := report.Curve{Name: "sum of the leads", Points: []report.Point{{}}}
	low, high := report.Curve{Name: "95 % bar, low"}, report.Curve{Name: "95 % bar, high"}
	for i := range elo {
		x := float64(i + 1)
		middle.Points = append(middle.Points, report.Point{X: x, Y: elo[i]})
		low.Points = append(low.Points, report.Point{X: x, Y: elo[i] - bar[i]})
		high.Points = append(high.Points, report.Point{X: x, Y: elo[i] + bar[i]})
	}
	return report.Chart{
		Name: "rounds", Title: "Strength by round", Line: "Elo over the first champion, as the sum of leads over the champion before",
		X: "round", Y: "Elo", Curves: []report.Curve{middle, low, high},
	}.Draw()
}

func (f roundResults) sections(curve report.Figure) []report.Section {
	t := &report.Table{
		Header:  []string{"round", "set", "weights", "rows", "R training", "R validation", "MAE", "Elo", "champion"},
		Caption: "R and MAE (points) are from the view of the side to move, each position once, predictions clamped to ±1000. The labels of a round are its own: R is comparable only between fits on equal labels. Elo is the lead over the champion before, with its 95 % bar, in the match at the gate, or at the screen if the round failed there.",
	}
	for i, fit := range f.fits {
		g := f.gates[i]
		v := fit.Train
		if fit.Validation != nil {
			v = *fit.Validation
		}
		t.Rows = append(t.Rows, []string{
			fmt.Sprint(i + 1), strings.ReplaceAll(fit.Set, "+", " + "), report.Count(fit.Weights), report.Count(fit.Train.Rows), report.Number(fit.Train.R, 4),
			report.Number(v.R, 4), report.Number(v.MAE, 1), report.Signed(g.Elo, 0) + " ± " + report.Number(g.EloBar, 0),
			g.champion(),
		})
	}
	list := []report.Section{{
		Heading: "Rounds",
		Text: []string{"In each round the champion plays games against itself, a search with its weights labels their positions, patterns are fitted to the labels, " +
			"and the new weights play the champion. The winner goes on as champion. The first champion counts captured seeds."},
		Table: t, Figures: []report.Figure{curve},
	}}
	if len(f.finals) > 0 {
		list = append(list, report.Section{Heading: "The champion", Text: f.finalTexts()})
	}
	return list
}

// champion says which weights go on.
func (f RoundFigures) champion() string {
	switch {
	case f.Fallback:
		return "new, without having won: there is none before"
	case f.Accepted:
		return "new"
	}
	return "kept"
}

func (f roundResults) finalTexts() (list []string) {
	for i, s := range f.finals {
		list = append(list, matchText(s, "Against "+s.B, f.conds[i]))
	}
	return list
}

func (f roundResults) summary() (rows []report.Row) {
	for i, s := range f.finals {
		rows = append(rows, headline("against "+s.B, s, verdict(s), fmt.Sprintf("%s; 95 %%; %s", scoreText(s), f.conds[i].Config)))
	}
	for i, n := range f.noise {
		if n.Positions > 0 {
			row := noiseRow(n)
			row.Label += fmt.Sprintf(", round %d", i+1)
			rows = append(rows, row)
		}
	}
	var words []string
	for i, g := range f.gates {
		words = append(words, fmt.Sprintf("%d: %s", i+1, eloValue(g.Elo, g.EloBar)))
	}
	return append(rows, report.Row{Label: "rounds", Value: fmt.Sprint(len(f.gates)), Note: "Elo over the champion before: " + strings.Join(words, ", ")})
}
