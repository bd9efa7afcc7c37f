package check

import (
	"context"
	"slices"
)

// level is the game without captures among the positions with a given number of seeds. A node is a
// position and the role of one player, the claimant: 2i if the claimant is to move in position i,
// 2i+1 if the other player is. The claimant maximises, the other player minimises.
type level struct {
	ctx    context.Context
	lowest int8      // the lowest possible claim
	quiet  [][]int32 // the successors by moves without capture, of a block of positions each
	first  []uint32  // by position: where its successors begin in its block
	exit   []int8    // by node: the best capture for the player to move, or the end of the game, in the claimant's seeds
	end    []int8    // by node: the claimant's seeds if a repetition ends the game here
}

// block is the number of positions in a block of successors.
const block = 1 << 16

// addSuccessors adds those of the next position.
func (l *level) addSuccessors(quiet []int32) {
	if len(l.first)%block == 0 {
		l.quiet = append(l.quiet, nil)
	}
	last := &l.quiet[len(l.quiet)-1]
	l.first = append(l.first, uint32(len(*last)))
	*last = append(*last, quiet...)
}

// successors returns the successors of position i by moves without capture.
func (l *level) successors(i int) []int32 {
	list := l.quiet[i/block]
	if i+1 < len(l.first) && (i+1)%block > 0 {
		list = list[:l.first[i+1]]
	}
	return list[l.first[i]:]
}

// step returns the claim of node v by those of its successors.
func (l *level) step(claims []int8, v int) int8 {
	best := l.exit[v]
	for _, to := range l.successors(v / 2) {
		if v%2 == 0 {
			best = max(best, claims[2*to+1])
		} else {
			best = min(best, claims[2*to])
		}
	}
	return best
}

// sure returns what the claimant is sure of at every node. docs/bounds.md has the proof.
func (l *level) sure() []int8 {
	claims := slices.Repeat([]int8{l.lowest}, len(l.end))
	for {
		l.repeat(claims, l.step) // what the claimant can force
		stay := slices.Clone(claims)
		for v := range stay {
			stay[v] = max(claims[v], l.end[v])
		}
		l.repeat(stay, func(stay []int8, v int) int8 { // less where the claimant cannot stay
			return max(claims[v], min(l.end[v], l.step(stay, v)))
		})
		if l.ctx.Err() != nil || slices.Equal(claims, stay) {
			return claims
		}
		claims = stay
	}
}

// repeat replaces each claim by the result of f, until nothing changes.
func (l *level) repeat(claims []int8, f func(claims []int8, v int) int8) {
	for again := true; again && l.ctx.Err() == nil; {
		again = false
		for v, old := range claims {
			claims[v] = f(claims, v)
			again = again || claims[v] != old
		}
	}
}

// level builds the level of n seeds, with captures valued by the levels below.
func (t *table) level(ctx context.Context, n int) *level {
	size := positions(n)
	l := &level{
		ctx:    ctx,
		lowest: t.lowest(n),
		first:  make([]uint32, 0, size),
		exit:   make([]int8, 2*size),
		end:    make([]int8, 2*size),
	}
	for i := range size {
		b := at(n, i)
		if t.bounds == "sharp" {
			l.end[2*i] = int8(b.seeds(0))
			l.end[2*i+1] = int8(b.seeds(6))
		}
		m := t.moves(b, n)
		l.exit[2*i] = m.exitMover
		l.exit[2*i+1] = m.exitOther
		l.addSuccessors(m.quiet)
	}
	return l
}

// lowest returns the lowest possible claim in the level of n seeds.
func (t *table) lowest(n int) int8 {
	if t.bounds == "exact" {
		return int8(-n)
	}
	return 0
}

// outcomes are what the moves of a position lead to.
type outcomes struct {
	quiet                []int32 // positions of the same level
	exitMover, exitOther int8    // the best capture or the end of the game, by the claimant
}

// moves returns what the moves of a board of n seeds lead to.
func (t *table) moves(b board, n int) (o outcomes) {
	moves := b.moves(t.rules)
	switch {
	case len(moves) > 0: // no exit yet: worse for the player to move than any
		o.exitMover, o.exitOther = t.lowest(n)-1, int8(n+1)
	case t.rules == "abapa":
		o.exitMover, o.exitOther = int8(b.seeds(0)), int8(b.seeds(6))
	default: // the opponent takes all
		o.exitMover, o.exitOther = int8(-n), int8(n)
	}
	for _, m := range moves {
		to := m.after.index()
		if m.gain == 0 {
			o.quiet = append(o.quiet, int32(to))
			continue
		}
		gain := int8(m.gain)
		lower := t.values[n-m.gain]
		o.exitMover = max(o.exitMover, lower.of(2*to+1)+gain)
		if t.bounds != "exact" {
			gain = 0 // bounds count the opponent's own seeds, not a lead
		}
		o.exitOther = min(o.exitOther, lower.of(2*to)-gain)
	}
	return o
}
