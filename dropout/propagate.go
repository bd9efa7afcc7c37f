package dropout

// propagate recomputes a node and, where values change, its ancestors: each once, after all of its
// changed children.
func (g *Graph) propagate(i index) {
	g.enqueue(i)
	for len(g.queue) > 0 {
		i := g.queue.pop()
		g.nodes.at(i).flags &^= queued
		if !g.recompute(i) {
			continue
		}
		for at := g.nodes.at(i).parents; at != none; {
			e := g.edges.at(at)
			g.enqueue(e.parent)
			at = e.next
		}
	}
}

func (g *Graph) enqueue(i index) {
	if n := g.nodes.at(i); !n.is(queued) {
		n.flags |= queued
		g.queue.push(item{n.order, i})
	}
}

// item is a node to be recomputed.
type item struct {
	order int32
	node  index
}

// queue is a binary heap, the highest topological order first, so that
// children come before their parents.
type queue []item

func (q *queue) push(x item) {
	*q = append(*q, x)
	h := *q
	i := len(h) - 1
	for i > 0 && h[(i-1)/2].order < x.order {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = x
}

func (q *queue) pop() index {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top.node
	}
	i := 0
	for {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1].order > h[c].order {
			c++
		}
		if c >= len(h) || h[c].order <= last.order {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = last
	return top.node
}
