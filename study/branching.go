package study

import (
	"context"
	"fmt"
	"math"

	"kroo/engine/search"
	"kroo/report"
)

// BranchingConfig says what [Branching] counts.
type BranchingConfig struct {
	Rules     string
	Positions int // from generated games
	Seed      uint64
	Depth     int // plies
	Workers   int // 0 is one a processor
}

// BranchingResult is the size of trees of one depth, over all positions.
type BranchingResult struct {
	Positions int        `json:"positions"`
	Depth     int        `json:"depth"`
	Trees     []TreeSize `json:"trees"`

	published string
}

// TreeSize is a kind of tree.
type TreeSize struct {
	Name      string  `json:"name"`
	Nodes     float64 `json:"nodes"`     // of all positions together
	Branching float64 `json:"branching"` // the depth-th root of their mean
}

// Branching counts, from positions of generated games: the leaves of the full
// tree; the minimal tree that D. Knuth and R. Moore (An analysis of alpha-beta
// pruning, 1975) derive from its branching b, b^⌈d/2⌉ + b^⌊d/2⌋ − 1; the
// positions that alpha-beta visits with each ordering of moves, and those that
// the engine visits, full-width and with its table.
func Branching[P search.Position[P]](ctx context.Context, s Subject[P], c BranchingConfig, progress Progress) (*BranchingResult, error) {
	positions, err := Positions(ctx, s, c.Rules, c.Positions, c.Seed)
	if err != nil {
		return nil, err
	}
	counts := make([][]int64, len(positions)) // full, each ordering, engine
	err = forEach(ctx, len(positions), c.Workers, progress, func(i int) error {
		counts[i] = s.treeSizes(ctx, positions[i], c.Depth)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	sums := make([]float64, len(s.Orderings)+2)
	for _, list := range counts {
		for k, n := range list {
			sums[k] += float64(n)
		}
	}
	if sums[0] == 0 {
		return nil, fmt.Errorf("study: no line of %d plies from the positions: expected a smaller depth", c.Depth)
	}
	r := &BranchingResult{Positions: len(positions), Depth: c.Depth, published: s.Published.Branching}
	add := func(name string, nodes float64) float64 {
		b := math.Pow(nodes/float64(len(positions)), 1/float64(c.Depth))
		r.Trees = append(r.Trees, TreeSize{name, nodes, b})
		return b
	}
	b := add("full tree", sums[0])
	half := float64(c.Depth) / 2
	add("minimal tree", float64(len(positions))*(math.Pow(b, math.Ceil(half))+math.Pow(b, math.Floor(half))-1))
	for k, o := range s.Orderings {
		add(o.Name, sums[k+1])
	}
	add("engine", sums[len(s.Orderings)+1])
	return r, nil
}

// treeSizes are the sizes of the trees of a position: full, with each ordering,
// and the engine's.
func (s Subject[P]) treeSizes(ctx context.Context, p P, depth int) []int64 {
	list := []int64{s.Perft(p, depth)}
	for _, o := range s.Orderings {
		a := s.alphaBeta(ctx, o.order, nil, depth)
		a.search(p, depth, -infinity, infinity, 0)
		list = append(list, a.nodes)
	}
	engine := search.NewSearcher(s.knowledge(), search.Options{HashMB: 4, FullWidth: true})
	return append(list, engine.Search(ctx, p, nil, search.Limits{Depth: depth}, search.Query{}).Nodes)
}

// Rows has a line a tree.
func (r *BranchingResult) Rows() [][]string {
	rows := [][]string{{"tree", "positions visited", "branching"}}
	for _, t := range r.Trees {
		rows = append(rows, []string{t.Name, fmt.Sprintf("%.0f", t.Nodes), fmt.Sprintf("%.3f", t.Branching)})
	}
	return rows
}

// Note has the published figures.
func (r *BranchingResult) Note() string {
	return note(fmt.Sprintf("%d positions of generated games, depth %d. Full tree: leaves; the others: positions visited. The engine's is full-width, with all the iterations before and its table.", r.Positions, r.Depth), r.published)
}

// Chart shows the branching of each tree.
func (r *BranchingResult) Chart() report.Chart {
	c := report.Chart{Name: "study-branching", Title: "Branching of search trees", Line: fmt.Sprintf("%d positions, depth %d; trees from left to right as in the key", r.Positions, r.Depth), X: "tree", Y: "branching"}
	for i, t := range r.Trees {
		c.Curves = append(c.Curves, report.Curve{Name: t.Name, Points: []report.Point{{X: float64(i + 1), Y: 0}, {X: float64(i + 1), Y: t.Branching}}})
	}
	return c
}
