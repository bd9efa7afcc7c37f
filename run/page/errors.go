package page

import (
	"fmt"

	"kroo/datasets"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// unit is what the figures count in.
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

// errorSections say on what boards the weights err, and show the map of predictions and labels,
// and the worst board of each of the worst kinds.
func (c *Counts) errorSections(s *labelled, m *patterns.Model) []doc.Section {
	n := len(s.rows)
	count, sum, worst := make([]int, len(clusters)), make([]float64, len(clusters)), make([]int, len(clusters))
	all := 0.0
	for _, i := range s.byError() {
		k := 0
		for !clusters[k].fits(s.rows[i]) {
			k++
		}
		if count[k] == 0 {
			worst[k] = i
		}
		count[k]++
		sum[k] += s.missed(i)
		all += s.missed(i)
	}
	t := doc.NewTable("boards with", "boards", "share", "mean error", "share of all error")
	t.Caption = "A board is in the first row that fits. Mean errors in seeds."
	percent := func(part, whole float64) string { return report.Number(100*part/max(whole, 1e-9), 0) + " %" }
	title := fmt.Sprintf("Prediction and label of %s, from both sides", report.Plural(n, "validation board"))
	picture := doc.DrawFunc(func() (doc.Figure, error) {
		f, err := report.PredictedVsLabel(doubled(s.fitted), title, unit)
		f.Caption += " The rows at +24 and −24 are the decided games."
		return f, err
	})
	var boards []doc.Drawing
	for k, kind := range clusters {
		if count[k] == 0 {
			continue
		}
		t.Add(kind.name, report.Count(count[k]), percent(float64(count[k]), float64(n)), report.Number(features.Seeds(sum[k]/float64(count[k])), 2), percent(sum[k], all))
		if k < 3 {
			boards = append(boards, s.board(worst[k], m, fmt.Sprintf("worst-%d", k+1), fmt.Sprintf("The largest error on %s: %s seeds", kind.title, report.Number(features.Seeds(s.missed(worst[k])), 1))))
		}
	}
	t.Add("all", report.Count(n), "100 %", report.Number(features.Seeds(all/max(1, float64(n))), 2), "100 %")
	text := fmt.Sprintf("%s of the boards have a label of +24 or −24: the search saw the game won or lost, and no label is larger. They are the clump at both ends of the map. "+
		"A sum of seed counts cannot see that a game is decided, so it errs there by %s seeds on average, and by %s on all other boards.",
		percent(float64(count[0]), float64(n)), report.Number(features.Seeds(sum[0]/max(1, float64(count[0]))), 1), report.Number(features.Seeds((all-sum[0])/max(1, float64(n-count[0]))), 1))
	return []doc.Section{
		{Heading: "Where they err", Text: []string{text}, Figures: []doc.Drawing{picture}},
		{Text: []string{"The other errors by kind of board, and the worst board of three kinds. A search sees captures and large houses a few moves ahead, and corrects much of their error."}, Table: t, Figures: boards},
	}
}

// doubled sees each position as the other side does, too, as the fit does.
func doubled(points []report.Point) []report.Point {
	list := make([]report.Point, 0, 2*len(points))
	for _, p := range points {
		list = append(list, p, report.Point{X: -p.X, Y: -p.Y})
	}
	return list
}
