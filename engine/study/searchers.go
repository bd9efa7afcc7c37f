package study

import (
	"context"
	"runtime"
	"time"

	"kroo/engine/search"
	"kroo/games"
)

// cost is the cost of searches. Fields that a search does not count are 0.
type cost struct {
	score   int // of the last search
	nodes   int64
	leaves  int64 // positions evaluated, and ends of games
	seconds float64
}

// visitFunc searches a position to a depth.
type visitFunc[P any] func(p P, depth int) cost

// searcher is a search to be measured. fresh makes one that has searched nothing yet.
type searcher[P any] struct {
	name  string
	fresh func() visitFunc[P]
}

// timed runs a fresh search and measures its time, where the system measures it per thread as
// processor time, so that other work on the machine has little effect; elsewhere as wall-clock time.
func (s searcher[P]) timed(p P, depth int) cost {
	visit := s.fresh()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := threadTime()
	c := visit(p, depth)
	c.seconds = (threadTime() - begin).Seconds()
	return c
}

// processStart is the origin of wall-clock times.
var processStart = time.Now()

// plain makes a searcher of a search without memory.
func plain[P any](name string, f visitFunc[P]) searcher[P] {
	return searcher[P]{name, func() visitFunc[P] { return f }}
}

// full counts the leaves of the tree of all moves.
func (s Subject[P]) full() searcher[P] {
	return plain("full tree", func(p P, depth int) cost {
		if s.game.Perft != nil {
			return cost{leaves: s.game.Perft(p, depth)}
		}
		return cost{leaves: games.Perft(p, depth)}
	})
}

// ordered is alpha-beta with an ordering of moves; hashed by iterative deepening with a hash table.
func (s Subject[P]) ordered(ctx context.Context, o ordering[P], hashed bool) searcher[P] {
	name := o.name
	if hashed {
		name += ", hash table"
	}
	return searcher[P]{name, func() visitFunc[P] {
		a := alphaBeta[P]{ctx: ctx, eval: s.eval.Evaluator, order: o.order}
		if hashed {
			a.table = newTable()
		}
		return a.visit
	}}
}

// engine is the engine's search with options.
func (s Subject[P]) engine(ctx context.Context, name string, o search.Options) searcher[P] {
	return searcher[P]{name, func() visitFunc[P] {
		own := search.NewSearcher(s.eval.Knowledge(), o)
		return func(p P, depth int) cost {
			r := own.Search(ctx, p, nil, search.Limits{Depth: depth}, search.Query{})
			return cost{score: r.Score, nodes: r.Nodes}
		}
	}}
}

// textbooks is the number of algorithms, the first ones, that must find equal values.
const textbooks = 3

// algorithms are the algorithms that [Algorithms] compares.
func (s Subject[P]) algorithms(ctx context.Context, hashMB int) (list []searcher[P]) {
	for _, t := range []search.Textbook{search.TextbookMinimax, search.TextbookAlphaBeta, search.TextbookNegascout} {
		list = append(list, plain(string(t), func(p P, depth int) (c cost) {
			c.score, c.nodes = search.SearchTextbook(ctx, t, p, nil, depth, s.eval.Evaluator)
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
