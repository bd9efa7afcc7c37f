package study

import (
	"context"
	"fmt"
	"math"

	"kroo/engine/search"
	"kroo/internal/parallel"
)

// treeCount is the size of a searched tree and the time of the search. Leaves are the positions
// where the search stops: those it evaluates, and ends of games.
type treeCount struct {
	name    string
	leaves  int64
	nodes   int64 // positions visited, including leaves
	seconds float64
}

// tree is a search whose trees are counted.
type tree[P any] struct {
	name  string
	count func(ctx context.Context, p P, depth int) treeCount
}

// treeTableBytes is the size of the hash tables of trees.
const treeTableBytes = 4 << 20

// trees returns the searches by alpha-beta with each ordering of moves, by the best ordering with a
// hash table, and by the engine, full-width and with its own.
func (s Subject[P]) trees() (list []tree[P]) {
	plain := func(name string, order orderer[P], quiet func() *quietOrder) {
		list = append(list, tree[P]{name, func(ctx context.Context, p P, depth int) treeCount {
			a := s.alphaBeta(ctx, order, nil, depth)
			a.quiet = quiet()
			took := measured(func() { a.search(p, depth, -infinity, infinity, 0) })
			return treeCount{leaves: a.leaves, nodes: a.nodes, seconds: took}
		}})
	}
	for _, o := range s.Orderings {
		plain(o.Name, o.order, func() *quietOrder { return nil })
	}
	if s.killers {
		plain(s.best().Name+", killers", s.best().order, func() *quietOrder { return newQuietOrder(true, false) })
	}
	if s.history {
		plain(s.best().Name+", history", s.best().order, func() *quietOrder { return newQuietOrder(false, true) })
	}
	return append(list, tree[P]{s.best().Name + ", hash table", s.hashTree}, tree[P]{"engine", s.engineTree})
}

// hashTree searches by iterative deepening with the best ordering and a table under scheme 1. It
// counts the leaves of the last iteration, and the positions and time of all.
func (s Subject[P]) hashTree(ctx context.Context, p P, depth int) (c treeCount) {
	t := newSchemeTable(schemes[0], treeTableBytes)
	t.newSearch()
	a := s.alphaBeta(ctx, s.best().order, t, depth)
	took := measured(func() {
		for d := 1; d <= depth; d++ {
			a.leaves = 0
			a.search(p, d, -infinity, infinity, 0)
		}
	})
	return treeCount{leaves: a.leaves, nodes: a.nodes, seconds: took}
}

// engineTree searches with the engine, which does not count leaves.
func (s Subject[P]) engineTree(ctx context.Context, p P, depth int) treeCount {
	engine := search.NewSearcher(s.knowledge(), search.Options{HashMB: treeTableBytes >> 20, FullWidth: true})
	var r search.Result
	took := measured(func() { r = engine.Search(ctx, p, nil, search.Limits{Depth: depth}, search.Query{}) })
	return treeCount{nodes: r.Nodes, seconds: took}
}

// sumTrees sums the trees over positions, and the leaves of the full tree if countFull.
func (s Subject[P]) sumTrees(ctx context.Context, positions []P, depth int, countFull bool, workers int, progress parallel.Progress) (full float64, sums []treeCount, err error) {
	trees := s.trees()
	counts := make([][]treeCount, len(positions))
	fulls := make([]int64, len(positions))
	err = forEach(ctx, len(positions), workers, progress, func(i int) error {
		if countFull {
			fulls[i] = s.perft(positions[i], depth)
		}
		for _, t := range trees {
			counts[i] = append(counts[i], t.count(ctx, positions[i], depth))
		}
		return ctx.Err()
	})
	if err != nil {
		return 0, nil, err
	}
	for _, t := range trees {
		sums = append(sums, treeCount{name: t.name})
	}
	for i, list := range counts {
		full += float64(fulls[i])
		for k, c := range list {
			sums[k].leaves += c.leaves
			sums[k].nodes += c.nodes
			sums[k].seconds += c.seconds
		}
	}
	return full, sums, nil
}

// errNoLine is returned if every game ends before that depth.
func errNoLine(depth int) error {
	return fmt.Errorf("no line of %d plies from the positions: expected a smaller depth", depth)
}

// branching returns the depth-th root of a tree's mean size.
func branching(size float64, positions, depth int) float64 {
	return math.Pow(size/float64(positions), 1/float64(depth))
}

// minimalLeaves returns the number of leaves of a tree of branching b that alpha-beta evaluates with
// the best order of moves (Knuth and Moore 1975): b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
func minimalLeaves(b float64, depth int) float64 {
	half := float64(depth) / 2
	return math.Pow(b, math.Ceil(half)) + math.Pow(b, math.Floor(half)) - 1
}
