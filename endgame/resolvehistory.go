package endgame

import (
	"slices"

	"kroo/internal/checksum"
	"kroo/internal/scc"
)

// component is the part of a game graph that matters to a line of play: the nodes that it can
// still reach and whose outcome is not known, renumbered. Visited nodes are not included: a
// return to one ends the game, so it is a leaf.
type component struct {
	*stretches
	nodes   []int32
	leaves  []uint8 // as in gameGraph, including results of nodes outside
	succ    [][]int32
	pred    [][]int32
	won     []bool // nodes that the claimant wins
	lost    []bool // nodes that the opponent wins
	left    []int32
	staying []bool
	queue   []int32
	visited int32 // node that the line leaves, or -1
}

// stretches searches the lines of play in a game graph.
type stretches struct {
	*gameGraph
	number  []int32 // index of each node in the current component, or -1
	work    int64   // remaining budget
	hardest int64   // the most work that a node needed
	// memo has the results of searched components. A result depends only on the nodes
	// and leaves of the component.
	memo map[memoKey]outcome
}

// memoKey is a hash of a component.
type memoKey [2]uint64

// maxMemo is the maximum number of results in a memo.
const maxMemo = 1 << 20

// resolveAll resolves all components, successors first. It returns the most work that a node needed.
func (g *gameGraph) resolveAll() (hardest int64) {
	s := &stretches{gameGraph: g, number: make([]int32, len(g.succ)), memo: map[memoKey]outcome{}}
	for i := range s.number {
		s.number[i] = -1
	}
	graph := scc.Graph{Nodes: len(g.succ), Succ: func(v int32, dst []int32) []int32 { return append(dst, g.succ[v]...) }}
	for nodes := range graph.Components() {
		if g.r.isStopped() {
			break
		}
		clear(s.memo)
		s.part(g, nodes).resolve()
	}
	return s.hardest
}

