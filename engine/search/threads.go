package search

import (
	"context"
	"sync"
	"sync/atomic"
)

// Threads search the same root concurrently and share results through the hash table
// (lazy SMP). To avoid duplicate work, each thread marks the move it is searching, and
// the others defer marked moves to the end of their lists. By then the result is usually
// in the table (a simplified ABDADA, Weill 1996).
//
// Two threads of equal speed reach a depth of the bench positions in 0.56 to 0.59 of the
// nodes of one (full width 16: 0.56, selective 19 to 21: 0.57, 0.59, 0.56; interleaved
// on one core). Helpers that search a ply deeper instead need 0.88 and 0.71.

// markDepth is the minimum depth at which a searcher marks moves.
const markDepth = 3

// marks are the moves being searched: a table of hashes, 0 where empty. Marks may overwrite
// each other: at worst two threads search the same move.
type marks [1 << 14]atomic.Uint64

func (m *marks) place(hash uint64) *atomic.Uint64 { return &m[hash%uint64(len(m))] }

// mark marks the move to child, searched to the given depth, for the other threads and
// returns its hash; 0 with a single thread. If another thread has marked the move, later is
// true: the caller must defer it. A deferred move is not deferred again.
func (s *Searcher[P]) mark(child P, depth int, priority int32) (hash uint64, later bool) {
	if s.marks == nil || depth < markDepth {
		return 0, false
	}
	hash = child.Key() + uint64(depth)*0x9e37_79b9_7f4a_7c15
	place := s.marks.place(hash)
	if !deferred(priority) && place.Load() == hash {
		return 0, true
	}
	place.Store(hash)
	return hash, false
}

// unmark removes a mark.
func (s *Searcher[P]) unmark(hash uint64) {
	if hash != 0 {
		s.marks.place(hash).CompareAndSwap(hash, 0)
	}
}

// share makes a searcher and its helpers share table and marks.
func (s *Searcher[P]) share() {
	s.table.shared = true
	s.marks = new(marks)
	for _, h := range s.helpers {
		h.marks = s.marks
	}
}

// startHelpers starts the helpers. The returned function stops them and waits for them.
func (s *Searcher[P]) startHelpers(ctx context.Context, root P, history []P, q Query) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	for _, h := range s.helpers {
		h.draw = s.draw
		h.published.Store(0)
		h.clock.start(ctx, Limits{})
		h.setRoot(root, history)
		h.setLines(root, q.Only)
		working.Go(func() { h.help(q.AllMoves) })
	}
	return func() {
		cancel()
		working.Wait()
	}
}

// help searches with increasing depth until it is stopped.
func (s *Searcher[P]) help(all bool) {
	for depth := 1; depth <= MaxPly && s.iterate(depth, all); depth += s.step {
		s.published.Store(s.clock.nodes)
		if s.conclusive(all) {
			return
		}
	}
	s.published.Store(s.clock.nodes)
}

// helperNodes returns the nodes that the helpers have published.
func (s *Searcher[P]) helperNodes() (nodes int64) {
	for _, h := range s.helpers {
		nodes += h.published.Load()
	}
	return nodes
}
