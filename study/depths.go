package study

import (
	"context"
	"fmt"
	"math"

	"kroo/engine/search"
	"kroo/games"
	"kroo/report"
)

// DepthsConfig says what [Depths] looks at.
type DepthsConfig struct {
	Sample
	Depth     int // of the deepest search, plies, at least 2
	FullWidth bool
}

// DepthsResult is what a ply more changes.
type DepthsResult struct {
	Positions int         `json:"positions"`
	Lines     []DepthLine `json:"lines"`

	unit string // of differences
	from string // where the positions come from
}

// DepthLine is one depth. Positions that were proven before count with what was
// proven.
type DepthLine struct {
	Depth   int     `json:"depth"`
	Next    float64 `json:"next"`    // share whose best move is that of a ply more
	Deepest float64 `json:"deepest"` // share whose best move is that of the deepest search
	Change  float64 `json:"change"`  // mean change of the score by a ply more, hundredths of the unit
	Proven  float64 `json:"proven"`  // share that is proven
}

// iteration is what the search thinks at a depth.
type iteration struct {
	best   games.Move
	score  int
	proven bool
}

// Depths searches positions deeper and deeper and tells how often the best move
// stays, and how much the score changes.
func Depths[P search.Position[P]](ctx context.Context, s Subject[P], c DepthsConfig, progress Progress) (*DepthsResult, error) {
	if c.Depth < 2 {
		return nil, fmt.Errorf("depth %d: expected at least 2", c.Depth)
	}
	positions, err := positions(ctx, s, c.Sample)
	if err != nil {
		return nil, err
	}
	all := make([][]iteration, len(positions))
	err = forEach(ctx, len(positions), c.Workers, progress, func(i int) error {
		all[i] = s.iterations(ctx, positions[i], c)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	r := &DepthsResult{Positions: len(positions), unit: s.game.Unit, from: s.origin()}
	for d := 1; d < c.Depth; d++ {
		r.Lines = append(r.Lines, depthLine(all, d))
	}
	return r, nil
}

// iterations are one a depth. A search that ends early, by a proof, goes on as
// it ended.
func (s Subject[P]) iterations(ctx context.Context, p P, c DepthsConfig) []iteration {
	searcher := search.NewSearcher(s.knowledge(), search.Options{HashMB: 4, FullWidth: c.FullWidth})
	var list []iteration
	searcher.Search(ctx, p, nil, search.Limits{Depth: c.Depth}, search.Query{Info: func(r search.Result) {
		list = append(list, iteration{r.Best, r.Score, r.Proven})
	}})
	for len(list) > 0 && len(list) < c.Depth {
		list = append(list, list[len(list)-1])
	}
	return list
}

func depthLine(all [][]iteration, depth int) DepthLine {
	l := DepthLine{Depth: depth}
	changes := 0.0
	for _, list := range all {
		if len(list) == 0 {
			continue
		}
		at, next, last := list[depth-1], list[depth], list[len(list)-1]
		if at.best == next.best {
			l.Next++
		}
		if at.best == last.best {
			l.Deepest++
		}
		if at.proven {
			l.Proven++
		}
		if !at.proven && !next.proven {
			l.Change += math.Abs(float64(next.score - at.score))
			changes++
		}
	}
	n := float64(len(all))
	l.Next, l.Deepest, l.Proven = l.Next/n, l.Deepest/n, l.Proven/n
	l.Change /= max(changes, 1)
	return l
}

// Rows has a line a depth.
func (r *DepthsResult) Rows() [][]string {
	rows := [][]string{{"depth", "same move a ply deeper", "same move at the deepest", "change of score", "proven"}}
	for _, l := range r.Lines {
		rows = append(rows, []string{fmt.Sprint(l.Depth), fmt.Sprintf("%.1f %%", 100*l.Next), fmt.Sprintf("%.1f %%", 100*l.Deepest), fmt.Sprintf("%.3f", l.Change/100), fmt.Sprintf("%.1f %%", 100*l.Proven)})
	}
	return rows
}

// Note explains the columns.
func (r *DepthsResult) Note() string {
	return fmt.Sprintf("%d positions of %s. Change of score: mean, in %ss, of positions not proven at either depth.", r.Positions, r.from, r.unit)
}

// Chart shows the shares by depth.
func (r *DepthsResult) Chart() report.Chart {
	c := report.Chart{Name: "study-depth", Title: "Agreement of searches by depth", Line: fmt.Sprintf("%d positions of %s", r.Positions, r.from), X: "depth, plies", Y: "share of positions, %"}
	for _, l := range r.Lines {
		c.Add("same move a ply deeper", float64(l.Depth), 100*l.Next)
		c.Add("same move at the deepest", float64(l.Depth), 100*l.Deepest)
		c.Add("proven", float64(l.Depth), 100*l.Proven)
	}
	return c
}
