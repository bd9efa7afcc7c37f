package search

import (
	"context"
	"sync"
	"sync/atomic"
)

// Threads search the same root at the same time and share the hash table: what
// one has found, another need not search (lazy SMP). So that they do not all
// search the same moves, each marks the move it is searching, and the others
// defer marked moves to the end of their lists. By then the result is usually in
// the table (ABDADA, Weill 1996, in a simpler form).
//
// Two threads of equal speed reach a depth of the bench positions in 0.56 to
// 0.59 of the nodes of one (full width 16: 0.56, selective 19 to 21: 0.57,
// 0.59, 0.56; both interleaved on one core). Helpers that search a ply deeper
// instead need 0.88 and 0.71.

// markDepth is the least depth at which a searcher marks moves.
const markDepth = 3

// marks are the moves being searched, a hash each at a place that the hash
// gives; 0 for none. One may overwrite another: at worst two threads search the
// same move.
type marks [1 << 14]atomic.Uint64

func (m *marks) place(hash uint64) *atomic.Uint64 { return &m[hash%uint64(len(m))] }

// mark announces to the other threads the move to child, searched to the given
// depth, and returns its hash, 0 if there are no other threads. If another thread
// has marked the move, mark asks the caller to defer it instead. A deferred move
// is not deferred again.
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

// unmark takes a mark back.
func (s *Searcher[P]) unmark(hash uint64) {
	if hash != 0 {
		s.marks.place(hash).CompareAndSwap(hash, 0)
	}
}

// share prepares a searcher and its helpers to search together.
func (s *Searcher[P]) share() {
	s.table.shared = true
	s.marks = new(marks)
	for _, h := range s.helpers {
		h.marks = s.marks
	}
}

// startHelpers starts the helpers. The function it returns stops them and waits
// for them.
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

// help searches deeper and deeper until it is stopped.
func (s *Searcher[P]) help(all bool) {
	for depth := 1; depth <= MaxPly && s.iterate(depth, all); depth += s.step {
		s.published.Store(s.clock.nodes)
		if s.conclusive(Limits{}, all) {
			return
		}
	}
	s.published.Store(s.clock.nodes)
}

// helped is the nodes of the helpers, as far as they have published them.
func (s *Searcher[P]) helped() (nodes int64) {
	for _, h := range s.helpers {
		nodes += h.published.Load()
	}
	return nodes
}
