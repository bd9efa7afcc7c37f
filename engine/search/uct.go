package search

import (
	"context"
	"math"
	"math/rand/v2"
)

// SearchUCT is the Monte-Carlo tree search of L. Kocsis and C. Szepesvári (Bandit based
// Monte-Carlo planning, 2006). It needs no evaluation: each round walks down a tree by
// upper confidence bounds, adds a position to it, and plays from there at random to the
// end of the game. It visits about nodes positions and returns the most visited move, the
// mean result for the side to move at the root, from 0 (lost) to 1 (won), and the number
// of positions visited. The game must not be over at the root. history is as in
// [SearchTextbook]. SearchUCT returns soon after the context is done.
func SearchUCT[P Position[P]](ctx context.Context, root P, history []P, nodes int64, random *rand.Rand) (best Move, mean float64, visited int64) {
	u := uct[P]{oracle: newOracle[P](ctx, history, nil), random: random}
	var tree uctNode
	for tree.visits < 2 || u.nodes < nodes && ctx.Err() == nil { // after two rounds the root has a move
		u.round(&tree, root)
	}
	most := 0
	for i := range tree.children {
		if c := &tree.children[i]; c.visits > most {
			best, most = c.move, c.visits
		}
	}
	return best, tree.mean(), u.nodes
}

// uctNode is a position of the tree.
type uctNode struct {
	move     Move // that leads here
	visits   int
	results  float64 // sum of the results for the side to move
	children []uctNode
}

func (n *uctNode) mean() float64 { return n.results / float64(n.visits) }

// maxUCTTree is the approximate number of positions at which the tree stops growing.
const maxUCTTree = 1 << 21

type uct[P Position[P]] struct {
	*oracle[P]
	random *rand.Rand
	size   int // positions in the tree
}

// round plays one round from a position of the tree and returns the result for the side to
// move.
func (u *uct[P]) round(n *uctNode, p P) (result float64) {
	diff, over := u.over(p, 1)
	switch {
	case over:
		u.nodes++
		result = resultOf(diff)
	case n.visits == 0 || n.children == nil && u.size >= maxUCTTree:
		result = u.playOut(p)
	default:
		u.nodes++
		if n.children == nil {
			for _, m := range p.AppendMoves(nil) {
				n.children = append(n.children, uctNode{move: m})
			}
			u.size += len(n.children)
		}
		c := u.selectChild(n)
		u.path = append(u.path, p)
		result = 1 - u.round(c, p.Play(c.move))
		u.path = u.path[:len(u.path)-1]
	}
	n.visits++
	n.results += result
	return result
}

// selectChild returns a random unvisited child if there is one, else the child with the
// highest upper confidence bound (UCB1).
func (u *uct[P]) selectChild(n *uctNode) (chosen *uctNode) {
	highest, untried := math.Inf(-1), 0
	for i := range n.children {
		c := &n.children[i]
		if c.visits == 0 {
			if untried++; u.random.IntN(untried) == 0 {
				chosen = c
			}
			continue
		}
		bound := 1 - c.mean() + math.Sqrt(2*math.Log(float64(n.visits))/float64(c.visits))
		if untried == 0 && bound > highest {
			chosen, highest = c, bound
		}
	}
	return chosen
}

// playOut plays at random to the end of the game and returns its result for the side to
// move.
func (u *uct[P]) playOut(p P) float64 {
	line := len(u.path)
	defer func() { u.path = u.path[:line] }()
	for {
		u.nodes++
		if diff, over := u.over(p, 1); over {
			if result := resultOf(diff); (len(u.path)-line)&1 == 0 {
				return result
			} else {
				return 1 - result
			}
		}
		u.path = append(u.path, p)
		moves := p.AppendMoves(u.moves[:0])
		p = p.Play(moves[u.random.IntN(len(moves))])
	}
}

// resultOf returns the result of a game: 1 if won, 1/2 if drawn, 0 if lost.
func resultOf(diff int) float64 {
	switch {
	case diff > 0:
		return 1
	case diff < 0:
		return 0
	}
	return 0.5
}
