package endgame

import (
	"context"
	"math/bits"
	"slices"

	"kroo/games/oware"
	"kroo/internal/parallel"
)

// resolver resolves one level.
type resolver struct {
	n      int
	bounds levelValues
	lower  []levelValues
	ctx    context.Context
}

func (r *resolver) isStopped() bool { return r.ctx.Err() != nil }

// gameGraph has the open nodes of one threshold and the moves between them. A
// node is a position and the claimant's role in it, mover or other.
type gameGraph struct {
	r      *resolver
	good   []bool    // the claimant's side has at least as many seeds as the threshold
	moves  []bool    // the claimant is to move
	leaves []uint8   // outcomes of moves that are not in succ: bits 1<<won, 1<<lost, 1<<undecided
	succ   [][]int32 // quiet moves to open nodes
	result []outcome // outcome of a stretch that starts at the node
}

// threshold decides whether the mover is sure of k, where the bounds do not.
func (r *resolver) threshold(k int) thresholdOutcomes {
	nodes := openNodes{r.open(mover, k), r.open(other, k)}
	graph := r.graph(nodes, k)
	hardest := graph.resolveAll()
	return thresholdOutcomes{positions: nodes[mover], outcomes: graph.result[:len(nodes[mover])], hardest: hardest}
}

// thresholdOutcomes has the outcomes of the positions that the bounds leave open for one threshold.
type thresholdOutcomes struct {
	positions []uint32
	outcomes  []outcome
	hardest   int64 // the most work on one position, in nodes as budget counts them
}

// class classifies a node by the values of a level of n seeds: whether the claimant, in the
// given role, is sure of k.
func class(v levelValues, n, role int, i uint32, k int) outcome {
	switch {
	case int(v[role][i]) >= k:
		return won
	case n-int(v[1-role][i]) < k:
		return lost
	}
	return open
}

// openNodes has the positions of the open nodes by role, ascending. It is searched, not
// indexed by position, because an index of the level would take most of the memory.
type openNodes [2][]uint32

// number returns the node of a position, if it is open. Nodes of the mover come first.
func (o openNodes) number(role int, i uint32) (n int32, ok bool) {
	at, ok := slices.BinarySearch(o[role], i)
	if role == other {
		at += len(o[mover])
	}
	return int32(at), ok
}

func (r *resolver) open(role, k int) (list []uint32) {
	for i := range uint32(len(r.bounds[role])) {
		if class(r.bounds, r.n, role, i, k) == open {
			list = append(list, i)
		}
	}
	return list
}

// graph builds the game graph of a threshold from its open nodes.
func (r *resolver) graph(nodes openNodes, k int) *gameGraph {
	graph := &gameGraph{r: r}
	for role, list := range nodes {
		for _, i := range list {
			r.addNode(graph, nodes, role, i, k)
		}
	}
	graph.result = make([]outcome, len(graph.succ))
	return graph
}

// addNode appends the node of position i and its moves to the graph.
func (r *resolver) addNode(graph *gameGraph, nodes openNodes, role int, i uint32, k int) {
	p := unrank(r.n, i).position(oware.Abapa, r.n)
	own, opp := p.SideSeeds()
	leaves, succ := uint8(0), []int32(nil)
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		gain, after := p.Gain(m), p.Play(m)
		j := within(after.Words())
		if gain > 0 {
			leaves |= 1 << r.captureClass(gain, role, j, k)
		} else if node, ok := nodes.number(1-role, j); ok {
			succ = append(succ, node)
		} else {
			leaves |= 1 << class(r.bounds, r.n, 1-role, j, k)
		}
	}
	graph.good = append(graph.good, [2]int{own, opp}[role] >= k)
	graph.moves = append(graph.moves, role == mover)
	graph.leaves, graph.succ = append(graph.leaves, leaves), append(graph.succ, succ)
}

// captureClass is class after a capture by the mover. A position that is open in its level
// counts as undecided.
func (r *resolver) captureClass(gain, role int, j uint32, k int) outcome {
	if role == mover {
		k -= gain
	}
	if c := class(r.lower[r.n-gain], r.n-gain, 1-role, j, k); c != open {
		return c
	}
	return undecided
}

// budget limits the work on a position and threshold, in visited nodes of a few
// nanoseconds each. A position that needs more keeps its bounds. Up to 24 seeds none does:
// the hardest, with eight seeds, needs 173 million.
var budget int64 = 200_000_000

// resolveLevel narrows the bounds of an abapa level to values at the start of a stretch, by a search
// with history. lower are the levels below.
//
// For each threshold k and each player, the search asks whether that player, the claimant, can get k
// of the seeds. The bounds answer for most nodes; it visits only the open rest. A move to a decided
// node ends a line whatever the history: the strategy that wins there stays among decided nodes, and
// the line has visited none of them.
//
// A line that leaves a strongly connected component never returns to it, so the search works on one
// component at a time. It tries every move. A return to a visited node ends the game, so a visited
// node becomes a leaf. After every move the search takes the nodes that the line can still reach,
// solves their co-Büchi games, and drops the nodes that these decide. The rest of the line depends
// only on the remaining graph, which is the key of the memoized results.
//
// It returns the most work that one position and threshold needed, in nodes.
func resolveLevel(ctx context.Context, v levelValues, lower []levelValues, workers int) (int64, error) {
	n := len(lower)
	r := &resolver{n: n, bounds: v, lower: lower, ctx: ctx}
	thresholds := make([]thresholdOutcomes, n+1)
	err := parallel.Do(ctx, workers, n, func(_ context.Context, _, i int) error {
		thresholds[1+i] = r.threshold(1 + i)
		return ctx.Err()
	})
	if err != nil {
		return 0, err
	}
	hardest := int64(0)
	for k, d := range thresholds {
		for at, i := range d.positions {
			switch d.outcomes[at] {
			case won:
				v[mover][i] = max(v[mover][i], uint8(k))
			case lost:
				v[other][i] = max(v[other][i], uint8(n-(k-1)))
			}
		}
		hardest = max(hardest, d.hardest)
	}
	return hardest, nil
}

// outcome is the outcome of a node for one threshold.
type outcome uint8

const (
	open outcome = iota
	won
	lost
	undecided // the budget ran out
)
