package endgame

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"kroo/games/oware"
	"kroo/internal/parallel"
)

// The two roles of a player at a position: the mover or the other player. Both are
// solved together.
const (
	mover = iota
	other
)

// levelValues has, by role and position of a level, what the player is sure of: under
// abapa a number of seeds, under other rules a lead in seeds, of which at least one of
// the two is 0.
type levelValues [2][]uint8

// state is the state of a position while its level is being solved. It is one word, so
// that several workers can change it atomically. The fields, from the low bits:
//
//	values  5 bits each  what the role is sure of, unknown until decided
//	exits   5 bits each  mover: the most that a capture or the end of the game
//	                     gives, 0 without these; other: the least that the mover's
//	                     captures or the end leave, unknown without these
//	quiet   3 bits       moves without capture to positions that are not decided
//	                     for the other role
//	staying 1 bit each   the role may be able to stay forever among positions
//	                     with enough seeds on its side
//	stays   3 bits       moves of the mover to positions where the mover may stay
type state = uint32

const (
	exitShift    = 10
	quietShift   = 20
	stayingShift = 23
	staysShift   = 25

	fieldMask = 31
	unknown   = 31 // for a value or an exit
	countMask = 7
)

func value(s state, role int) int { return int(s >> (5 * role) & fieldMask) }
func exit(s state, role int) int  { return int(s >> (exitShift + 5*role) & fieldMask) }
func quiet(s state) int           { return int(s >> quietShift & countMask) }
func staying(s state, role int) bool {
	return s>>(stayingShift+role)&1 != 0
}
func withValue(s state, role, v int) state {
	return s&^(fieldMask<<(5*role)) | state(v)<<(5*role)
}

// level is a level being solved.
type level struct {
	rules   oware.Rules
	n       int // seeds in play
	sharp   bool
	lower   []levelValues // of the levels with fewer seeds
	states  []state
	workers int
}

// newLevel returns the level above the given ones. 0 workers means one per processor.
func newLevel(rules oware.Rules, sharp bool, lower []levelValues, workers int) *level {
	n := len(lower)
	return &level{
		rules:   rules,
		n:       n,
		sharp:   sharp,
		lower:   lower,
		workers: parallel.Workers(workers),
		states:  make([]state, Positions(n)),
	}
}

func (l *level) solve(ctx context.Context) (levelValues, error) {
	l.everywhere(l.initialize)
	for k := l.n; k >= 1; k-- {
		if err := ctx.Err(); err != nil {
			return levelValues{}, err
		}
		l.spread(k, l.ready(k))
		for l.sharp {
			stay := l.stayers(k)
			if len(stay[0])+len(stay[1]) == 0 {
				break
			}
			l.spread(k, stay)
		}
	}
	return l.values(), nil
}

// everywhere calls f concurrently on ranges that together cover all positions.
func (l *level) everywhere(f func(from, to uint32)) {
	const chunk = 1 << 14
	n := len(l.states)
	parallel.For(l.workers, (n+chunk-1)/chunk, func(_, i int) {
		f(uint32(i*chunk), uint32(min((i+1)*chunk, n)))
	})
}

// initialize sets the initial states of a range of positions.
func (l *level) initialize(from, to uint32) {
	b := unrank(l.n, from)
	for i := from; i < to; i++ {
		l.states[i] = l.initial(b.position(l.rules, l.n))
		b.next()
	}
}

// initial returns the state of a position with its exits and the number of quiet moves.
func (l *level) initial(p oware.Position) state {
	best := 0
	least := unknown
	quiets := 0
	set := p.Legal()
	if set == 0 {
		best, least = l.sharesAtEnd(p)
	}
	for ; set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		gain := p.Gain(m)
		if gain == 0 {
			quiets++
			continue
		}
		forMover, forOther := l.sharesAfterCapture(p.Play(m), gain)
		best, least = max(best, forMover), min(least, forOther)
	}
	return unknown | unknown<<5 | state(best)<<exitShift | state(least)<<(exitShift+5) | state(quiets)<<quietShift
}

// sharesAtEnd returns what both roles get if the mover has no legal move.
func (l *level) sharesAtEnd(p oware.Position) (forMover, forOther int) {
	if l.rules == oware.Abapa {
		return p.SideSeeds()
	}
	return 0, l.n // the opponent takes all seeds in play
}

