package study

import (
	"context"
	"fmt"

	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// OrdersConfig configures [Orders].
type OrdersConfig struct {
	Sample
	Depth     int  `name:"depth" default:"9" range:"2..40" help:"plies"` // at most
	FullDepth int  `name:"full_depth" default:"7" range:"1..40" help:"count the full tree to this depth"`
	Killers   bool `name:"killers" help:"also the best order with killer moves: quiet ones that cut last at that ply come first"`
	History   bool `name:"history" help:"also the best order with quiet moves by their history: those first that have cut most"`
}

// OrdersResult has a line per depth and tree, over all positions.
type OrdersResult struct {
	Positions int         `json:"positions"`
	FullDepth int         `json:"full_depth"`
	Lines     []OrderLine `json:"lines"`

	published string
	from      string // source of the positions
}

// OrderLine is one kind of tree at one depth. Fields that are not counted are 0.
type OrderLine struct {
	Depth   int     `json:"depth"`
	Tree    string  `json:"tree"`
	Leaves  float64 `json:"leaves"`  // mean per position
	Minimal float64 `json:"minimal"` // ratio of leaves to the minimal tree's
	Nodes   float64 `json:"nodes"`   // positions visited, mean per position
	Seconds float64 `json:"seconds"` // mean per position
}

// Orders counts trees by depth, as [Branching] does for one depth, and times the searches. Beyond
// FullDepth the minimal tree is derived from the branching of the full tree there.
func Orders[P search.Position[P]](ctx context.Context, s Subject[P], c OrdersConfig, progress parallel.Progress) (*OrdersResult, error) {
	s.killers, s.history = c.Killers, c.History
	positions, err := positions(ctx, s, c.Sample)
	if err != nil {
		return nil, err
	}
	r := &OrdersResult{Positions: len(positions), FullDepth: min(c.FullDepth, c.Depth), from: s.origin(), published: s.Published.under(s.rules(c.Rules)).Orders}
	b := 0.0
	for depth := 1; depth <= c.Depth; depth++ {
		full, sums, err := s.sumTrees(ctx, positions, depth, depth <= c.FullDepth, c.Workers, progress.Part(depth-1, c.Depth))
		if err != nil {
			return nil, err
		}
		if depth <= c.FullDepth {
			if full == 0 {
				return nil, errNoLine(depth)
			}
			b = branching(full, len(positions), depth)
			r.add(OrderLine{Depth: depth, Tree: "full tree", Leaves: full / float64(len(positions))}, b)
		}
		r.add(OrderLine{Depth: depth, Tree: "minimal tree", Leaves: minimalLeaves(b, depth)}, b)
		for _, sum := range sums {
			n := float64(len(positions))
			r.add(OrderLine{Depth: depth, Tree: sum.name, Leaves: float64(sum.leaves) / n, Nodes: float64(sum.nodes) / n, Seconds: sum.seconds / n}, b)
		}
	}
	return r, nil
}

// add appends a line, with its ratio to the minimal tree of branching b.
func (r *OrdersResult) add(l OrderLine, b float64) {
	l.Minimal = l.Leaves / minimalLeaves(b, l.Depth)
	r.Lines = append(r.Lines, l)
}

// Doc has a line per depth and tree.
func (r *OrdersResult) Doc() *doc.Doc {
	t := doc.NewTable("depth", "tree", "leaves", "of the minimal tree", "positions visited", "ms", "million positions/s")
	chart := report.Chart{Name: "study-orders", Title: "Time of a search by order of moves", Line: fmt.Sprintf("%d positions", r.Positions), X: "depth, plies", Y: "milliseconds a position", Log: true}
	for _, l := range r.Lines {
		row := []any{l.Depth, l.Tree, "", "", "", "", ""}
		if l.Leaves > 0 {
			row[2], row[3] = fmt.Sprintf("%.1f", l.Leaves), fmt.Sprintf("%.2f", l.Minimal)
		}
		if l.Nodes > 0 {
			row[4], row[5] = fmt.Sprintf("%.1f", l.Nodes), fmt.Sprintf("%.3f", 1000*l.Seconds)
			row[6] = fmt.Sprintf("%.2f", l.Nodes/l.Seconds/1e6)
		}
		t.Add(row...)
		if l.Seconds > 0 {
			chart.Add(l.Tree, float64(l.Depth), 1000*l.Seconds)
		}
	}
	return docOf(r, t, chart, fmt.Sprintf("%d positions of %s; means per position. Leaves: positions that the search evaluates, and ends of games. The full tree is counted to depth %d; beyond it, the minimal tree is derived from its branching there. With a hash table, and the engine's: positions and time of all iterations, leaves of the last. Times are processor times.", r.Positions, r.from, r.FullDepth), r.published)
}
