package endgame

import "slices"

// stronglyConnected returns the strongly connected components of a graph, in
// reverse topological order: each after those that its edges lead to (Tarjan 1972).
func stronglyConnected(succ [][]int32) [][]int32 {
	t := tarjan{
		succ:  succ,
		order: make([]int32, len(succ)),
		low:   make([]int32, len(succ)),
		done:  make([]bool, len(succ)),
	}
	for root := range succ {
		if t.order[root] == 0 {
			t.enter(int32(root))
		}
		for len(t.calls) > 0 {
			t.step()
		}
	}
	return t.components
}

// tarjan is the state of the algorithm, with a stack of calls in place of recursion:
// a path through a game graph can be long.
type tarjan struct {
	succ       [][]int32
	order      []int32 // of discovery, from 1; 0 is not yet
	low        []int32 // the least order known to be reachable within the component
	done       []bool  // in a component
	count      int32   // nodes discovered
	stack      []int32 // nodes discovered and not done
	calls      []tarjanCall
	components [][]int32
}

type tarjanCall struct {
	node int32
	edge int // the next to follow
}

func (t *tarjan) enter(v int32) {
	t.count++
	t.order[v], t.low[v] = t.count, t.count
	t.stack, t.calls = append(t.stack, v), append(t.calls, tarjanCall{v, 0})
}

// step follows an edge of the innermost call, or ends the call.
func (t *tarjan) step() {
	call := &t.calls[len(t.calls)-1]
	v := call.node
	if call.edge < len(t.succ[v]) {
		w := t.succ[v][call.edge]
		call.edge++
		if t.order[w] == 0 {
			t.enter(w)
		} else if !t.done[w] {
			t.low[v] = min(t.low[v], t.order[w])
		}
		return
	}
	t.calls = t.calls[:len(t.calls)-1]
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
	component := slices.Clone(t.stack[at:])
	for _, w := range component {
		t.done[w] = true
	}
	t.stack = t.stack[:at]
	t.components = append(t.components, component)
}
