package study

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// BranchingConfig configures [Branching].
type BranchingConfig struct {
	Sample
	Depth int `name:"depth" default:"9" range:"2..40" help:"plies"`
}

// BranchingResult is the size of trees of one depth, over all positions.
type BranchingResult struct {
	Positions int        `json:"positions"`
	Depth     int        `json:"depth"`
	Trees     []TreeSize `json:"trees"`

	published string
	from      string // source of the positions
}

// TreeSize is the size of one kind of tree.
type TreeSize struct {
	Name      string  `json:"name"`
	Leaves    float64 `json:"leaves,omitempty"` // total over all positions; 0 if not counted
	Nodes     float64 `json:"nodes,omitempty"`  // positions visited, total; 0 if not counted
	Branching float64 `json:"branching"`        // the depth-th root of the mean of the leaves, or else of the nodes
}

// Branching counts, from positions of generated games: the leaves of the full tree; the minimal tree
// that D. Knuth and R. Moore (An analysis of alpha-beta pruning, 1975) derive from its branching;
// the positions that alpha-beta evaluates and visits with each ordering of moves, and with the best
// one and a hash table; and the positions that the engine visits, full-width and with its table.
func Branching[P search.Position[P]](ctx context.Context, s Subject[P], c BranchingConfig, progress parallel.Progress) (*BranchingResult, error) {
	positions, err := positions(ctx, s, c.Sample)
	if err != nil {
		return nil, err
	}
	full, sums, err := s.sumTrees(ctx, positions, c.Depth, true, c.Workers, progress)
	if err != nil {
		return nil, err
	}
	if full == 0 {
		return nil, errNoLine(c.Depth)
	}
	r := &BranchingResult{Positions: len(positions), Depth: c.Depth, from: s.origin(), published: s.Published.under(s.rules(c.Rules)).Branching}
	n := len(positions)
	b := branching(full, n, c.Depth)
	minimal := minimalLeaves(b, c.Depth)
	r.Trees = []TreeSize{
		{Name: "full tree", Leaves: full, Branching: b},
		{Name: "minimal tree", Leaves: float64(n) * minimal, Branching: math.Pow(minimal, 1/float64(c.Depth))},
	}
	for _, t := range sums {
		size := TreeSize{Name: t.name, Leaves: float64(t.leaves), Nodes: float64(t.nodes)}
		size.Branching = branching(cmp.Or(size.Leaves, size.Nodes), n, c.Depth)
		r.Trees = append(r.Trees, size)
	}
	return r, nil
}

// Doc has a line per tree, and the published figures.
func (r *BranchingResult) Doc() *doc.Doc {
	t := doc.NewTable("tree", "leaves", "of the minimal tree", "positions visited", "branching")
	chart := report.Chart{Name: "study-branching", Title: "Branching of search trees", Line: fmt.Sprintf("%d positions, depth %d; trees from left to right as in the key", r.Positions, r.Depth), X: "tree", Y: "branching"}
	for i, tree := range r.Trees {
		row := []any{tree.Name, "", "", "", fmt.Sprintf("%.3f", tree.Branching)}
		if tree.Leaves > 0 {
			row[1], row[2] = fmt.Sprintf("%.0f", tree.Leaves), fmt.Sprintf("%.2f", tree.Leaves/r.Trees[1].Leaves)
		}
		if tree.Nodes > 0 {
			row[3] = fmt.Sprintf("%.0f", tree.Nodes)
		}
		t.Add(row...)
		chart.Add(tree.Name, float64(i+1), 0)
		chart.Add(tree.Name, float64(i+1), tree.Branching)
	}
	return docOf(r, t, chart, fmt.Sprintf("%d positions of %s, depth %d. Leaves: positions that the search evaluates, and ends of games; branching is their root. With a hash table: positions of all iterations, leaves of the last. The engine's tree is full-width, with its table and the positions of all iterations, of which its branching is the root.", r.Positions, r.from, r.Depth), r.published)
}
