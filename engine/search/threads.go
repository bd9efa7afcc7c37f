package search

import (
	"context"
	"sync"
	"sync/atomic"
)

// Threads search the same root at the same time and share the table: what one
// has found, another need not search (lazy SMP). So that they are not all at
// the same place, each announces the moves it is searching, and the others put
// those off to the end of their lists; by then the result is in the table, as a
// rule (ABDADA, Weill 1996, in a simpler form).
//
// Two threads that get on equally fast reach a depth of the bench positions in
// 0.56 to 0.59 of the nodes that one takes by itself (full width 16: 0.56,
// selective 19 to 21: 0.57, 0.59, 0.56; both interleaved on one core). Helpers
// that run a ply ahead instead need 0.88 and 0.71.

// announceDepth is the least depth at which moves are announced.
const announceDepth = 3

// putOffPriority comes after that of every move that is not put off.
const putOffPriority = -1 << 31

// announcements are the moves being searched, a hash each at a place that the
// hash gives; 0 for none. One may overwrite another: at worst work is done
// twice.
type announcements [1 << 14]atomic.Uint64

func (a *announcements) place(hash uint64) *atomic.Uint64 { return &a[hash%uint64(len(a))] }

// announce tells the other threads of the move to child, searched to the given
// depth, and returns the hash it goes by, which is 0 where nobody needs to
// know. If another thread is at the move it asks for the move to be put off
// instead and lowers its priority; that is done only once.
func (s *Searcher[P]) announce(child P, depth int, priority *int32) (hash uint64, putOff bool) {
	if s.announced == nil || depth < announceDepth {
		return 0, false
	}
	hash = child.Key() + uint64(depth)*0x9e37_79b9_7f4a_7c15
	place := s.announced.place(hash)
	if *priority != putOffPriority && place.Load() == hash {
		*priority = putOffPriority
		return 0, true
	}
	place.Store(hash)
	return hash, false
}

// over takes an announcement back.
func (s *Searcher[P]) over(hash uint64) {
	if hash != 0 {
		s.announced.place(hash).CompareAndSwap(hash, 0)
	}
}

// share prepares a searcher and its helpers for searching together.
func (s *Searcher[P]) share() {
	s.table.shared = true
	s.announced = new(announcements)
	for _, h := range s.helpers {
		h.announced = s.announced
	}
}

// startHelpers sets the helpers to work. The function returned ends their work
// and waits for that.
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
	for depth := 1; depth <= MaxPly && s.iterate(depth, all); depth++ {
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
