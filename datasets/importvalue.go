package datasets

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kroo/games"
	"kroo/internal/strict"
)

// setColumn parses a row's value in one of our columns, checks it and sets the row's field.
func (f *importTable[P]) setColumn(p P, d *rowColumn[P], cells []string, v valuation) (err error) {
	d.reset()
	switch d.name {
	case "score":
		d.ints = append(d.ints, int64(math.Round(v.hundredths)))
	case "label":
		d.floats = append(d.floats, v.points)
	default:
		err = f.parse(p, d, cells)
	}
	if err == nil {
		_, err = d.check()
	}
	if err == nil {
		err = d.take(&f.codec.row, &d.column, 0)
	}
	return err
}

// parse appends a row's value in one of our columns.
func (f *importTable[P]) parse(p P, d *rowColumn[P], cells []string) error {
	if d.name == weightColumn {
		return parseCell(&d.column, f.cell(cells, f.Weight))
	}
	text := cmp.Or(f.cell(cells, d.name), d.missing)
	switch d.typ {
	case typeFloat64:
		err := parseCell(&d.column, text)
		if f.sign(p, f.columnsSide) < 0 {
			d.floats[0] = 0 - d.floats[0]
		}
		return err
	case typeBool:
		text = truthText(text)
	case typeText:
	default:
		text = wholeText(text)
	}
	return parseCell(&d.column, text)
}

// valuation is the value of a position for the side to move.
type valuation struct {
	points     float64 // the label
	hundredths float64 // the score, in hundredths of a unit
	isProven   bool    // the score means a proven result
	clamped    bool    // the label was beyond a won game, and no proven score explains it
}

// valueOf returns a position's value, with a label of at most a won game.
func (f *importTable[P]) valueOf(p P, cells []string) (valuation, error) {
	v, err := f.labelOf(p, cells)
	if err != nil {
		return v, err
	}
	points := clampLabel(v.points)
	v.clamped = points != v.points && !v.isProven
	v.points = points
	return v, nil
}

// labelOf returns a position's value by its result, its score or its label, as the file has them.
func (f *importTable[P]) labelOf(p P, cells []string) (valuation, error) {
	label := f.cell(cells, "label")
	score := f.cell(cells, cmp.Or(f.Score, "score"))
	_, hasLabels := f.at["label"]
	switch {
	case f.Result != "":
		return f.labelFromResult(p, f.cell(cells, f.Result))
	case f.Score != "" || label == "" && (score != "" || !hasLabels):
		return f.labelFromScore(p, score)
	}
	return f.labelAsGiven(label, score)
}

// labelFromResult returns the value of the result of a game.
func (f *importTable[P]) labelFromResult(p P, result string) (v valuation, err error) {
	points, err := resultText(result)
	v.points = points*f.sign(p, 0) + 0 // a label of -0 is 0: equal labels have equal digests
	v.hundredths = f.hundredthsOf(v.points)
	return v, err
}

// labelFromScore returns the value of a score. One beyond a won game is only kept if it is proven.
func (f *importTable[P]) labelFromScore(p P, score string) (v valuation, err error) {
	number, err := numberText(cmp.Or(f.Score, "score"), score)
	v.hundredths = math.Round(number * defaultUnit / cmp.Or(f.Unit, defaultUnit) * f.sign(p, f.side))
	v.isProven = f.isProven(v.hundredths)
	v.points = float64(f.game.Points(v.hundredths)) + 0 // rounded as train label does
	if points := clampLabel(v.points); points != v.points && !v.isProven {
		v.hundredths = f.hundredthsOf(points)
	}
	return v, err
}

// labelAsGiven returns the value of a label, with the score next to it if there is one.
func (f *importTable[P]) labelAsGiven(label, score string) (v valuation, err error) {
	points, err := numberText("label", label)
	if err != nil {
		return v, err
	}
	v.points = points + 0
	if score == "" {
		v.hundredths = f.hundredthsOf(clampLabel(v.points))
		return v, nil
	}
	v.hundredths, err = numberText("score", score)
	v.isProven = f.isProven(v.hundredths)
	return v, err
}

// isProven reports whether a score means a proven result. In units of another program none is.
func (f *importTable[P]) isProven(hundredths float64) bool {
	size := math.Abs(hundredths)
	return f.Unit == 0 && size >= provenScore && size <= maxScore
}

// hundredthsOf returns the score of a label in points.
func (f *importTable[P]) hundredthsOf(points float64) float64 {
	return points / (f.game.PointsPerUnit() / 100)
}

// clampLabel limits a label to a won game.
func clampLabel(points float64) float64 { return max(-maxLabel, min(points, maxLabel)) }

// sign returns -1 if side is not the side to move, else 1.
func (f *importTable[P]) sign(p P, side int) float64 {
	if side >= 0 && side != f.game.SideToMove(p) {
		return -1
	}
	return 1
}

// cell returns a row's value in a column, "" if either is missing.
func (f *importTable[P]) cell(cells []string, name string) string {
	if i, ok := f.at[name]; ok {
		return cells[i]
	}
	return ""
}

// maxNumber bounds labels and scores.
const maxNumber = 1e6

// numberText parses a number of a column.
func numberText(column, text string) (float64, error) {
	if text == "" {
		return 0, fmt.Errorf("column %.40q has no value, or NaN: expected a number", column)
	}
	v, err := strict.Number(text)
	if err != nil || !(v >= -maxNumber && v <= maxNumber) {
		return 0, fmt.Errorf("%.40q is %.40q: expected a number within ±%g", column, text, maxNumber)
	}
	return v, nil
}

// wholeText turns 3.0, which data frames write in columns with missing values, into 3, and an empty
// text into 0.
func wholeText(text string) string {
	if v, err := strict.Number(text); err == nil && v == math.Trunc(v) && math.Abs(v) < maxExact {
		return strconv.FormatInt(int64(v), 10)
	}
	return cmp.Or(text, "0")
}

// truthText converts common spellings of true and false to ours.
func truthText(text string) string {
	switch strings.ToLower(text) {
	case "true", "t", "1", "yes":
		return "true"
	case "", "false", "f", "0", "no":
		return "false"
	}
	return text
}

// resultText parses a game's result, in points for the side that moved first.
func resultText(text string) (float64, error) {
	switch text {
	case "1-0", "1", "1.0":
		return games.MaxPoints, nil
	case "0-1", "0", "0.0":
		return -games.MaxPoints, nil
	case "1/2-1/2", "0.5", "1/2":
		return 0, nil
	}
	return 0, fmt.Errorf("the result is %.40q: expected 1-0, 0-1 or 1/2-1/2", text)
}
