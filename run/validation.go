package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/engine"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/report"
)

// judged is a row of the validation sample with its prediction by the weights.
type judged struct {
	datasets.Row[oware.Position]
	predicted float64 // in points, for the side to move, as the label
	chance    float64 // error in winning chance, percent; 0 without a calibration
}

func (j judged) chanceError() float64 { return j.chance }

// pointError returns the error in points.
func (j judged) pointError() float64 { return math.Abs(j.Label - j.predicted) }

// isDecided reports whether the label is a won or lost game.
func (j judged) isDecided() bool { return math.Abs(j.Label) == games.MaxPoints }

// load reads the validation sample, if it and the weights are there, without the rows whose situations
// the training sample has, as the fit does.
func (p *results) load() (err error) {
	if p.fit == nil {
		return nil
	}
	there, err := p.has(featuresFile, featuresValidation, weightsFile)
	if err != nil || !there {
		return err
	}
	p.model, err = owarefeatures.Sets.Load(p.path(weightsFile))
	if err != nil {
		return err
	}
	game := oware.Descriptor()
	_, training, err := datasets.Read(game, p.path(featuresFile), datasets.Features)
	if err != nil {
		return err
	}
	_, rows, err := datasets.Read(game, p.path(featuresValidation), datasets.Features)
	if err != nil {
		return err
	}
	situation := func(row datasets.Row[oware.Position]) int64 { return datasets.SituationOf(game, row.Position) }
	known := map[int64]bool{}
	for _, row := range training {
		known[situation(row)] = true
	}
	p.judge(slices.DeleteFunc(rows, func(row datasets.Row[oware.Position]) bool { return known[situation(row)] }))
	return nil
}

// judge predicts rows, and sorts them by their errors, the largest in winning chance first.
func (p *results) judge(rows []datasets.Row[oware.Position]) {
	for _, row := range rows {
		j := judged{Row: row, predicted: p.model.Exact(row.Position)}
		if predicted, ok := p.prospects(j.predicted, row.Position); ok {
			found, _ := p.prospects(row.Label, row.Position)
			j.chance = math.Abs(predicted.ExpectedResult() - found.ExpectedResult())
		}
		p.validation = append(p.validation, j)
	}
	slices.SortStableFunc(p.validation, func(a, b judged) int {
		return cmp.Or(cmp.Compare(b.chance, a.chance), cmp.Compare(b.pointError(), a.pointError()))
	})
}

// prospects returns the prospects of a score in points for the side to move.
func (p *results) prospects(points float64, at oware.Position) (engine.Prospects, bool) {
	return engine.Oware().Prospects(engine.Evaluation[oware.Position]{Calibration: p.calibration}, at,
		int(math.Round(100*oware.InSeeds(points))))
}

// mean returns the mean of a value of rows, 0 without any.
func mean(rows []judged, value func(judged) float64) (m float64) {
	for _, j := range rows {
		m += value(j) / float64(len(rows))
	}
	return m
}

// chanceError returns the mean error in winning chance; "" without a calibration.
func (p *results) chanceError(rows []judged) string {
	if p.calibration == nil {
		return ""
	}
	return percentText(mean(rows, judged.chanceError))
}

// meanChanceError returns the mean error in winning chance on the validation sample, in percent,
// from the finished report if the sample is not loaded; nil if unknown.
func (p *results) meanChanceError() *float64 {
	if p.calibration == nil {
		return nil
	}
	if len(p.validation) == 0 {
		return p.reported.ChanceError
	}
	m := mean(p.validation, judged.chanceError)
	return &m
}

// board returns a drawing of a row, with the score that each house adds.
func (p *results) board(j judged, name, title string) report.Board {
	line := fmt.Sprintf("%s to move. The weights say %s, the search %s.",
		oware.Descriptor().Sides[j.Position.ToMove()], p.worth(j.predicted, j.Position), p.worth(j.Label, j.Position))
	shares, rest := sharesOf(p.model, j.Position)
	for _, part := range rest {
		line += fmt.Sprintf(" %s belongs to no single house: %s seeds.",
			part.Name, report.SignedNumber(oware.InSeeds(part.Points), 1))
	}
	return report.Board{Position: j.Position, Worth: shares, Name: name, Title: title, Line: line}
}