// sharesAfterCapture returns what both roles are sure of if the mover captures gain seeds and
// reaches p.
func (l *level) sharesAfterCapture(p oware.Position, gain int) (forMover, forOther int) {
	values := &l.lower[l.n-gain]
	i := within(p.Words())
	if l.rules == oware.Abapa {
		return gain + int(values[other][i]), int(values[mover][i])
	}
	lead := gain + int(values[other][i]) - int(values[mover][i]) // at most one of the two is not 0
	return max(0, lead), max(0, -lead)
}

// frontier has the positions that the last step decided, by role.
type frontier [2][]uint32

// ready decides the positions where the exits alone make a role sure of k.
func (l *level) ready(k int) frontier {
	return l.gather(func(from, to uint32) (found frontier) {
		for i := from; i < to; i++ {
			s := l.states[i]
			if value(s, mover) == unknown && exit(s, mover) >= k {
				s = withValue(s, mover, k)
				found[mover] = append(found[mover], i)
			}
			if value(s, other) == unknown && quiet(s) == 0 && exit(s, other) >= k {
				s = withValue(s, other, k)
				found[other] = append(found[other], i)
			}
			l.states[i] = s
		}
		return found
	})
}

// gather calls find on ranges that together cover all positions and joins the results.
func (l *level) gather(find func(from, to uint32) frontier) (all frontier) {
	var mu sync.Mutex
	l.everywhere(func(from, to uint32) {
		found := find(from, to)
		mu.Lock()
		defer mu.Unlock()
		for role := range all {
			all[role] = append(all[role], found[role]...)
		}
	})
	return all
}

// spread decides the attractor of the positions in from, where a role is sure of k, step
// by step backwards.
func (l *level) spread(k int, from frontier) {
	for len(from[mover])+len(from[other]) > 0 {
		from = l.backwards(from, func(role int, i uint32) bool {
			if role == mover { // the mover can choose to go there
				return l.decide(i, k)
			}
			return l.countDown(i, k)
		})
	}
}

// backwards calls visit for the quiet predecessors of positions, with the player's role
// there, which is the opposite one. visit reports whether the predecessor belongs to the
// next frontier, which backwards returns.
func (l *level) backwards(from frontier, visit func(role int, i uint32) bool) frontier {
	const chunk = 512
	var all frontier
	for role, list := range from {
		found := make([][]uint32, l.workers)
		buffers := make([][]oware.Position, l.workers)
		parallel.For(l.workers, (len(list)+chunk-1)/chunk, func(worker, i int) {
			some := list[i*chunk : min((i+1)*chunk, len(list))]
			found[worker], buffers[worker] = l.predecessors(some, 1-role, visit, found[worker], buffers[worker])
		})
		all[1-role] = slices.Concat(found...)
	}
	return all
}

// predecessors appends to found the quiet predecessors of list for which visit is true.
// It returns found and the buffer for reuse.
func (l *level) predecessors(
	list []uint32, role int, visit func(role int, i uint32) bool, found []uint32, buffer []oware.Position,
) ([]uint32, []oware.Position) {
	for _, i := range list {
		buffer = unrank(l.n, i).position(l.rules, l.n).AppendQuietPredecessors(buffer[:0])
		for _, p := range buffer {
			if j := within(p.Words()); visit(role, j) {
				found = append(found, j)
			}
		}
	}
	return found, buffer
}

// decide sets the mover's value to k if it is undecided, and reports whether it was.
func (l *level) decide(i uint32, k int) bool {
	for {
		s := atomic.LoadUint32(&l.states[i])
		if value(s, mover) != unknown {
			return false
		}
		if atomic.CompareAndSwapUint32(&l.states[i], s, withValue(s, mover, k)) {
			return true
		}
	}
}

// countDown records that one more quiet move of the mover leads to a position where the
// other player is sure of k. After the last such move it decides the other's value and
// returns true.
func (l *level) countDown(i uint32, k int) bool {
	for {
		s := atomic.LoadUint32(&l.states[i])
		if value(s, other) != unknown {
			return false
		}
		t := s - 1<<quietShift
		decided := quiet(t) == 0 && exit(t, other) >= k
		if decided {
			t = withValue(t, other, k)
		}
		if atomic.CompareAndSwapUint32(&l.states[i], s, t) {
			return decided
		}
	}
}

// values returns the values of the solved level: 0 where a role is sure of nothing.
func (l *level) values() levelValues {
	v := levelValues{make([]uint8, len(l.states)), make([]uint8, len(l.states))}
	l.everywhere(func(from, to uint32) {
		for i := from; i < to; i++ {
			for role := range v {
				if x := value(l.states[i], role); x != unknown {
					v[role][i] = uint8(x)
				}
			}
		}
	})
	return v
}

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
