package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
)

// calibrationRows is the most rows that a calibration is fitted to: an even share of a larger
// dataset has the same games, and the errors are by game.
const calibrationRows = 1 << 20

// Calibrated is what scores with fitted weights are worth, where the rows are from games whose
// outcomes they have.
type Calibrated struct {
	Calibration   *features.Calibration `json:"calibration,omitempty"`
	NotCalibrated string                `json:"not_calibrated,omitempty"` // why not, though the rows have outcomes
}

// calibrateFiles calibrates the scores of the searches that labelled datasets, by the outcomes of
// the games that the rows are from. Nothing is calibrated where the rows have no outcomes. Proven
// labels are left out.
func calibrateFiles(ctx context.Context, g games.Info, paths []string, where string) (found Calibrated, err error) {
	var tables []*datasets.Table
	defer func() {
		for _, t := range tables {
			err = errors.Join(err, t.Close())
		}
	}()
	for _, path := range paths {
		t, err := datasets.Open(ctx, g, path)
		if err != nil {
			return found, err
		}
		tables = append(tables, t)
	}
	return calibrateTables(ctx, g, tables, where)
}

func calibrateTables(ctx context.Context, g games.Info, tables []*datasets.Table, where string) (found Calibrated, err error) {
	var list []scoredPosition
	var limits []string
	for file, t := range tables {
		if !t.Meta.Results {
			continue
		}
		limits = append(limits, t.Meta.Limits)
		if list, err = appendScored(ctx, g, list, t, where, file, t.Rows*int64(len(tables))/calibrationRows+1); err != nil {
			return found, err
		}
	}
	if list == nil {
		return found, nil
	}
	if found.Calibration, err = calibration(list); err != nil {
		found.NotCalibrated = err.Error() // the fit itself is sound
		return found, nil
	}
	found.Calibration.Scores = "of the searches that labelled the rows, " + strings.Join(limits, "; ")
	return found, nil
}

// appendScored appends each every-th row of a table, with its label as the score.
func appendScored(ctx context.Context, g games.Info, list []scoredPosition, t *datasets.Table, where string, file int, every int64) ([]scoredPosition, error) {
	results := map[string]int{datasets.Win.String(): 1, datasets.Draw.String(): 0, datasets.Loss.String(): -1}
	q := datasets.Query{Columns: []string{"phase", "game", "label", "exact", "result", "margin"}, Where: where}
	n := int64(0)
	for b, err := range t.Batches(ctx, q) {
		if err != nil {
			return list, err
		}
		phases, numbers, labels, exact, ended, margins := b.Whole(0), b.Whole(1), b.Numbers(2), b.Truth(3), b.Texts(4), b.Whole(5)
		for i := range b.Len() {
			result, known := results[ended[i]]
			if n++; n%every != 0 || !known || exact[i] || math.Abs(labels[i]) >= games.MaxPoints {
				continue
			}
			list = append(list, scoredPosition{
				game: file<<32 | int(numbers[i]), score: labels[i] / g.PointsPerUnit(),
				phase: int(phases[i]), part: float64(phases[i]) / float64(g.MaxPhase),
				// A decisive result without a margin is one that the rules did not end.
				result: result, finished: margins[i] != 0 || result == 0, final: float64(margins[i]),
			})
		}
	}
	return list, nil
}

// text is a line on it, "" where the rows have no outcomes.
func (c Calibrated) text(g games.Info) string {
	switch {
	case c.NotCalibrated != "":
		return "not calibrated: " + c.NotCalibrated
	case c.Calibration == nil:
		return ""
	}
	level, _, _ := c.Calibration.Chances(0, 1)
	ahead, _, _ := c.Calibration.Chances(1, 1)
	return fmt.Sprintf("calibrated by %d games: with %d %s a level score wins %s, one of +1 %s %s",
		c.Calibration.Games, g.MaxPhase, g.PhaseName, features.Percent(level), g.Unit, features.Percent(ahead))
}
