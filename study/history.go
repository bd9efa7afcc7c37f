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
// seeds in play. Lines of play that change a value are looked for in so many positions of each.
func History(ctx context.Context, t *endgame.Table, seeds, samples int, seed uint64, progress Progress) (*HistoryResult, error) {
	r := &HistoryResult{}
	total, done := int64(0), int64(0)
	for n := 1; n <= seeds; n++ {
		total += int64(endgame.Positions(n))
	}
	for n := 1; n <= seeds; n++ {
		c, err := endgame.CountHistory(ctx, t, n, samples, seed)
		if err != nil {
			return nil, err
		}
		r.Lines = append(r.Lines, c)
		done += int64(c.Positions)
		progress(done, total)
	}
	return r, nil
}

// Rows has a line a number of seeds.
func (r *HistoryResult) Rows() [][]string {
	rows := [][]string{{"seeds", "positions", "exact", "free of history", "blocked", "of a sample", "dependent", "neither"}}
	for _, c := range r.Lines {
		row := []string{fmt.Sprint(c.Seeds), fmt.Sprint(c.Positions)}
		for _, n := range []int{c.Exact, c.Free, c.Blocked} {
			row = append(row, fmt.Sprintf("%.2f %%", 100*float64(n)/float64(c.Positions)))
		}
		row = append(row, fmt.Sprint(c.Sampled), fmt.Sprint(c.Depend), fmt.Sprintf("%.2f %%", 100*float64(c.Exact-c.Free-c.Blocked)/float64(c.Positions)))
		rows = append(rows, row)
	}
	return rows
}

// Note says what the columns are, and shows a position of each class.
func (r *HistoryResult) Note() string {
	text := `Exact: the value for an empty history is known. Free of history: it is the same whatever stood before. Blocked: it is another if all positions that quiet moves lead to, and from which the game can come back, have stood; of a sample of these, dependent ones have such a line of play. Neither: exact, and nothing more is known.`
	for _, c := range r.Lines {
		for _, class := range []string{"free", "depends", "unknown"} {
			v, there := c.Example[class]
			if !there || c.Seeds < len(r.Lines) {
				continue
			}
			text += fmt.Sprintf("\n%s: %s", class, v.Board)
			if class == "depends" {
				text += fmt.Sprintf(", the mover gets %d of %d seeds; after %s moves %s, %d", v.AtStart, c.Seeds, v.From, v.Moves, v.Value)
			} else {
				text += fmt.Sprintf(", the mover gets %d of %d seeds", v.Value, c.Seeds)
			}
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
		chart.Add("another if its successors have stood", float64(c.Seeds), float64(c.Blocked)/of)
	}
	return chart
}
