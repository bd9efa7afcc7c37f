// Package scc finds the strongly connected components of graphs (Tarjan 1972).
package scc

import "iter"

// Graph is a graph of the nodes 0 to Nodes-1.
type Graph struct {
	Nodes int
	Succ  func(v int32, dst []int32) []int32 // appends the successors of v
	First []int                              // the nodes to start with; the others follow
	Back  func(v, w int32)                   // if not nil, is called for each edge back to a node on the path to v: every cycle has one
}

// Components returns the strongly connected components in reverse topological order: each after
// its successors. A component is valid until the next one.
func (g Graph) Components() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		t := tarjan{Graph: g, order: make([]int32, g.Nodes), low: make([]int32, g.Nodes), path: make([]bool, g.Nodes)}
		for _, root := range g.First {
			if !t.visit(int32(root), yield) {
				return
			}
		}
		for root := range int32(g.Nodes) {
			if !t.visit(root, yield) {
				return
			}
		}
	}
}

// tarjan is the state of the algorithm. It has an explicit stack of calls, because paths can be
// long.
type tarjan struct {
	Graph
	order []int32 // order of discovery, from 1; 0 is undiscovered
	low   []int32 // lowest known reachable order within the component, 0 when the component is complete
	path  []bool  // nodes of the calls
	count int32   // number of discovered nodes
	stack []int32 // discovered nodes of incomplete components
	calls []call
	edges []int32 // edges of the calls, innermost last
}

type call struct {
	node  int32
	first int // index of its first edge in tarjan.edges
	edge  int // index of the next edge to follow
}

// visit yields the components reachable from a node. It returns false if the consumer stops.
func (t *tarjan) visit(root int32, yield func([]int32) bool) bool {
	if t.order[root] != 0 {
		return true
	}
	for t.enter(root); len(t.calls) > 0; {
		c := &t.calls[len(t.calls)-1]
		if c.edge < len(t.edges) {
			w := t.edges[c.edge]
			c.edge++
			t.follow(c.node, w)
		} else if component := t.leave(*c); component != nil && !yield(component) {
			return false
		}
	}
	return true
}

func (t *tarjan) enter(v int32) {
	t.count++
	t.order[v] = t.count
	t.low[v] = t.count
	t.path[v] = true
	t.stack, t.calls = append(t.stack, v), append(t.calls, call{v, len(t.edges), len(t.edges)})
	t.edges = t.Succ(v, t.edges)
}

// follow follows the edge from v to w.
func (t *tarjan) follow(v, w int32) {
	if t.Back != nil && t.path[w] {
		t.Back(v, w)
	}
	switch {
	case t.order[w] == 0:
		t.enter(w)
	case t.low[w] != 0:
		t.low[v] = min(t.low[v], t.order[w])
	}
}

// leave ends the innermost call. It returns the component rooted at its node, or nil.
func (t *tarjan) leave(c call) []int32 {
	t.edges = t.edges[:c.first]
	t.calls = t.calls[:len(t.calls)-1]
	t.path[c.node] = false
	if len(t.calls) > 0 {
		up := t.calls[len(t.calls)-1].node
		t.low[up] = min(t.low[up], t.low[c.node])
	}
	if t.low[c.node] != t.order[c.node] {
		return nil
	}
	at := len(t.stack) - 1
	for t.stack[at] != c.node {
		at--
	}
	component := t.stack[at:]
	for _, w := range component {
		t.low[w] = 0
	}
	t.stack = t.stack[:at]
	return component
}