// worth formats a score in points for the side to move: its winning chance, and in seeds.
func (p *results) worth(points float64, at oware.Position) string {
	score := "a score of " + report.SignedNumber(oware.InSeeds(points), 1)
	if s, ok := p.prospects(points, at); ok {
		return fmt.Sprintf("%s %% winning chance (%s)", report.Number(s.ExpectedResult(), 0), score)
	}
	return score + " seeds"
}

// sharesOf returns the points that each house and store adds to the score, and the parts of the score
// that belong to no place.
func sharesOf(m *owarefeatures.Model, p oware.Position) (points *[2][oware.Houses + 1]float64, rest []features.Part) {
	points = new([2][oware.Houses + 1]float64)
	for _, part := range m.Parts(p) {
		for i, share := range part.Shares {
			points[i/len(points[0])][i%len(points[0])] += share
		}
		if part.Shares == nil && part.Points != 0 {
			rest = append(rest, part)
		}
	}
	return points, rest
}

const (
	largeHouse = 12 // seeds, with which a house reaches round the board
	fewSeeds   = 4  // of a side's houses
	lateSeeds  = 12 // in play
)

// clusters are kinds of boards. Each board is of the first kind that it fits.
var clusters = []struct {
	name, title string // of a row, and of a board
	fits        func(judged) bool
}{
	{"decided: a label of ±24", "a decided game", judged.isDecided},
	{fmt.Sprintf("a house with %d seeds or more", largeHouse), "a large house", func(j judged) bool {
		for h := range 2 * oware.Houses {
			if j.Position.House(h) >= largeHouse {
				return true
			}
		}
		return false
	}},
	{"the side to move can capture", "a capture", func(j judged) bool {
		return slices.ContainsFunc(j.Position.AppendMoves(nil), func(m oware.Move) bool { return j.Position.Gain(m) > 0 })
	}},
	{fmt.Sprintf("a side with %d seeds or fewer in its houses", fewSeeds), "", func(j judged) bool {
		own, opponent := j.Position.SideSeeds()
		return min(own, opponent) <= fewSeeds
	}},
	{fmt.Sprintf("%d seeds or fewer in play", lateSeeds), "",
		func(j judged) bool { return j.Position.SeedsInPlay() <= lateSeeds }},
	{"none of these", "", func(judged) bool { return true }},
}

// errorSections show on what boards the weights err: the map of predictions and labels, a table of
// kinds of boards, and the worst board of each of the first kinds.
func (p *results) errorSections() []outline.Section {
	all := p.validation
	kinds := make([][]judged, len(clusters))
	for _, j := range all {
		for k, kind := range clusters {
			if kind.fits(j) {
				kinds[k] = append(kinds[k], j)
				break
			}
		}
	}
	score := func(rows []judged) float64 {
		return mean(rows, func(j judged) float64 { return oware.InSeeds(j.pointError()) })
	}
	percent := func(part, whole float64) string { return report.Number(100*part/max(whole, 1e-9), 0) + " %" }
	share := func(rows []judged) string { return percent(float64(len(rows)), float64(len(all))) }
	t := outline.NewTable("boards with", "boards", "share", "error, score", "share of all error")
	if p.calibration != nil {
		t.Header = slices.Insert(t.Header, 3, "error, chance")
	}
	row := func(name string, rows []judged) {
		cells := []any{name, report.Integer(len(rows)), share(rows)}
		if off := p.chanceError(rows); off != "" {
			cells = append(cells, off)
		}
		t.Add(append(cells, report.Number(score(rows), 2),
			percent(score(rows)*float64(len(rows)), score(all)*float64(len(all))))...)
	}
	var boards []outline.Drawing
	for k, kind := range clusters {
		if len(kinds[k]) == 0 {
			continue
		}
		row(kind.name, kinds[k])
		if kind.title != "" {
			boards = append(boards, p.board(kinds[k][0], fmt.Sprintf("worst-%d", k+1), "The largest error: "+kind.title))
		}
	}
	row("all", all)
	text := fmt.Sprintf("%s of the boards have a label of +24 or −24: the search saw the game won or lost, and no label is larger. They are the clump at both ends of the map. "+
		"A sum of seed counts cannot see that a game is decided, so it errs there by %s seeds of score on average, and by %s on all other boards.",
		share(kinds[0]), report.Number(score(kinds[0]), 1), report.Number(score(slices.Concat(kinds[1:]...)), 1))
	if p.calibration != nil {
		text += " In winning chance these errors are small: such a game is nearly won or lost by the counts, too. Errors near a score of 0 cost most."
	}
	return []outline.Section{
		{Heading: "Where they err", Text: append([]string{text}, p.errorTexts()...),
			Figures: []outline.Drawing{p.errorMap()}},
		{Text: []string{"The errors by kind of board, and the worst board of three kinds. A search sees captures and large houses a few moves ahead, and corrects much of these errors.",
			"A board is in the first row that fits. Mean errors, in winning chance and in seeds of score."}, Table: t, Figures: boards},
	}
}

