package check

import "slices"

// question asks whether a player, the claimant, can take k seeds, by lines with their history. A
// node is known if the claimant is sure of k there, or their opponent of more than n-k.
type question struct {
	*level
	k              int
	claims, denies []int8 // by node: what the claimant is sure of, and with the roles changed the opponent
	budget         int    // nodes to look at
	seen           []bool
}

func (l *level) ask(sure []int8, k, budget int) *question {
	return &question{l, k, slices.Clone(sure), slices.Clone(sure), budget, make([]bool, len(sure))}
}

// tell is what claims at a node say: 1 yes, -1 no, 0 nothing.
func (q *question) tell(claim, denial int8) int {
	switch {
	case int(claim) >= q.k:
		return 1
	case int(denial) > q.n-q.k:
		return -1
	}
	return 0
}

func (q *question) known(v node) int { return q.tell(q.claims[v], q.denies[v^1]) }

// answer plays every line from an unknown node to a repetition or to a known one: 1 yes, -1 no,
// 0 if the budget does not suffice, or a capture leads to what the levels below leave open.
func (q *question) answer(v node) int {
	if q.budget < 0 || q.ctx.Err() != nil {
		return 0
	}
	open := q.open(v, nil)
	turned := slices.Clone(open)
	for i, w := range open {
		q.seen[w], turned[i] = false, w^1
	}
	defer func() {
		for _, w := range open {
			q.claims[w], q.denies[w^1] = q.lowest, q.lowest
		}
	}()
	q.settle(open, q.claims)
	q.settle(turned, q.denies)
	if q.budget -= 10 * len(open); q.known(v) != 0 {
		return q.known(v)
	}
	q.claims[v], q.denies[v^1] = q.end[v], q.end[v^1] // from now on a repetition, and so known
	best := 1 - 2*int(v%2)                            // for the player to move
	result := -best
	if q.exit[v] != q.none(v) && q.tell(q.exit[v], q.exit[v^1]) == 0 {
		result = 0
	}
	for _, to := range q.quiet[v/2] {
		w := 2*to + 1 - v%2
		got := q.known(w)
		if got == 0 {
			got = q.answer(w)
		}
		if got == best {
			return best
		}
		result *= got * got
	}
	return result
}

// open appends the unknown nodes that can be reached through unknown nodes.
func (q *question) open(v node, list []node) []node {
	if q.seen[v] || q.known(v) != 0 {
		return list
	}
	q.seen[v], list = true, append(list, v)
	for _, to := range q.quiet[v/2] {
		list = q.open(2*to+1-v%2, list)
	}
	return list
}
