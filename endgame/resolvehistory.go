package endgame

import (
	"slices"

	"kroo/internal/checksum"
	"kroo/internal/scc"
)

// component is a part of a game graph that a line of play is in: all nodes that it may still
// reach, and that are not known. Nodes have numbers of their own. What the line has visited
// is no longer among them: a move back there ends the game, and so is a leaf.
type component struct {
	*stretches
	nodes   []int32
	leaves  []uint8 // as in gameGraph, with the results of all other nodes
	succ    [][]int32
	pred    [][]int32
	won     []bool // nodes that the claimant wins
	lost    []bool // nodes that the opponent wins
	left    []int32
	staying []bool
	queue   []int32
	visited int32 // node that the line leaves, -1 for none
}

// stretches are the lines of play in a game graph.
type stretches struct {
	*gameGraph
	number []int32 // of a node in the component at hand, -1 for others
	work   int64   // what is left of the budget
	// memo has the results of nodes in components: with the leaves, these are all
	// that a result depends on.
	memo map[memoKey]outcome
}

// memoKey identifies a component.
type memoKey [2]uint64

// mostMemo is how many results are kept.
const mostMemo = 1 << 20

// resolveAll resolves all components, successors first.
func (g *gameGraph) resolveAll(budget int64) {
	s := &stretches{gameGraph: g, number: make([]int32, len(g.succ)), memo: map[memoKey]outcome{}}
	for i := range s.number {
		s.number[i] = -1
	}
	graph := scc.Graph{Nodes: len(g.succ), Succ: func(v int32, dst []int32) []int32 { return append(dst, g.succ[v]...) }}
	for nodes := range graph.Components() {
		if g.r.stopped() {
			return
		}
		clear(s.memo)
		s.part(g, nodes).resolve(budget)
	}
}

// whole is what a component is a part of: a game graph or another component.
type whole interface {
	node(v int32) (id int32, leaves uint8, succ []int32)
	known(v int32) outcome // of a node that is not in the part
}

func (g *gameGraph) node(v int32) (id int32, leaves uint8, succ []int32) {
	return v, g.leaves[v], g.succ[v]
}

func (g *gameGraph) known(v int32) outcome { return g.result[v] }

func (c *component) node(i int32) (id int32, leaves uint8, succ []int32) {
	return c.nodes[i], c.leaves[i], c.succ[i]
}

func (c *component) known(i int32) outcome {
	switch {
	case i == c.visited:
		return c.ending(i)
	case c.won[i]:
		return won
	case c.lost[i]:
		return lost
	}
	return open
}

// part makes a component of some nodes of a whole. The results of the others are known.
func (s *stretches) part(of whole, some []int32) *component {
	for i, v := range some {
		s.number[v] = int32(i)
	}
	n := len(some)
	c := &component{stretches: s, nodes: make([]int32, n), leaves: make([]uint8, n), succ: make([][]int32, n), pred: make([][]int32, n),
		won: make([]bool, n), lost: make([]bool, n), left: make([]int32, n), staying: make([]bool, n), visited: -1}
	for i, v := range some {
		var succ []int32
		c.nodes[i], c.leaves[i], succ = of.node(v)
		for _, w := range succ {
			if j := s.number[w]; j >= 0 {
				c.succ[i] = append(c.succ[i], j)
				c.pred[j] = append(c.pred[j], int32(i))
			} else {
				c.leaves[i] |= 1 << of.known(w)
			}
		}
	}
	for _, v := range some {
		s.number[v] = -1
	}
	s.work -= int64(4 * n)
	return c
}

// resolve finds the result of every node as the start of a stretch.
func (c *component) resolve(budget int64) {
	c.work = budget
	c.decide()
	for i, v := range c.nodes {
		if c.result[v] = c.known(int32(i)); c.result[v] == open {
			c.work = budget
			c.result[v] = c.search(int32(i))
		}
	}
}

// decide finds the nodes whose result does not depend on the line.
func (c *component) decide() {
	c.force(won, c.won)
	c.force(lost, c.lost)
}

// search returns the result of node i, which is not known, by trying every move.
func (c *component) search(i int32) outcome {
	if c.work < 0 || c.r.stopped() {
		return undecided
	}
	best, worst := won, lost // for the player to move
	if !c.moves[c.nodes[i]] {
		best, worst = lost, won
	}
	seen := c.leaves[i]
	var after []*component // of the moves to nodes that are not known even then
	for _, j := range c.succ[i] {
		r := c.known(j)
		if r == open {
			next := c.after(i, j)
			if r = next.known(0); r == open {
				after = append(after, next)
			}
		}
		seen |= 1 << r
	}
	if seen>>best&1 != 0 {
		return best
	}
	slices.SortStableFunc(after, func(a, b *component) int { return len(a.nodes) - len(b.nodes) })
	for _, next := range after {
		r := next.lookUp()
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

// lookUp is the search of the first node, which is remembered.
func (c *component) lookUp() outcome {
	key := c.key()
	if r, ok := c.memo[key]; ok {
		return r
	}
	r := c.search(0)
	if r != undecided {
		if len(c.memo) >= mostMemo {
			clear(c.memo)
		}
		c.memo[key] = r
	}
	return r
}

// key is the key of the first node in the component.
func (c *component) key() (k memoKey) {
	for i, v := range c.nodes {
		x := checksum.Mix(uint64(v)<<8 | uint64(c.leaves[i]))
		k[0] += x
		k[1] += checksum.Mix(x + 1)
	}
	x := checksum.Mix(uint64(c.nodes[0]))
	return memoKey{k[0] ^ x, k[1] ^ checksum.Mix(x)}
}

// after is the component of the nodes that a line can reach after the move from i to j,
// which is its first node, decided as far as that goes.
func (c *component) after(i, j int32) *component {
	c.visited = i
	next := c.part(c, c.reach(j))
	c.visited = -1
	next.decide()
	if next.known(0) != open {
		return next
	}
	if reached := next.reach(0); len(reached) < len(next.nodes) { // what is decided becomes a leaf
		next = next.part(next, reached)
	}
	return next
}

// reach lists the unknown nodes that can be reached from j, which is the first.
func (c *component) reach(j int32) []int32 {
	clear(c.staying)
	c.staying[j] = true
	list := []int32{j}
	for at := 0; at < len(list); at++ {
		for _, w := range c.succ[list[at]] {
			if !c.staying[w] && c.known(w) == open {
				c.staying[w] = true
				list = append(list, w)
			}
		}
	}
	return list
}

// ending is the result of a move to a visited node: the repetition ends the game.
func (c *component) ending(i int32) outcome {
	if c.good[c.nodes[i]] {
		return won
	}
	return lost
}