// errorTexts answer what readers of the errors ask: why the mean is far above the median, and why R is
// above the one of training.
func (p *results) errorTexts() (texts []string) {
	if mean := p.meanChanceError(); mean != nil {
		texts = medianText(p.validation, *mean)
	}
	if p.fit != nil && p.fit.Selected.Validation != nil {
		texts = append(texts, correlationText(p.fit.Selected.Train, *p.fit.Selected.Validation)...)
	}
	return texts
}

// medianText explains a mean error in winning chance that is far above the median; rows are sorted, the
// largest error first.
func medianText(rows []judged, mean float64) []string {
	median := rows[len(rows)/2].chance
	if median > mean/2 {
		return nil
	}
	above, _ := slices.BinarySearchFunc(rows, mean, func(j judged, mean float64) int { return cmp.Compare(mean, j.chance) })
	return []string{fmt.Sprintf("The mean error is %s %% of winning chance, the median only %s %%: "+
		"most boards are clearly won or lost, and there a few seeds hardly change the chance. "+
		"%s %% of the boards, those nearer to equality, have errors above the mean.",
		report.Number(mean, 1), report.Number(median, 1), report.Number(100*float64(above)/float64(len(rows)), 0))}
}

// correlationText explains why R is higher on the validation sample than on the training sample.
func correlationText(training, validation agreement.Doubled) []string {
	here, there := labelSpread(validation), labelSpread(training)
	if validation.R <= training.R || here <= there {
		return nil
	}
	return []string{fmt.Sprintf("R is higher on these boards (%s) than on the training boards (%s) "+
		"because their labels spread wider (standard deviation %s and %s seeds), and R measures errors relative to that spread. "+
		"The root mean square error is %s seeds here and %s in training.",
		report.Number(validation.R, 3), report.Number(training.R, 3), seedsText(here), seedsText(there),
		seedsText(validation.RMSE), seedsText(training.RMSE))}
}

// labelSpread returns the standard deviation of the labels, in points, counted from both sides.
func labelSpread(d agreement.Doubled) float64 { return d.RMSE / math.Sqrt(1-d.R2) }

func seedsText(points float64) string { return report.Number(oware.InSeeds(points), 1) }

// errorMap draws predictions and labels, each position from both sides, as the fit sees it.
func (p *results) errorMap() outline.Drawing {
	m := report.LabelMap{Unit: "seeds", Note: " The rows at +24 and −24 are the decided games.",
		Title: fmt.Sprintf("Prediction and label of %s, from both sides", report.Plural(len(p.validation), "validation board"))}
	for _, j := range p.validation {
		x, y := oware.InSeeds(j.predicted), oware.InSeeds(j.Label)
		m.Points = append(m.Points, report.Point{X: x, Y: y}, report.Point{X: -x, Y: -y})
	}
	return m
}
