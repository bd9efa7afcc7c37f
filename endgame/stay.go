package endgame

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"kroo/games/oware"
)

// stayers decides the positions from which a role can stay for ever among
// positions with k seeds on its side, or leave them for what it is sure of
// already. They are what is left of all positions with k seeds on the role's
// side when those are taken away from which it must leave, and so on.
func (l *level) stayers(k int) frontier {
	l.everywhere(func(from, to uint32) { l.mark(k, from, to) })
	gone := l.leavers()
	for len(gone[mover])+len(gone[other]) > 0 {
		gone = l.backwards(gone, func(role int, i uint32) bool { return l.leave(role, i) })
	}
	return l.settle(k)
}

// mark marks the positions that come into question.
func (l *level) mark(k int, from, to uint32) {
	b := unrank(l.n, from)
	for i := from; i < to; i++ {
		s := l.states[i] &^ (3<<stayingShift | countMask<<staysShift)
		own, opp := b.position(l.rules, l.n).SideSeeds()
		if value(s, mover) == unknown && own >= k {
			s |= 1 << (stayingShift + mover)
		}
		// The mover must not have a capture that leaves the other less. Without
		// a quiet move there is nowhere to stay.
		if value(s, other) == unknown && opp >= k && exit(s, other) >= k && quiet(s) > 0 {
			s |= 1 << (stayingShift + other)
		}
		l.states[i] = s
		b.next()
	}
}

// leavers finds the marked positions from which there is no way to stay, with
// one move, and takes their mark away; and counts the ways of the others.
func (l *level) leavers() frontier {
	var mu sync.Mutex
	var all frontier
	l.everywhere(func(from, to uint32) {
		var found frontier
		b := unrank(l.n, from)
		for i := from; i < to; i++ {
			if s := atomic.LoadUint32(&l.states[i]); staying(s, mover) || staying(s, other) {
				ways, mustLeave := l.ways(b.position(l.rules, l.n))
				if staying(s, mover) && ways == 0 {
					found[mover] = append(found[mover], i)
				}
				if staying(s, other) && mustLeave {
					found[other] = append(found[other], i)
				}
				l.change(i, func(s state) state { return s | state(ways)<<staysShift })
			}
			b.next()
		}
		mu.Lock()
		defer mu.Unlock()
		all.take(found)
	})
	// Only now: all counts are of the marks as they were.
	for role, list := range all {
		for _, i := range list {
			l.states[i] &^= 1 << (stayingShift + role)
		}
	}
	return all
}

func (l *level) change(i uint32, f func(state) state) {
	for {
		s := atomic.LoadUint32(&l.states[i])
		if atomic.CompareAndSwapUint32(&l.states[i], s, f(s)) {
			return
		}
	}
}

// ways counts the mover's quiet moves to positions where he may stay, and tells
// whether he has one to where the other may not and is not sure of enough.
func (l *level) ways(p oware.Position) (ways int, mustLeave bool) {
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		if p.Gain(m) > 0 {
			continue
		}
		s := atomic.LoadUint32(&l.states[within(p.Play(m).Words())])
		if staying(s, other) { // the mover is the other one there
			ways++
		}
		if !staying(s, mover) && value(s, mover) == unknown {
			mustLeave = true
		}
	}
	return ways, mustLeave
}

// leave notes at a predecessor, where the player has the given role, that one
// place to stay is gone, and tells whether the predecessor goes with it.
func (l *level) leave(role int, i uint32) bool {
	for {
		s := atomic.LoadUint32(&l.states[i])
		if !staying(s, role) {
			return false
		}
		t := s
		gone := true
		if role == mover {
			t -= 1 << staysShift
			gone = t>>staysShift&countMask == 0
		}
		if gone {
			t &^= 1 << (stayingShift + role)
		}
		if atomic.CompareAndSwapUint32(&l.states[i], s, t) {
			return gone
		}
	}
}

// settle decides the positions that are still marked.
func (l *level) settle(k int) frontier {
	var mu sync.Mutex
	var all frontier
	l.everywhere(func(from, to uint32) {
		var found frontier
		for i := from; i < to; i++ {
			for role := range found {
				if s := l.states[i]; staying(s, role) {
					l.states[i] = withValue(s, role, k)
					found[role] = append(found[role], i)
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		all.take(found)
	})
	return all
}
