package study

import (
	"context"
	"runtime"
	"time"

	"kroo/engine/search"
	"kroo/internal/parallel"
)

// cost is the cost of searches. Fields that a search does not count are 0.
type cost struct {
	score          int // of the last search
	nodes          int64
	leaves         int64 // positions evaluated, and ends of games
	lookups, found int64 // in a hash table
	seconds        float64
}

func (c *cost) add(d cost) {
	c.nodes, c.leaves, c.lookups, c.found = c.nodes+d.nodes, c.leaves+d.leaves, c.lookups+d.lookups, c.found+d.found
	c.score, c.seconds = d.score, c.seconds+d.seconds
}

// searcher is a search to be measured. start makes one for a goroutine.
type searcher[P any] struct {
	name  string
	start func() measured[P]
}

// measured searches positions. Clear must be called before the first.
type measured[P any] interface {
	Clear() // forgets earlier searches
	visit(p P, depth int) cost
}

// timed adds the time of a search to its cost.
func timed[P any](m measured[P], p P, depth int) (c cost) {
	seconds := processorTime(func() { c = m.visit(p, depth) })
	c.seconds = seconds
	return c
}

// processorTime returns the processor time of f in seconds, where the system measures it per thread,
// so that other work on the machine has little effect; elsewhere it is wall-clock time. f must not
// do its work in other goroutines.
func processorTime(f func()) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := threadTime()
	f()
	return (threadTime() - begin).Seconds()
}

// processStart is the origin of wall-clock times.
var processStart = time.Now()

// measure searches lists of positions to a depth with every searcher, and returns the costs by
// searcher and list. The positions of a list share hash tables. 0 workers means one per processor.
func measure[P any](ctx context.Context, searchers []searcher[P], lists [][]P, depth, workers int, progress parallel.Progress) ([][]cost, error) {
	costs := make([][]cost, len(searchers))
	for k := range costs {
		costs[k] = make([]cost, len(lists))
	}
	type held struct {
		searcher int
		measured[P]
	}
	own := make([]held, parallel.Workers(workers)) // one each: tables may be large
	tally := progress.Tally(0, int64(len(searchers)*len(lists)))
	return costs, parallel.Collect(ctx, len(own), parallel.Numbers(len(searchers)*len(lists)), func(ctx context.Context, worker, i int) (c cost, err error) {
		h, k := &own[worker], i/len(lists)
		if h.measured == nil || h.searcher != k {
			*h = held{k, searchers[k].start()}
		}
		h.Clear()
		for _, p := range lists[i%len(lists)] {
			c.add(timed(h.measured, p, depth))
		}
		return c, ctx.Err()
	}, func(i int, c cost) error {
		costs[i/len(lists)][i%len(lists)] = c
		tally.Add(1)
		return nil
	})
}

// sum adds costs up.
func sum(list []cost) (total cost) {
	for _, c := range list {
		total.add(c)
	}
	return total
}

// visitFunc is a search without memory.
type visitFunc[P any] func(p P, depth int) cost

// Clear implements [measured].
func (visitFunc[P]) Clear() {}

func (f visitFunc[P]) visit(p P, depth int) cost { return f(p, depth) }

// plain makes a searcher of a function.
func plain[P any](name string, f visitFunc[P]) searcher[P] {
	return searcher[P]{name, func() measured[P] { return f }}
}

// ordered is alpha-beta with an ordering of moves.
func (s Subject[P]) ordered(ctx context.Context, o ordering[P]) searcher[P] {
	return searcher[P]{o.name, func() measured[P] {
		return &alphaBeta[P]{ctx: ctx, eval: s.eval.Evaluator, ordering: o}
	}}
}

// deepened is alpha-beta with the best ordering of moves, by iterative deepening with a hash table
// of a number of bytes; scheme nil means without one.
func (s Subject[P]) deepened(ctx context.Context, name string, t *scheme, bytes int) searcher[P] {
	return searcher[P]{name, func() measured[P] {
		return &alphaBeta[P]{ctx: ctx, eval: s.eval.Evaluator, ordering: s.best(), scheme: t, bytes: bytes, deepens: true}
	}}
}

// engineSearch is the engine's search.
type engineSearch[P search.Position[P]] struct {
	*search.Searcher[P]
	ctx context.Context
}

func (e engineSearch[P]) visit(p P, depth int) cost {
	r := e.Search(e.ctx, p, nil, search.Limits{Depth: depth}, search.Query{})
	return cost{score: r.Score, nodes: r.Nodes}
}

// engine is the engine's search with options.
func (s Subject[P]) engine(ctx context.Context, name string, o search.Options) searcher[P] {
	return searcher[P]{name, func() measured[P] {
		return engineSearch[P]{search.NewSearcher(s.eval.Knowledge(), o), ctx}
	}}
}

// textbooks is the number of algorithms, the first ones, that must find equal values.
const textbooks = 4

// algorithms are the algorithms that [Algorithms] and [Plies] compare.
func (s Subject[P]) algorithms(ctx context.Context, hashMB int) (list []searcher[P]) {
	for _, t := range []struct {
		name string
		search.Textbook
	}{
		{"minimax", search.TextbookMinimax}, {"alpha-beta", search.TextbookAlphaBeta},
		{"negascout", search.TextbookNegascout}, {"mtdf", search.TextbookMTDF},
	} {
		list = append(list, plain(t.name, func(p P, depth int) (c cost) {
			c.score, c.nodes = search.SearchTextbook(ctx, t.Textbook, p, nil, depth, s.eval.Evaluator)
			return c
		}))
	}
	for _, l := range s.Listings {
		list = append(list, plain(l.Name, func(p P, depth int) (c cost) {
			c.score, c.nodes = l.search(ctx, s.eval.Evaluator, p, depth)
			return c
		}))
	}
	return append(list,
		s.engine(ctx, "engine, full width", search.Options{HashMB: hashMB, FullWidth: true}),
		s.engine(ctx, "engine", search.Options{HashMB: hashMB}))
}
