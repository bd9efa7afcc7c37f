package scc

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// random returns a random graph with a mean number of edges per node.
func random(rng *rand.Rand, nodes int, mean float64) [][]int32 {
	succ := make([][]int32, nodes)
	for range int(mean * float64(nodes)) {
		v := rng.IntN(nodes)
		succ[v] = append(succ[v], int32(rng.IntN(nodes)))
	}
	return succ
}

func graphOf(succ [][]int32) Graph {
	return Graph{Nodes: len(succ), Succ: func(v int32, dst []int32) []int32 { return append(dst, succ[v]...) }}
}

// reachable returns which nodes are reachable from which; each reaches itself.
func reachable(succ [][]int32) [][]bool {
	to := make([][]bool, len(succ))
	for v := range to {
		to[v] = make([]bool, len(succ))
		to[v][v] = true
		for _, w := range succ[v] {
			to[v][w] = true
		}
	}
	for via := range to {
		for v := range to {
			for w := range to {
				to[v][w] = to[v][w] || to[v][via] && to[via][w]
			}
		}
	}
	return to
}

func TestComponentsAgreeWithReachability(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		succ := random(rng, 1+rng.IntN(25), 2*rng.Float64())
		g, to := graphOf(succ), reachable(succ)
		if rng.IntN(2) == 0 {
			g.First = []int{rng.IntN(len(succ)), rng.IntN(len(succ))}
		}
		number, components := make([]int, len(succ)), 0
		for c := range g.Components() {
			components++
			for _, v := range c {
				if number[v] != 0 {
					t.Fatalf("%v: node %d is in two components", succ, v)
				}
				number[v] = components
			}
		}
		for v := range to {
			for w := range to {
				if number[v] == 0 || (number[v] == number[w]) != (to[v][w] && to[w][v]) {
					t.Fatalf("%v: nodes %d and %d: components %d and %d", succ, v, w, number[v], number[w])
				}
				if to[v][w] && number[w] > number[v] {
					t.Fatalf("%v: node %d leads to %d, whose component comes later", succ, v, w)
				}
			}
		}
	}
}

func TestEveryCycleHasABackEdge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	back := 0
	for range 100 {
		succ := random(rng, 1+rng.IntN(25), 2*rng.Float64())
		g := graphOf(succ)
		to := reachable(succ)
		rest := make([][]int32, len(succ))
		for v := range succ {
			rest[v] = slices.Clone(succ[v])
		}
		g.Back = func(v, w int32) {
			back++
			if !to[w][v] {
				t.Errorf("%v: the edge from %d to %d is on no cycle", succ, v, w)
			}
			rest[v] = slices.DeleteFunc(rest[v], func(x int32) bool { return x == w })
		}
		for range g.Components() {
		}
		for c := range graphOf(rest).Components() {
			if len(c) > 1 || slices.Contains(rest[c[0]], c[0]) {
				t.Fatalf("%v: without the edges that lead back there is still a cycle: %v", succ, c)
			}
		}
	}
	if back < 100 {
		t.Errorf("only %d edges lead back", back)
	}
}

func TestBackEdgesDependOnTheFirstNode(t *testing.T) {
	for _, first := range []int32{0, 1, 2} { // nodes of a ring
		g := graphOf([][]int32{{1}, {2}, {0}})
		g.First = []int{int(first)}
		var got [][2]int32
		g.Back = func(v, w int32) { got = append(got, [2]int32{v, w}) }
		for range g.Components() {
		}
		if want := [][2]int32{{(first + 2) % 3, first}}; !slices.Equal(got, want) {
			t.Errorf("from %d: %d, want %d", first, got, want)
		}
	}
}

func TestComponentsStopWithTheConsumer(t *testing.T) {
	calls := 0
	g := Graph{Nodes: 10, Succ: func(_ int32, dst []int32) []int32 { calls++; return dst }}
	for range g.Components() {
		break
	}
	testkit.Equal(t, calls, 1, "calls")
}

func TestComponentsAllocateOnceForAllNodes(t *testing.T) {
	g := graphOf(random(rand.New(rand.NewPCG(5, 6)), 10_000, 1.5))
	allocs := testing.AllocsPerRun(3, func() {
		for range g.Components() {
		}
	})
	if allocs > 100 {
		t.Errorf("%.0f allocations for %d nodes", allocs, g.Nodes)
	}
}
