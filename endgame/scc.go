package endgame

import (
	"context"
	"slices"
)

// stronglyConnected returns the strongly connected components of a graph, in
// reverse topological order: each after those that its edges lead to (Tarjan 1972).
func stronglyConnected(succ [][]int32) [][]int32 {
	var components [][]int32
	t := newTarjan(len(succ), func(v int32, dst []int32) []int32 { return append(dst, succ[v]...) },
		func(component []int32) { components = append(components, slices.Clone(component)) })
	_ = t.run(context.Background()) // no context that ends
	return components
}

// tarjan is the state of the algorithm, with a stack of calls in place of recursion:
// a path through a game graph can be long.
type tarjan struct {
	succ  func(v int32, dst []int32) []int32 // appends the nodes that edges of v lead to
	found func(component []int32)            // is told each component, and may not keep it
	order []int32                            // of discovery, from 1; 0 is not yet
	low   []int32                            // the least order known to be reachable within the component
	done  []bool                             // in a component
	count int32                              // nodes discovered
	stack []int32                            // nodes discovered and not done
	calls []tarjanCall
	edges []int32 // of the calls, those of the innermost last
}

type tarjanCall struct {
	node  int32
	first int // of its edges in tarjan.edges
	edge  int // the next to follow
}

func newTarjan(nodes int, succ func(v int32, dst []int32) []int32, found func(component []int32)) *tarjan {
	return &tarjan{succ: succ, found: found, order: make([]int32, nodes), low: make([]int32, nodes), done: make([]bool, nodes)}
}

// run finds all components. The error is that of the context.
func (t *tarjan) run(ctx context.Context) error {
	for root := range t.order {
		if t.order[root] == 0 {
			t.enter(int32(root))
		}
		for steps := 0; len(t.calls) > 0; steps++ {
			if steps&0xffff == 0xffff && ctx.Err() != nil {
				return ctx.Err()
			}
			t.step()
		}
	}
	return ctx.Err()
}

func (t *tarjan) enter(v int32) {
	t.count++
	t.order[v], t.low[v] = t.count, t.count
	t.stack, t.calls = append(t.stack, v), append(t.calls, tarjanCall{v, len(t.edges), len(t.edges)})
	t.edges = t.succ(v, t.edges)
}

// step follows an edge of the innermost call, or ends the call.
func (t *tarjan) step() {
	call := &t.calls[len(t.calls)-1]
	v := call.node
	if call.edge < len(t.edges) {
		w := t.edges[call.edge]
		call.edge++
		if t.order[w] == 0 {
			t.enter(w)
		} else if !t.done[w] {
			t.low[v] = min(t.low[v], t.order[w])
		}
		return
	}
	t.edges, t.calls = t.edges[:call.first], t.calls[:len(t.calls)-1]
	if len(t.calls) > 0 {
		up := t.calls[len(t.calls)-1].node
		t.low[up] = min(t.low[up], t.low[v])
	}
	if t.low[v] == t.order[v] {
		t.take(v)
	}
}

// take moves the component that was entered at first from the stack.
func (t *tarjan) take(first int32) {
	at := len(t.stack) - 1
	for t.stack[at] != first {
		at--
	}
	component := t.stack[at:]
	for _, w := range component {
		t.done[w] = true
	}
	t.stack = t.stack[:at]
	t.found(component)
}
