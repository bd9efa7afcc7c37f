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
	quiet  [][]int32 // by position: its successors by moves without capture
	exit   []int8    // by node: the best capture for the player to move, or the end of the game, in the claimant's seeds
	end    []int8    // by node: the claimant's seeds if a repetition ends the game here
}

// step returns the claim of node v by those of its successors.
func (l *level) step(claims []int8, v int) int8 {
	best := l.exit[v]
	for _, to := range l.quiet[v/2] {
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
