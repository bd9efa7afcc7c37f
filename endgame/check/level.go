package check

import "context"

// A node is a position of a level and the role in it of the player whose fate is asked for, the
// claimant: twice the position's index if they are to move, and one more if the other player is.
type node = int32

// level is the game without captures between the positions with so many seeds, for a claimant
// who wants to take much.
type level struct {
	ctx             context.Context
	n               int       // seeds
	lowest, highest int8      // that a claim can be
	quiet           [][]int32 // by index of a position: those that moves without capture lead to
	exit            []int8    // by node: the best capture for the player to move, or the end of the game, as the claimant sees it
	end             []int8    // by node: what a repetition that ends the game here brings the claimant
}

// none is the exit of a node without one: worse for the player to move than any.
func (l *level) none(v node) int8 { return [2]int8{l.lowest - 1, l.highest + 1}[v%2] }

// step is what the player to move makes of the claims.
func (l *level) step(v node, claims []int8) int8 {
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

// sure is what the claimant is sure of at every node.
func (l *level) sure() []int8 {
	claims := make([]int8, len(l.end))
	nodes := make([]node, len(l.end))
	for v := range nodes {
		nodes[v] = node(v)
	}
	l.settle(nodes, claims)
	return claims
}

// settle sets the claims of the given nodes to what the claimant is sure of there, if the claims
// of all others are right. docs/bounds.md proves it.
func (l *level) settle(nodes []node, claims []int8) {
	for _, v := range nodes {
		claims[v] = l.lowest
	}
	stay := append([]int8(nil), claims...)
	for grown := true; grown && l.ctx.Err() == nil; {
		for again := true; again && l.ctx.Err() == nil; { // what the claimant can force
			again = false
			for _, v := range nodes {
				if c := l.step(v, claims); c > claims[v] {
					claims[v], again = c, true
				}
			}
		}
		for _, v := range nodes {
			stay[v] = max(claims[v], l.end[v])
		}
		for again := true; again && l.ctx.Err() == nil; { // less where the claimant cannot stay
			again = false
			for _, v := range nodes {
				if stay[v] == claims[v] {
					continue
				}
				if c := max(claims[v], min(l.end[v], l.step(v, stay))); c < stay[v] {
					stay[v], again = c, true
				}
			}
		}
		grown = false
		for _, v := range nodes {
			grown = grown || stay[v] > claims[v]
			claims[v] = stay[v]
		}
	}
}
