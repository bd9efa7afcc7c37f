package endgame

// part is a strongly connected part of an arena: nodes are numbered anew.
type part struct {
	*arena
	nodes   []int32
	leaves  []uint8 // as in arena, with the results of parts already settled
	succ    [][]int32
	pred    [][]int32
	visited []bool // in the history
	work    int64  // left of the budget
	won     []bool // scratch of force, for A
	lost    []bool // and for his opponent
	left    []int32
	staying []bool
	queue   []int32
}

// settleParts settles all parts, those that moves lead to first.
func (a *arena) settleParts(budget int64) {
	number := make([]int32, len(a.succ)) // of a node in its part
	for i := range number {
		number[i] = -1
	}
	for _, nodes := range components(a.succ) {
		if a.s.stopped() {
			return
		}
		p := a.newPart(nodes, number)
		p.settle(budget)
		for _, v := range nodes {
			number[v] = -1
		}
	}
}

func (a *arena) newPart(nodes, number []int32) *part {
	for i, v := range nodes {
		number[v] = int32(i)
	}
	n := len(nodes)
	p := &part{arena: a, nodes: nodes, leaves: make([]uint8, n), succ: make([][]int32, n), pred: make([][]int32, n),
		visited: make([]bool, n), won: make([]bool, n), lost: make([]bool, n), left: make([]int32, n), staying: make([]bool, n)}
	for i, v := range nodes {
		p.leaves[i] = a.leaves[v]
		for _, w := range a.succ[v] {
			if j := number[w]; j >= 0 {
				p.succ[i] = append(p.succ[i], j)
				p.pred[j] = append(p.pred[j], int32(i))
			} else {
				p.leaves[i] |= 1 << a.result[w]
			}
		}
	}
	return p
}

// settle finds the result of every node as the beginning of a stretch.
func (p *part) settle(budget int64) {
	p.work = budget
	p.force(won, p.won)
	p.force(lost, p.lost)
	var rest []int32
	for i, v := range p.nodes {
		switch {
		case p.won[i]:
			p.result[v] = won
		case p.lost[i]:
			p.result[v] = lost
		default:
			rest = append(rest, int32(i))
		}
	}
	for _, i := range rest {
		p.work = budget
		r := p.search(i)
		p.result[p.nodes[i]] = r
	}
}

// search is the result of node i after the visited ones.
func (p *part) search(i int32) outcome {
	if p.work < 0 || p.s.stopped() {
		return undecided
	}
	if p.force(won, p.won); p.won[i] {
		return won
	}
	if p.force(lost, p.lost); p.lost[i] {
		return lost
	}
	best, worst := won, lost // for the player who moves
	if !p.moves[p.nodes[i]] {
		best, worst = lost, won
	}
	seen := p.leaves[i]
	if seen>>best&1 != 0 {
		return best
	}
	p.visited[i] = true
	defer func() { p.visited[i] = false }()
	for _, j := range p.succ[i] {
		r := p.ending(j)
		if !p.visited[j] {
			r = p.search(j)
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

// ending is the result of arriving at a visited node.
func (p *part) ending(i int32) outcome {
	if p.good[p.nodes[i]] {
		return won
	}
	return lost
}

// force finds the nodes where a player (A if goal is won, else his opponent)
// wins the co-Büchi game: an ending for him, visited nodes included, or staying
// for ever at nodes whose repetition is one.
func (p *part) force(goal outcome, in []bool) {
	p.queue = p.queue[:0]
	for i := range in {
		in[i], p.left[i] = false, int32(len(p.succ[i]))
		bad := p.leaves[i]&^(1<<goal) != 0
		switch {
		case p.visited[i]:
			in[i] = p.ending(int32(i)) == goal
		case p.moves[p.nodes[i]] == (goal == won):
			in[i] = p.leaves[i]>>goal&1 != 0
		case bad: // his opponent has a way out
			p.left[i] = -1
		default:
			in[i] = p.left[i] == 0
		}
		if in[i] {
			p.queue = append(p.queue, int32(i))
		}
	}
	p.work -= int64(2 * len(in))
	for {
		p.attract(goal, in)
		if !p.stay(goal, in) {
			return
		}
	}
}

// attract adds the nodes from which the player can arrive in the set. left
// counts the ways out that the opponent has.
func (p *part) attract(goal outcome, in []bool) {
	for len(p.queue) > 0 {
		j := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		p.work -= int64(len(p.pred[j]))
		for _, i := range p.pred[j] {
			if in[i] || p.visited[i] || p.left[i] < 0 {
				continue
			}
			if p.moves[p.nodes[i]] != (goal == won) {
				if p.left[i]--; p.left[i] > 0 {
					continue
				}
			}
			in[i] = true
			p.queue = append(p.queue, i)
		}
	}
}

// stay adds the nodes where the player can stay for ever, or until he arrives
// in the set, and queues them. It is false if there are none.
func (p *part) stay(goal outcome, in []bool) bool {
	candidates := 0
	for i := range in {
		p.staying[i] = !in[i] && !p.visited[i] && p.left[i] >= 0 && p.ending(int32(i)) == goal
		if p.staying[i] {
			candidates++
		}
	}
	p.work -= int64(2 * len(in))
	if candidates == 0 {
		return false
	}
	check := func(i int32) {
		if p.staying[i] && !p.stays(i, goal, in) {
			p.staying[i] = false
			candidates--
			p.queue = append(p.queue, i)
		}
	}
	for i := range in {
		check(int32(i))
	}
	for len(p.queue) > 0 {
		j := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		for _, i := range p.pred[j] {
			check(i)
		}
	}
	for i := range in {
		if p.staying[i] {
			in[i] = true
			p.queue = append(p.queue, int32(i))
		}
	}
	return candidates > 0
}

// stays tells whether the player can make the next step from i one within the
// set or the nodes to stay at.
func (p *part) stays(i int32, goal outcome, in []bool) bool {
	p.work -= int64(len(p.succ[i]))
	player := p.moves[p.nodes[i]] == (goal == won)
	for _, j := range p.succ[i] {
		if (in[j] || p.staying[j]) == player {
			return player
		}
	}
	return !player
}

// components are the strongly connected parts of a graph, each after those that
// its edges lead to (Tarjan 1972).
func components(succ [][]int32) (parts [][]int32) {
	type frame struct {
		node int32
		edge int
	}
	order := make([]int32, len(succ)) // of discovery, from 1
	low := make([]int32, len(succ))
	done := make([]bool, len(succ))
	var count int32
	var stack []int32
	var calls []frame
	enter := func(v int32) {
		count++
		order[v], low[v] = count, count
		stack, calls = append(stack, v), append(calls, frame{v, 0})
	}
	for root := range succ {
		if order[root] == 0 {
			enter(int32(root))
		}
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			v := f.node
			if f.edge < len(succ[v]) {
				w := succ[v][f.edge]
				f.edge++
				if order[w] == 0 {
					enter(w)
				} else if !done[w] {
					low[v] = min(low[v], order[w])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].node
				low[up] = min(low[up], low[v])
			}
			if low[v] == order[v] {
				at := len(stack) - 1
				for stack[at] != v {
					at--
				}
				part := append([]int32(nil), stack[at:]...)
				for _, w := range part {
					done[w] = true
				}
				stack = stack[:at]
				parts = append(parts, part)
			}
		}
	}
	return parts
}
