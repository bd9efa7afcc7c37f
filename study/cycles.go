package study

import (
	"context"
	"fmt"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/report"
)

// CyclesResult is a line a number of seeds in play.
type CyclesResult struct {
	Rules string               `json:"rules"`
	Lines []endgame.CycleCount `json:"lines"`
}

// Cycles counts the positions of oware with 1 to so many seeds in play that a game
// can return to.
func Cycles(ctx context.Context, r oware.Rules, seeds int, progress parallel.Progress) (*CyclesResult, error) {
	total, done := int64(0), int64(0)
	for n := 1; n <= seeds; n++ {
		total += int64(endgame.Positions(n))
	}
	result := &CyclesResult{Rules: r.String()}
	progress.At(0, total)
	for n := 1; n <= seeds; n++ {
		c, err := endgame.CountCycles(ctx, r, n)
		if err != nil {
			return nil, err
		}
		result.Lines = append(result.Lines, c)
		done += int64(c.Positions)
		progress.At(done, total)
	}
	return result, nil
}

// Rows has a line a number of seeds.
func (r *CyclesResult) Rows() [][]string {
	rows := [][]string{{"seeds", "positions", "in cycles", "share", "components", "in the largest", "without any capture", "closed"}}
	for _, c := range r.Lines {
		share := fmt.Sprintf("%.2f %%", 100*float64(c.InCycles)/float64(c.Positions))
		rows = append(rows, []string{fmt.Sprint(c.Seeds), fmt.Sprint(c.Positions), fmt.Sprint(c.InCycles), share, fmt.Sprint(c.Components), fmt.Sprint(c.Largest), fmt.Sprint(c.Calm), fmt.Sprint(c.Closed)})
	}
	return rows
}

// Note says what a component is, and sets the published figure beside ours.
func (r *CyclesResult) Note() string {
	published := ""
	if r.Rules == oware.Abapa.String() {
		published = "Sala Soler (2014) finds more than seven million positions in cycles at 15 seeds, as here: 7061295 in the largest component. For eight seeds he has a cycle of more than 75000; here 65036 of 75582 positions are in the largest component."
	}
	return note("Rules "+r.Rules+", positions as the side to move sees them. In cycles: in a strongly connected component, of two positions or more, of the moves without capture; a game can return to these. Without any capture: the same by positions where no move captures. Closed: of these, where no move leads anywhere else.", published)
}

// Chart shows the share of positions in cycles.
func (r *CyclesResult) Chart() report.Chart {
	chart := report.Chart{Name: "study-cycles", Title: "Positions that a game can return to", Line: "rules " + r.Rules, X: "seeds in play", Y: "share of the positions, %"}
	for _, c := range r.Lines {
		chart.Add("in cycles", float64(c.Seeds), 100*float64(c.InCycles)/float64(c.Positions))
	}
	return chart
}
