package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/engine/search"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/report"
)

// OrdersConfig configures [Orders].
type OrdersConfig struct {
	Sample
	Depth     int `name:"depth" default:"9" range:"2..40" help:"plies"` // at most
	FullDepth int `name:"full_depth" default:"7" range:"1..40" help:"count the full tree to this depth"`
}

// OrdersResult has a line per depth and tree, over all positions.
type OrdersResult struct {
	Positions int         `json:"positions"`
	FullDepth int         `json:"full_depth"`
	Lines     []OrderLine `json:"lines"`

	published string
	from      string // source of the positions
}

// OrderLine is one kind of tree at one depth: means per position. Fields that are not counted are 0.
type OrderLine struct {
	Depth     int     `json:"depth"`
	Tree      string  `json:"tree"`
	Leaves    float64 `json:"leaves"`
	Minimal   float64 `json:"minimal"`   // ratio of leaves to the minimal tree's
	Branching float64 `json:"branching"` // the depth-th root of the leaves, or else of the nodes
	Nodes     float64 `json:"nodes"`     // positions visited
	Seconds   float64 `json:"seconds"`
}

// tableMB is the size of hash tables in MiB.
const tableMB = 4

// trees returns the searches whose trees [Orders] counts.
func (s Subject[P]) trees(ctx context.Context) (list []searcher[P]) {
	var t search.Textbook[P]
	for _, o := range s.orderings {
		t = search.Textbook[P]{Algorithm: search.TextbookAlphaBeta, Order: o.order}
		list = append(list, s.textbook(ctx, o.name, t))
	}
	t.HashMB = tableMB
	return append(list, s.textbook(ctx, list[len(list)-1].name+", hash table", t),
		s.engine(ctx, "engine", search.Options{HashMB: tableMB, FullWidth: true}))
}

// Orders counts trees by depth and times the searches: the full tree, to FullDepth; the minimal tree
// that D. Knuth and R. Moore (An analysis of alpha-beta pruning, 1975) derive from its branching at
// this depth or the last that is counted; those of alpha-beta with each ordering of moves, and with
// the best one and a hash table; and the engine's, full-width and with its own table.
func Orders[P search.Position[P]](
	ctx context.Context, s Subject[P], c OrdersConfig, progress parallel.Progress,
) (*OrdersResult, error) {
	sample, err := positions(ctx, s, c.Sample)
	if err != nil {
		return nil, err
	}
	r := &OrdersResult{
		Positions: len(sample),
		FullDepth: min(c.FullDepth, c.Depth),
		from:      "generated games",
		published: s.published.under(s.rules(c.Rules)).orders,
	}
	if s.recorded != nil {
		r.from = "recorded games"
	}
	searchers, b := append([]searcher[P]{s.full()}, s.trees(ctx)...), 0.0
	for depth := 1; depth <= c.Depth; depth++ {
		if depth == r.FullDepth+1 {
			searchers = searchers[1:]
		}
		lines, err := measure(ctx, searchers, sample, depth, c.Workers, progress.Part(depth-1, c.Depth))
		if err != nil {
			return nil, err
		}
		at := 0
		if depth <= r.FullDepth {
			if lines[0].Leaves == 0 {
				return nil, fmt.Errorf("no line of %d plies from the positions: expected a smaller depth", depth)
			}
			at, b = 1, lines[0].Branching
		}
		minimal := minimalLeaves(b, depth)
		for _, l := range slices.Insert(lines, at,
			OrderLine{Depth: depth, Tree: "minimal tree", Leaves: minimal, Branching: branching(minimal, depth)}) {
			l.Minimal = l.Leaves / minimal
			r.Lines = append(r.Lines, l)
		}
	}
	return r, nil
}

// measure searches positions to a depth with every searcher, and returns the means of each.
func measure[P any](
	ctx context.Context, searchers []searcher[P], sample []P, depth, workers int, progress parallel.Progress,
) ([]OrderLine, error) {
	lines, n := make([]OrderLine, len(searchers)), len(sample)
	for k, s := range searchers {
		lines[k] = OrderLine{Depth: depth, Tree: s.name}
	}
	tally := progress.Tally(0, int64(len(searchers)*n))
	err := parallel.Collect(ctx, workers, parallel.Numbers(len(searchers)*n),
		func(ctx context.Context, _, i int) (cost, error) {
			return searchers[i/n].timeSearch(sample[i%n], depth), ctx.Err()
		}, func(i int, c cost) error {
			l := &lines[i/n]
			l.Leaves += float64(c.leaves)
			l.Nodes += float64(c.nodes)
			l.Seconds += c.seconds
			tally.Add(1)
			return nil
		})
	for k := range lines {
		l := &lines[k]
		l.Leaves /= float64(n)
		l.Nodes /= float64(n)
		l.Seconds /= float64(n)
		l.Branching = branching(cmp.Or(l.Leaves, l.Nodes), depth)
	}
	return lines, err
}

// branching returns the depth-th root of a tree's size.
func branching(size float64, depth int) float64 { return math.Pow(size, 1/float64(depth)) }

// minimalLeaves returns the number of leaves of a tree of branching b that alpha-beta evaluates with
// the best order of moves (Knuth and Moore 1975): b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
func minimalLeaves(b float64, depth int) float64 {
	half := float64(depth) / 2
	return math.Pow(b, math.Ceil(half)) + math.Pow(b, math.Floor(half)) - 1
}

// Doc has a line per depth and tree.
func (r *OrdersResult) Doc() *outline.Doc {
	t := outline.NewTable("depth", "tree", "leaves", "of the minimal tree", "branching", "positions visited", "ms",
		"million positions/s")
	chart := report.Chart{
		Name:  "study-orders",
		Title: "Time of a search by order of moves",
		Line:  fmt.Sprintf("%d positions", r.Positions),
		X:     "depth, plies",
		Y:     "milliseconds per position",
		Log:   true,
	}
	for _, l := range r.Lines {
		row := []any{l.Depth, l.Tree, "", "", fmt.Sprintf("%.3f", l.Branching), "", "", ""}
		if l.Leaves > 0 {
			row[2], row[3] = fmt.Sprintf("%.1f", l.Leaves), fmt.Sprintf("%.2f", l.Minimal)
		}
		if l.Nodes > 0 {
			row[5], row[6] = fmt.Sprintf("%.1f", l.Nodes), fmt.Sprintf("%.3f", 1000*l.Seconds)
			row[7] = fmt.Sprintf("%.2f", l.Nodes/l.Seconds/1e6)
			chart.Add(l.Tree, float64(l.Depth), 1000*l.Seconds)
		}
		t.Add(row...)
	}
	return docOf(r, t, chart,
		fmt.Sprintf("%d positions of %s; means per position. Leaves: positions that the search evaluates, and ends "+
			"of games; branching: their root. The full tree is counted to depth %d; beyond it, the minimal tree is "+
			"derived from its branching there. With a hash table: positions and time of all iterations, leaves of "+
			"the last. The engine searches full-width with its table; its branching is the root of the positions "+
			"of all iterations. Times are processor times.", r.Positions, r.from, r.FullDepth), r.published)
}
