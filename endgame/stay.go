package endgame

import (
	"math/bits"
	"sync/atomic"

	"kroo/games/oware"
)

// stayers decides the positions where a role can stay forever among positions with k
// seeds on its side, leaving them only for positions where it is sure of k. They are a
// greatest fixed point: start with all positions with k seeds on the role's side, and
// repeatedly remove those that the role must leave.
func (l *level) stayers(k int) frontier {
	l.everywhere(func(from, to uint32) { l.mark(k, from, to) })
	gone := l.leavers()
	for len(gone[mover])+len(gone[other]) > 0 {
		gone = l.backwards(gone, func(role int, i uint32) bool { return l.leave(role, i) })
	}
	return l.decideStaying(k)
}

// mark marks the candidates in a range of positions.
func (l *level) mark(k int, from, to uint32) {
	b := unrank(l.n, from)
	for i := from; i < to; i++ {
		s := l.states[i] &^ (3<<stayingShift | countMask<<staysShift)
		own, opp := b.position(l.rules, l.n).SideSeeds()
		if value(s, mover) == unknown && own >= k {
			s |= 1 << (stayingShift + mover)
		}
		// The mover must have no capture that leaves the other less than k, and must
		// have a quiet move: otherwise the game ends.
		if value(s, other) == unknown && opp >= k && exit(s, other) >= k && quiet(s) > 0 {
			s |= 1 << (stayingShift + other)
		}
		l.states[i] = s
		b.next()
	}
}

// leavers unmarks and returns the marked positions without a move that stays. For the
// others it counts the moves that stay.
func (l *level) leavers() frontier {
	all := l.gather(func(from, to uint32) (found frontier) {
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
				atomic.OrUint32(&l.states[i], state(ways)<<staysShift)
			}
			b.next()
		}
		return found
	})
	// Only now, so that all counts see the same marks.
	for role, list := range all {
		for _, i := range list {
			l.states[i] &^= 1 << (stayingShift + role)
		}
	}
	return all
}

// ways counts the mover's quiet moves to positions where the mover may stay. mustLeave
// reports whether a quiet move leads to a position where the other player can neither
// stay nor is sure of enough.
func (l *level) ways(p oware.Position) (ways int, mustLeave bool) {
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		if p.Gain(m) > 0 {
			continue
		}
		s := atomic.LoadUint32(&l.states[within(p.Play(m).Words())])
		if staying(s, other) { // the mover has the other role there
			ways++
		}
		if !staying(s, mover) && value(s, mover) == unknown {
			mustLeave = true
		}
	}
	return ways, mustLeave
}

// leave records at a predecessor, where the player has the given role, that a successor
// lost its mark. It reports whether the predecessor loses its mark too.
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

// decideStaying decides the positions that are still marked.
func (l *level) decideStaying(k int) frontier {
	return l.gather(func(from, to uint32) (found frontier) {
		for i := from; i < to; i++ {
			for role := range found {
				if s := l.states[i]; staying(s, role) {
					l.states[i] = withValue(s, role, k)
					found[role] = append(found[role], i)
				}
			}
		}
		return found
	})
}
