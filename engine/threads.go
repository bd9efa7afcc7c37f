package engine

import (
	"context"
	"sync"
)

// Threads search the same root at the same time and know of each other only by
// the table: what one has found, another need not search (lazy SMP). Helpers
// run ahead by one ply or two, so that they are not all at the same place.

// startHelpers sets the helpers to work. The function returned ends their work
// and waits for that.
func (s *Searcher[P]) startHelpers(ctx context.Context, root P, history []P, q Query) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	for i, h := range s.helpers {
		h.draw = s.draw
		h.published.Store(0)
		h.clock.start(ctx, Limits{})
		h.setRoot(root, history)
		h.setLines(root, q.Only)
		working.Go(func() { h.help(2+i%2, q.AllMoves) })
	}
	return func() {
		cancel()
		working.Wait()
	}
}

// help searches deeper and deeper until it is stopped.
func (s *Searcher[P]) help(depth int, all bool) {
	for ; depth <= MaxPly && s.iterate(depth, all); depth++ {
		s.published.Store(s.clock.nodes)
		if s.settled(Limits{}, all) {
			return
		}
	}
	s.published.Store(s.clock.nodes)
}

// helped is the nodes of the helpers, as far as they have told.
func (s *Searcher[P]) helped() (nodes int64) {
	for _, h := range s.helpers {
		nodes += h.published.Load()
	}
	return nodes
}
