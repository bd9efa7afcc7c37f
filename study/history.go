package study

import (
	"context"
	"fmt"

	"kroo/endgame"
	"kroo/report"
)

// HistoryResult is a line a number of seeds in play.
type HistoryResult struct {
	Lines []endgame.HistoryCount `json:"lines"`
}

// History tells which values of an abapa table hold whatever stood before, with 1 to so many
// seeds in play.
func History(ctx context.Context, t *endgame.Table, seeds int, progress Progress) (*HistoryResult, error) {
	if seeds < 1 || seeds > t.Seeds() {
		return nil, fmt.Errorf("%d seeds: expected 1 to %d, as many as the table has", seeds, t.Seeds())
	}
	r := &HistoryResult{}
	total, before := int64(0), int64(0)
	for n := 1; n <= seeds; n++ {
		total += int64(endgame.Positions(n))
	}
	for n := 1; n <= seeds; n++ {
		c, err := endgame.CountHistory(ctx, t, n, func(done int64) { progress(before+done, total) })
		if err != nil {
			return nil, err
		}
		r.Lines = append(r.Lines, c)
		before += int64(c.Positions)
		progress(before, total)
	}
	return r, nil
}

// Rows has a line a number of seeds.
func (r *HistoryResult) Rows() [][]string {
	rows := [][]string{{"seeds", "positions", "exact", "free of history", "dependent", "neither", "of all"}}
	for _, c := range r.Lines {
		row := []string{fmt.Sprint(c.Seeds), fmt.Sprint(c.Positions)}
		neither := c.Exact - c.Free - c.Depend
		for _, n := range []int{c.Exact, c.Free, c.Depend} {
			row = append(row, fmt.Sprintf("%.2f %%", 100*float64(n)/float64(c.Positions)))
		}
		rows = append(rows, append(row, fmt.Sprint(neither), fmt.Sprintf("%.2f %%", 100*float64(neither)/float64(c.Positions))))
	}
	return rows
}

// Note says what the columns are, and shows a position of each class.
func (r *HistoryResult) Note() string {
	text := `Exact: the value for an empty history is known. Free of history: it is the same whatever stood before, which is proven. Dependent: after a line of play that exists it is another, which is proven too. Neither: exact, and nothing more is known.`
	last := r.Lines[len(r.Lines)-1]
	for _, class := range []string{"free", "depends", "unknown"} {
		v, there := last.Example[class]
		if !there {
			continue
		}
		text += fmt.Sprintf("\n%s: %s, the mover gets %d of %d seeds", class, v.Board, v.AtStart, last.Seeds)
		if class == "depends" {
			text += fmt.Sprintf("; after %s moves %s, %d to %d", v.From, v.Moves, v.Least, v.Most)
		}
	}
	return text
}

// Chart shows the shares by seeds.
func (r *HistoryResult) Chart() report.Chart {
	chart := report.Chart{Name: "study-history", Title: "Values and what stood before", Line: "rules abapa", X: "seeds in play", Y: "share of the positions, %"}
	for _, c := range r.Lines {
		of := float64(c.Positions) / 100
		chart.Add("exact for an empty history", float64(c.Seeds), float64(c.Exact)/of)
		chart.Add("the same whatever the history", float64(c.Seeds), float64(c.Free)/of)
		chart.Add("another after some line of play", float64(c.Seeds), float64(c.Depend)/of)
	}
	return chart
}
