package endgame

import "kroo/internal/scc"

// component is a strongly connected component of a game graph, with the history of a
// line of play in it. Nodes have numbers of their own.
type component struct {
	*gameGraph
	nodes   []int32
	leaves  []uint8 // as in gameGraph, with the results of components already resolved
	succ    [][]int32
	pred    [][]int32
	visited []bool // nodes of the history
	work    int64  // what is left of the budget
	won     []bool // nodes that the claimant wins, a buffer of force
	lost    []bool // nodes that the opponent wins
	left    []int32
	staying []bool
	queue   []int32
}

// resolveAll resolves all components, successors first.
func (g *gameGraph) resolveAll(budget int64) {
	number := make([]int32, len(g.succ)) // of a node in its component
	for i := range number {
		number[i] = -1
	}
	graph := scc.Graph{Nodes: len(g.succ), Succ: func(v int32, dst []int32) []int32 { return append(dst, g.succ[v]...) }}
	for nodes := range graph.Components() {
		if g.r.stopped() {
			return
		}
		c := g.newComponent(nodes, number)
		c.resolve(budget)
		for _, v := range nodes {
			number[v] = -1
		}
	}
}

// newComponent copies the nodes out of the graph. It enters their new numbers in
// number, which holds -1 for all other nodes.
func (g *gameGraph) newComponent(nodes, number []int32) *component {
	for i, v := range nodes {
		number[v] = int32(i)
	}
	n := len(nodes)
	c := &component{gameGraph: g, nodes: nodes, leaves: make([]uint8, n), succ: make([][]int32, n), pred: make([][]int32, n),
		visited: make([]bool, n), won: make([]bool, n), lost: make([]bool, n), left: make([]int32, n), staying: make([]bool, n)}
	for i, v := range nodes {
		c.leaves[i] = g.leaves[v]
		for _, w := range g.succ[v] {
			if j := number[w]; j >= 0 {
				c.succ[i] = append(c.succ[i], j)
				c.pred[j] = append(c.pred[j], int32(i))
			} else {
				c.leaves[i] |= 1 << g.result[w]
			}
		}
	}
	return c
}

// resolve finds the result of every node as the start of a stretch.
func (c *component) resolve(budget int64) {
	c.work = budget
	c.force(won, c.won)
	c.force(lost, c.lost)
	var rest []int32
	for i, v := range c.nodes {
		switch {
		case c.won[i]:
			c.result[v] = won
		case c.lost[i]:
			c.result[v] = lost
		default:
			rest = append(rest, int32(i))
		}
	}
	for _, i := range rest {
		c.work = budget
		c.result[c.nodes[i]] = c.search(i)
	}
}

// search returns the result of node i when the visited nodes are the history.
func (c *component) search(i int32) outcome {
	if c.work < 0 || c.r.stopped() {
		return undecided
	}
	if c.force(won, c.won); c.won[i] {
		return won
	}
	if c.force(lost, c.lost); c.lost[i] {
		return lost
	}
	best, worst := won, lost // for the player to move
	if !c.moves[c.nodes[i]] {
		best, worst = lost, won
	}
	seen := c.leaves[i]
	if seen>>best&1 != 0 {
		return best
	}
	c.visited[i] = true
	defer func() { c.visited[i] = false }()
	for _, j := range c.succ[i] {
		r := c.ending(j)
		if !c.visited[j] {
			r = c.search(j)
		}
		if r == best {
			return best
		}
		seen |= 1 << r
	}
	if seen>>undecided&1 != 0 {
		return undecided
	}
	return worst
}

// ending is the result of a move to a visited node: the repetition ends the game.
func (c *component) ending(i int32) outcome {
	if c.good[c.nodes[i]] {
		return won
	}
	return lost
}
