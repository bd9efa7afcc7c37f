package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// TablesConfig configures [Tables].
type TablesConfig struct {
	Sample
	Depth int   `name:"depth" default:"13" range:"2..40" help:"plies"` // of the last iteration
	Sizes []int `name:"sizes" default:"64,512,4096" range:"1..4194304" help:"sizes of the tables, in KiB"`
}

// TablesResult has a line per scheme and size.
type TablesResult struct {
	Positions int         `json:"positions"`
	Depth     int         `json:"depth"`
	Lines     []TableLine `json:"lines"`

	published string
	from      string // source of the positions
}

// TableLine is the result of a scheme over all positions.
type TableLine struct {
	Scheme  string  `json:"scheme"`
	KiB     int     `json:"kib"` // 0 without a table
	Nodes   int64   `json:"nodes"`
	HitRate float64 `json:"hit_rate"` // of all look-ups
	Seconds float64 `json:"seconds"`  // mean per position
}

// stretch is the number of consecutive positions of a game that share a table, as in play: that is
// the purpose of ageing.
const stretch = 10

// Tables searches positions by iterative deepening with a hash table under each replacement scheme,
// without one, and with the engine.
func Tables[P search.Position[P]](ctx context.Context, s Subject[P], c TablesConfig, progress parallel.Progress) (*TablesResult, error) {
	sample, err := positions(ctx, s, c.Sample)
	if err != nil {
		return nil, err
	}
	r := &TablesResult{Positions: len(sample), Depth: c.Depth, from: s.origin(), published: s.Published.under(s.rules(c.Rules)).Tables}
	searchers, sizes := []searcher[P]{s.deepened(ctx, "none", nil, 0)}, []int{0}
	for _, kib := range c.Sizes {
		for i, of := range schemes {
			searchers, sizes = append(searchers, s.deepened(ctx, of.name, &schemes[i], kib<<10)), append(sizes, kib)
		}
	}
	searchers, sizes = append(searchers, s.engine(ctx, "engine, full width", search.Options{HashMB: 1, FullWidth: true})), append(sizes, 1024)
	costs, err := measure(ctx, searchers, slices.Collect(slices.Chunk(sample, stretch)), c.Depth, c.Workers, progress)
	if err != nil {
		return nil, err
	}
	for i, of := range searchers {
		total := sum(costs[i])
		l := TableLine{Scheme: of.name, KiB: sizes[i], Nodes: total.nodes, Seconds: total.seconds / float64(len(sample))}
		if total.lookups > 0 {
			l.HitRate = float64(total.found) / float64(total.lookups)
		}
		r.Lines = append(r.Lines, l)
	}
	return r, nil
}

// Doc has a line per scheme and size.
func (r *TablesResult) Doc() *doc.Doc {
	t := doc.NewTable("scheme", "KiB", "positions visited", "hit rate", "ms per search")
	chart := report.Chart{Name: "study-table", Title: "Time of a search by replacement scheme", Line: fmt.Sprintf("%d positions, iterative depth %d", r.Positions, r.Depth), X: "size of the table, as a power of two KiB", Y: "milliseconds per search"}
	for _, l := range r.Lines {
		row := []any{l.Scheme, "", l.Nodes, "", fmt.Sprintf("%.2f", 1000*l.Seconds)}
		if l.KiB > 0 {
			row[1] = l.KiB
		}
		if l.HitRate > 0 {
			row[3] = fmt.Sprintf("%.1f %%", 100*l.HitRate)
		}
		t.Add(row...)
		if l.KiB > 0 && l.HitRate > 0 {
			chart.Add(l.Scheme, math.Log2(float64(l.KiB)), 1000*l.Seconds)
		}
	}
	return docOf(r, t, chart, fmt.Sprintf("%d positions of %s, ten in a row with one table; iterative deepening to depth %d, alpha-beta with the best ordering of moves; the engine's line is its own search. Times are processor times. Scheme 1 looks up only remaining depths above 3, so its hit rate is not comparable.", r.Positions, r.from, r.Depth), r.published)
}
