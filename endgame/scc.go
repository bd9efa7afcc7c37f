package endgame

// stronglyConnected returns the strongly connected components of a graph, in
// reverse topological order: each after those that its edges lead to (Tarjan 1972).
func stronglyConnected(succ [][]int32) (components [][]int32) {
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
				component := append([]int32(nil), stack[at:]...)
				for _, w := range component {
					done[w] = true
				}
				stack = stack[:at]
				components = append(components, component)
			}
		}
	}
	return components
}
