package endgame

import (
	"context"
	"math/bits"

	"kroo/games/oware"
)

// resolver holds what the work on one level needs.
type resolver struct {
	n      int
	bounds levelValues
	lower  []levelValues
	budget int64
	ctx    context.Context
}

func (r *resolver) stopped() bool { return r.ctx.Err() != nil }

// gameGraph holds the open nodes of one threshold and the moves between them. A
// node is a position and the claimant's role in it, mover or other.
type gameGraph struct {
	r      *resolver
	good   []bool    // the claimant's side has as many seeds as the threshold, or more
	moves  []bool    // the claimant is to move
	leaves []uint8   // outcomes of the other moves: bits 1<<won, 1<<lost, 1<<undecided
	succ   [][]int32 // quiet moves to open nodes
	result []outcome // of a stretch that starts at the node
}

// threshold decides, for every position that the bounds leave open, whether the
// player to move is sure of k.
func (r *resolver) threshold(k int) []outcome {
	graph, number := r.openNodes(k)
	graph.resolveAll(r.budget)
	result := make([]outcome, len(r.bounds[mover]))
	for i := range result {
		if node := number[mover][i]; node >= 0 {
			result[i] = graph.result[node]
		}
	}
	return result
}

// class is what the values of a level say of a node where the claimant has the given
// role: are they sure of k of the n seeds?
func class(v levelValues, n, role int, i uint32, k int) outcome {
	switch {
	case int(v[role][i]) >= k:
		return won
	case n-int(v[1-role][i]) < k:
		return lost
	}
	return open
}

// openNodes builds the game graph of a threshold. It returns the number of each
// position's node by role, -1 where the node is not open.
func (r *resolver) openNodes(k int) (*gameGraph, [2][]int32) {
	graph := &gameGraph{r: r}
	var number [2][]int32
	var nodes []uint32
	for role := range number {
		number[role] = make([]int32, len(r.bounds[role]))
		for i := range number[role] {
			number[role][i] = -1
			if class(r.bounds, r.n, role, uint32(i), k) == open {
				number[role][i] = int32(len(nodes))
				nodes = append(nodes, uint32(i)<<1|uint32(role))
			}
		}
	}
	for _, node := range nodes {
		r.addNode(graph, &number, int(node&1), node>>1, k)
	}
	graph.result = make([]outcome, len(nodes))
	return graph, number
}

// addNode appends the node of position i and its moves to the graph.
func (r *resolver) addNode(graph *gameGraph, number *[2][]int32, role int, i uint32, k int) {
	p := unrank(r.n, i).position(oware.Abapa, r.n)
	own, opp := p.SideSeeds()
	leaves, succ := uint8(0), []int32(nil)
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		gain, after := p.Gain(m), p.Play(m)
		j := within(after.Words())
		switch {
		case gain > 0:
			leaves |= 1 << r.captureClass(gain, role, j, k)
		case number[1-role][j] >= 0:
			succ = append(succ, number[1-role][j])
		default:
			leaves |= 1 << class(r.bounds, r.n, 1-role, j, k)
		}
	}
	graph.good = append(graph.good, [2]int{own, opp}[role] >= k)
	graph.moves = append(graph.moves, role == mover)
	graph.leaves, graph.succ = append(graph.leaves, leaves), append(graph.succ, succ)
}

// captureClass is class after a capture by the player to move. What the level
// below leaves open counts as undecided.
func (r *resolver) captureClass(gain, role int, j uint32, k int) outcome {
	if role == mover {
		k -= gain
	}
	if c := class(r.lower[r.n-gain], r.n-gain, 1-role, j, k); c != open {
		return c
	}
	return undecided
}
