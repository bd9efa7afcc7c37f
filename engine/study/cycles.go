package study

import (
	"context"
	"fmt"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// CyclesResult has a line per number of seeds in play.
type CyclesResult struct {
	Rules string               `json:"rules"`
	Lines []endgame.CycleCount `json:"lines"`
}

// Cycles counts the positions of oware, with 1 to seeds seeds in play, to which a game can return.
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

// Doc has a line per number of seeds, and compares the published figure with ours.
func (r *CyclesResult) Doc() *doc.Doc {
	t := doc.NewTable("seeds", "positions", "in cycles", "share", "components", "in the largest", "without any capture", "closed")
	chart := report.Chart{Name: "study-cycles", Title: "Positions that a game can return to", Line: "rules " + r.Rules, X: "seeds in play", Y: "share of the positions, %"}
	for _, c := range r.Lines {
		share := 100 * float64(c.InCycles) / float64(c.Positions)
		t.Add(c.Seeds, c.Positions, c.InCycles, fmt.Sprintf("%.2f %%", share), c.Components, c.Largest, c.Calm, c.Closed)
		chart.Add("in cycles", float64(c.Seeds), share)
	}
	published := ""
	if r.Rules == oware.Abapa.String() {
		published = "Sala Soler (2014) finds more than seven million positions in cycles at 15 seeds, as here: 7061295 in the largest component. For eight seeds he has a cycle of more than 75000; here 65036 of 75582 positions are in the largest component."
	}
	return docOf(r, t, chart, "Rules "+r.Rules+", positions as the side to move sees them. In cycles: in a strongly connected component, of two positions or more, of the moves without capture; a game can return to these. Without any capture: the same by positions where no move captures. Closed: of these, where no move leads anywhere else.", published)
}