// whole is what a component is a part of: a game graph or another component.
type whole interface {
	node(v int32) (id int32, leaves uint8, succ []int32)
	known(v int32) outcome // outcome of a node outside the part
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

// part makes a component of some nodes of a whole. The outcomes of its other nodes are known.
func (s *stretches) part(of whole, some []int32) *component {
	for i, v := range some {
		s.number[v] = int32(i)
	}
	n := len(some)
	c := &component{stretches: s, nodes: make([]int32, n), leaves: make([]uint8, n), succ: make([][]int32, n),
		pred: make([][]int32, n),
		won:  make([]bool, n), lost: make([]bool, n), left: make([]int32, n), staying: make([]bool, n), visited: -1}
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

// resolve sets the result of every node as the start of a stretch.
func (c *component) resolve() {
	c.work = budget
	c.decide()
	for i, v := range c.nodes {
		c.result[v] = c.known(int32(i))
		if c.result[v] == open {
			c.work = budget
			c.result[v] = c.search(int32(i))
			c.hardest = max(c.hardest, budget-c.work)
		}
	}
}

// decide finds the nodes whose outcome does not depend on the line.
func (c *component) decide() {
	c.force(won, c.won)
	c.force(lost, c.lost)
}

// search returns the outcome of node i, which is not known, by trying every move.
func (c *component) search(i int32) outcome {
	if c.work < 0 || c.r.isStopped() {
		return undecided
	}
	best, worst := won, lost // for the player to move
	if !c.moves[c.nodes[i]] {
		best, worst = lost, won
	}
	seen := c.leaves[i]
	var after []*component // components after the moves that remain open
	for _, j := range c.succ[i] {
		r := c.known(j)
		if r == open {
			next := c.after(i, j)
			r = next.known(0)
			if r == open {
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

// lookUp is search of the first node, memoized.
func (c *component) lookUp() outcome {
	key := c.key()
	if r, ok := c.memo[key]; ok {
		return r
	}
	r := c.search(0)
	if r != undecided {
		if len(c.memo) >= maxMemo {
			clear(c.memo)
		}
		c.memo[key] = r
	}
	return r
}

// key returns the key of the component with its first node.
func (c *component) key() (k memoKey) {
	for i, v := range c.nodes {
		x := checksum.Mix(uint64(v)<<8 | uint64(c.leaves[i]))
		k[0] += x
		k[1] += checksum.Mix(x + 1)
	}
	x := checksum.Mix(uint64(c.nodes[0]))
	return memoKey{k[0] ^ x, k[1] ^ checksum.Mix(x)}
}

// after returns the component of the nodes that a line can reach after the move from i to j,
// without those that decide can settle. Its first node is j.
func (c *component) after(i, j int32) *component {
	c.visited = i
	next := c.part(c, c.reach(j))
	c.visited = -1
	next.decide()
	if next.known(0) != open {
		return next
	}
	if reached := next.reach(0); len(reached) < len(next.nodes) { // decided nodes become leaves
		next = next.part(next, reached)
	}
	return next
}

// reach returns the unknown nodes that can be reached from j, j first.
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

// ending returns the outcome of a return to a visited node, which ends the game.
func (c *component) ending(i int32) outcome {
	if c.good[c.nodes[i]] {
		return won
	}
	return lost
}

// force marks the nodes where a player wins the co-Büchi game. The player is
// the claimant if goal is won, else the claimant's opponent. They win if they force an
// ending in their favour, or if they can stay forever among nodes whose repetition is
// such an ending.
func (c *component) force(goal outcome, in []bool) {
	c.queue = c.queue[:0]
	for i := range in {
		in[i], c.left[i] = false, int32(len(c.succ[i]))
		bad := c.leaves[i]&^(1<<goal) != 0
		switch {
		case c.moves[c.nodes[i]] == (goal == won):
			in[i] = c.leaves[i]>>goal&1 != 0
		case bad: // the opponent can leave
			c.left[i] = -1
		default:
			in[i] = c.left[i] == 0
		}
		if in[i] {
			c.queue = append(c.queue, int32(i))
		}
	}
	c.work -= int64(2 * len(in))
	for {
		c.attract(goal, in)
		if !c.stay(goal, in) {
			return
		}
	}
}

// attract adds the attractor of the set: the nodes from which the player can
// force their way into it. left counts the moves of the opponent that avoid it.
func (c *component) attract(goal outcome, in []bool) {
	for len(c.queue) > 0 {
		j := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		c.work -= int64(len(c.pred[j]))
		for _, i := range c.pred[j] {
			if in[i] || c.left[i] < 0 {
				continue
			}
			if c.moves[c.nodes[i]] != (goal == won) {
				c.left[i]--
				if c.left[i] > 0 {
					continue
				}
			}
			in[i] = true
			c.queue = append(c.queue, i)
		}
	}
}

// stay adds the nodes where the player can stay among good nodes forever or until they reach
// the set, and queues them. It returns false if it finds none.
func (c *component) stay(goal outcome, in []bool) bool {
	candidates := 0
	for i := range in {
		c.staying[i] = !in[i] && c.left[i] >= 0 && c.ending(int32(i)) == goal
		if c.staying[i] {
			candidates++
		}
	}
	c.work -= int64(2 * len(in))
	if candidates == 0 {
		return false
	}
	check := func(i int32) {
		if c.staying[i] && !c.stays(i, goal, in) {
			c.staying[i] = false
			candidates--
			c.queue = append(c.queue, i)
		}
	}
	for i := range in {
		check(int32(i))
	}
	for len(c.queue) > 0 {
		j := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		for _, i := range c.pred[j] {
			check(i)
		}
	}
	for i := range in {
		if c.staying[i] {
			in[i] = true
			c.queue = append(c.queue, int32(i))
		}
	}
	return candidates > 0
}

// stays reports whether the player can force the next move from i to lead to the
// set or to a candidate for staying.
func (c *component) stays(i int32, goal outcome, in []bool) bool {
	c.work -= int64(len(c.succ[i]))
	player := c.moves[c.nodes[i]] == (goal == won)
	for _, j := range c.succ[i] {
		if (in[j] || c.staying[j]) == player {
			return player
		}
	}
	return !player
}
