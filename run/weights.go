package run

import (
	"cmp"
	"fmt"
	"slices"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// doneSection describes what was done, and shows one board of it.
func (p *results) doneSection() doc.Section {
	who := "A captures-only search"
	if p.manifest.Program != "" {
		who = "Another program"
	}
	one := doc.Section{Heading: "What was done", Text: append([]string{fmt.Sprintf("%s (%s) gave each of %s boards a label: the score for the side to move, in seeds, 24 for a won game. "+
		"A sum of seed counts, those of the side to move minus those of the other side, was fitted to the labels. %s more boards, drawn in another way, check it.",
		who, p.labels.search, report.Count(p.Config.Training.N), report.Count(p.Config.Validation.N))}, p.labels.texts()...)}
	if all := p.validation; all != nil {
		one.Text = append(one.Text, "One of them, house by house: the numbers below the seeds add up to the score by the weights. Half of the boards have larger errors.")
		one.Figures = []doc.Drawing{p.board(all[len(all)/2], "board", "A position, house by house")}
	}
	return one
}

// levelSeeds is how many seeds are in play in the level position whose winning chances explain
// weights: about the mean of the samples.
const levelSeeds = 36

// weightSection explains the selected weights, in words and in a picture.
func (p *results) weightSection() doc.Section {
	m := p.fit.Selected
	text := "A position is worth the sum of these weights, each times how many more of the thing the side to move has than the other side. "
	if len(p.fit.Steps) == 0 {
		text += "All features were kept."
	} else {
		text += fmt.Sprintf("Of %d features, backward elimination kept %d: it dropped the one that matters least, one at a time, until the correlation would have fallen too far.", len(p.fit.Full.Features), len(m.Features))
	}
	if p.calibration != nil {
		text += fmt.Sprintf(" The list has the gain or loss of winning chance for one more than the opponent has, in a level position with %d seeds in play.", levelSeeds)
	}
	one := doc.Section{Heading: "What the weights say", Drawn: true, Text: []string{text}}
	picture := report.Intervals{Name: "weights", Title: "The weights", Line: "seeds of score for one more than the opponent has, with 95 % intervals", X: "seeds of score",
		Caption: "Right of 0: good to have; left of 0: bad. Short intervals: the labels determine the weight well."}
	for i, name := range m.Features {
		row := report.Interval{Name: patterns.Sets.Meaning(name), Value: features.Seeds(m.Points[i])}
		row.Low, row.High, row.Text = row.Value, row.Value, report.Signed(row.Value, 2)
		if i < len(m.StdErr) {
			bar := features.Seeds(1.96 * m.StdErr[i])
			row.Low, row.High = row.Value-bar, row.Value+bar
			row.Text += " ± " + report.Number(bar, 2)
		}
		picture.Rows = append(picture.Rows, row)
	}
	slices.SortStableFunc(picture.Rows, func(a, b report.Interval) int { return cmp.Compare(b.Value, a.Value) })
	for _, row := range picture.Rows {
		one.Facts = append(one.Facts, doc.Fact{Name: row.Name, Value: p.inWords(row.Value)})
	}
	one.Figures = []doc.Drawing{picture}
	return one
}

// inWords describes the value of one more of something.
func (p *results) inWords(seeds float64) string {
	score := "a score of " + report.Signed(seeds, 2)
	if p.calibration == nil {
		return score + " seeds for one more than the opponent has"
	}
	win, draw, _ := p.calibration.Chances(seeds, levelSeeds/float64(oware.Seeds))
	return fmt.Sprintf("%s %% of winning chance (%s)", report.Signed(100*(win+draw/2)-50, 0), score)
}
