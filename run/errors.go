package run

import (
	"fmt"
	"slices"

	"kroo/datasets"
	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// unit is the unit of the figures.
var unit = report.UnitOf(oware.Descriptor().Info)

// cluster is a kind of board. Each board is of the first kind that it fits.
type cluster struct {
	name, title string // of a row, and of a board
	fits        func(datasets.Row[oware.Position]) bool
}

const (
	largeHouse = 12 // seeds, with which a house reaches round the board
	fewSeeds   = 4  // of a side's houses
	lateSeeds  = 12 // in play
)

var clusters = []cluster{
	{"decided: a label of ±24", "a decided game", decided},
	{fmt.Sprintf("a house with %d seeds or more", largeHouse), "a large house", func(r datasets.Row[oware.Position]) bool {
		for h := range 2 * oware.Houses {
			if r.Position.House(h) >= largeHouse {
				return true
			}
		}
		return false
	}},
	{"the side to move can capture", "a capture", func(r datasets.Row[oware.Position]) bool {
		for _, m := range r.Position.AppendMoves(nil) {
			if r.Position.Gain(m) > 0 {
				return true
			}
		}
		return false
	}},
	{fmt.Sprintf("a side with %d seeds or fewer in its houses", fewSeeds), "nearly empty houses", func(r datasets.Row[oware.Position]) bool {
		own, opponent := r.Position.SideSeeds()
		return min(own, opponent) <= fewSeeds
	}},
	{fmt.Sprintf("%d seeds or fewer in play", lateSeeds), "the end of a game", func(r datasets.Row[oware.Position]) bool { return r.Position.SeedsInPlay() <= lateSeeds }},
	{"none of these", "a quiet board", func(datasets.Row[oware.Position]) bool { return true }},
}

// errorSections show on what boards the weights err: the map of predictions and labels, a table of
// kinds of boards, and the worst board of each of the first kinds.
func (p *results) errorSections(s *labelled) []doc.Section {
	kinds := make([][]int, len(clusters)) // rows, the largest error first
	for _, i := range s.byError() {
		k := slices.IndexFunc(clusters, func(c cluster) bool { return c.fits(s.rows[i]) })
		kinds[k] = append(kinds[k], i)
	}
	n, all := len(s.rows), slices.Concat(kinds...)
	score := func(rows []int) float64 {
		return mean(each(rows, func(i int) float64 { return features.Seeds(s.missed(i)) }))
	}
	percent := func(part, whole float64) string { return report.Number(100*part/max(whole, 1e-9), 0) + " %" }
	t := doc.NewTable("boards with", "boards", "share", "error, score", "share of all error")
	if s.chance != nil {
		t = doc.NewTable("boards with", "boards", "share", "error, chance", "error, score", "share of all error")
	}
	t.Caption = "A board is in the first row that fits. Mean errors, in winning chance and in seeds of score."
	row := func(name string, rows []int) {
		cells := []any{name, report.Count(len(rows)), percent(float64(len(rows)), float64(n))}
		if s.chance != nil {
			cells = append(cells, report.Number(mean(each(rows, func(i int) float64 { return s.chance[i] })), 0)+" %")
		}
		t.Add(append(cells, report.Number(score(rows), 2), percent(score(rows)*float64(len(rows)), score(all)*float64(n)))...)
	}
	var boards []doc.Drawing
	for k, kind := range clusters {
		if len(kinds[k]) == 0 {
			continue
		}
		row(kind.name, kinds[k])
		if worst := kinds[k][0]; k < 3 {
			boards = append(boards, p.board(s, worst, fmt.Sprintf("worst-%d", k+1), "The largest error: "+kind.title))
		}
	}
	row("all", all)
	text := fmt.Sprintf("%s of the boards have a label of +24 or −24: the search saw the game won or lost, and no label is larger. They are the clump at both ends of the map. "+
		"A sum of seed counts cannot see that a game is decided, so it errs there by %s seeds of score on average, and by %s on all other boards.",
		percent(float64(len(kinds[0])), float64(n)), report.Number(score(kinds[0]), 1), report.Number(score(slices.Concat(kinds[1:]...)), 1))
	if s.chance != nil {
		text += " In winning chance these errors are small: such a game is nearly won or lost by the counts, too. Errors near a score of 0 cost most."
	}
	picture := doc.DrawFunc(func() (doc.Figure, error) {
		f, err := report.PredictedVsLabel(doubled(s.fitted), fmt.Sprintf("Prediction and label of %s, from both sides", report.Plural(n, "validation board")), unit)
		f.Caption += " The rows at +24 and −24 are the decided games."
		return f, err
	})
	return []doc.Section{
		{Heading: "Where they err", Text: []string{text}, Figures: []doc.Drawing{picture}},
		{Text: []string{"The errors by kind of board, and the worst board of three kinds. A search sees captures and large houses a few moves ahead, and corrects much of these errors."}, Table: t, Figures: boards},
	}
}

// each returns a value of each of some rows.
func each(rows []int, value func(i int) float64) (list []float64) {
	for _, i := range rows {
		list = append(list, value(i))
	}
	return list
}

// doubled adds each position as seen by the other side, as the fit does.
func doubled(points []report.Point) []report.Point {
	list := make([]report.Point, 0, 2*len(points))
	for _, p := range points {
		list = append(list, p, report.Point{X: -p.X, Y: -p.Y})
	}
	return list
}
