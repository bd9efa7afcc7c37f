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
	Sizes []int `name:"sizes" default:"64,512,4096" range:"1..4194304" help:"of the tables, in KiB"`
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

// tableRun is a search of stretches of positions that share a table.
type tableRun[P any] struct {
	line   TableLine
	search func(stretch []P) (nodes, lookups, found int64)
}

// tableRuns returns the searches without a hash table, with each replacement scheme and size, and of
// the engine.
func (s Subject[P]) tableRuns(ctx context.Context, c TablesConfig) []tableRun[P] {
	runs := []tableRun[P]{{TableLine{Scheme: "none"}, func(list []P) (int64, int64, int64) {
		return s.deepen(ctx, list, c.Depth, nil), 0, 0
	}}}
	for _, kib := range c.Sizes {
		for _, scheme := range schemes {
			runs = append(runs, tableRun[P]{TableLine{Scheme: scheme.name, KiB: kib}, func(list []P) (int64, int64, int64) {
				t := newSchemeTable(scheme, kib<<10)
				return s.deepen(ctx, list, c.Depth, t), t.lookups, t.found
			}})
		}
	}
	return append(runs, tableRun[P]{TableLine{Scheme: "engine, full width", KiB: 1024}, func(list []P) (nodes, lookups, found int64) {
		searcher := search.NewSearcher(s.knowledge(), search.Options{HashMB: 1, FullWidth: true})
		for _, p := range list {
			nodes += searcher.Search(ctx, p, nil, search.Limits{Depth: c.Depth}, search.Query{}).Nodes
		}
		return nodes, 0, 0
	}})
}

// Tables searches positions by iterative deepening with a hash table under each replacement scheme,
// without one, and with the engine.
func Tables[P search.Position[P]](ctx context.Context, s Subject[P], c TablesConfig, progress parallel.Progress) (*TablesResult, error) {
	positions, err := positions(ctx, s, c.Sample)
	if err != nil {
		return nil, err
	}
	r := &TablesResult{Positions: len(positions), Depth: c.Depth, from: s.origin(), published: s.Published.under(s.rules(c.Rules)).Tables}
	// Consecutive positions of a game share a table as in play: that is the purpose of ageing.
	stretches := slices.Collect(slices.Chunk(positions, stretch))
	runs := s.tableRuns(ctx, c)
	for k, run := range runs {
		line := run.line
		counts := make([][3]int64, len(stretches))
		took := make([]float64, len(stretches))
		err := forEach(ctx, len(stretches), c.Workers, progress.Part(k, len(runs)), func(i int) error {
			took[i] = measured(func() {
				nodes, lookups, found := run.search(stretches[i])
				counts[i] = [3]int64{nodes, lookups, found}
			})
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		var lookups, found int64
		for i, n := range counts {
			line.Seconds += took[i] / float64(len(positions))
			line.Nodes, lookups, found = line.Nodes+n[0], lookups+n[1], found+n[2]
		}
		if lookups > 0 {
			line.HitRate = float64(found) / float64(lookups)
		}
		r.Lines = append(r.Lines, line)
	}
	return r, nil
}

// stretch is the number of positions that share a table.
const stretch = 10

// deepen searches each position to each depth in turn and returns the number of positions visited. t
// may be nil.
func (s Subject[P]) deepen(ctx context.Context, list []P, depth int, t *schemeTable) int64 {
	var table hashTable
	if t != nil {
		table = t
	}
	a := s.alphaBeta(ctx, s.best().order, table, depth)
	for _, p := range list {
		if t != nil {
			t.newSearch()
		}
		for d := 1; d <= depth; d++ {
			a.search(p, d, -infinity, infinity, 0)
		}
	}
	return a.nodes
}

// Doc has a line per scheme and size.
func (r *TablesResult) Doc() *doc.Doc {
	t := doc.NewTable("scheme", "KiB", "positions visited", "hit rate", "ms a search")
	chart := report.Chart{Name: "study-table", Title: "Time of a search by replacement scheme", Line: fmt.Sprintf("%d positions, iterative depth %d", r.Positions, r.Depth), X: "size of the table, as a power of two KiB", Y: "milliseconds a search"}
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
