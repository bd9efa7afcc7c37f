package dropout

// propagate recomputes a node and, as far as something changes, its
// ancestors: each once, when all of its changed children are done.
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
