package endgame

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"kroo/games/oware"
	"kroo/internal/scc"
)

// CycleCount describes the cycles among the positions of a level. Without captures, a
// game can return to a position if and only if the position is in a strongly connected
// component of at least two positions.
type CycleCount struct {
	Seeds      int `json:"seeds"`      // in play
	Positions  int `json:"positions"`  // of the level
	InCycles   int `json:"in_cycles"`  // positions that a game can return to
	Components int `json:"components"` // number of components
	Largest    int `json:"largest"`    // positions of the largest component
	Calm       int `json:"calm"`       // positions on a cycle of positions without captures
	Closed     int `json:"closed"`     // calm positions from which every line stays among calm ones
}

// CountCycles finds the strongly connected components of the level with the given number
// of seeds in play, under moves without capture. It needs at least 40 bytes and a few
// microseconds per position.
func CountCycles(ctx context.Context, r oware.Rules, seeds int) (CycleCount, error) {
	if seeds < 0 || seeds > MaxSeeds {
		return CycleCount{}, fmt.Errorf("cycles of %d seeds: expected 0 to %d", seeds, MaxSeeds)
	}
	c := CycleCount{Seeds: seeds, Positions: Positions(seeds)}
	q := quietGraph{ctx: ctx, rules: r, seeds: seeds}
	for component := range q.components(func(int32) bool { return true }) {
		c.Components++
		c.InCycles += len(component)
		c.Largest = max(c.Largest, len(component))
	}
	calm := make([]bool, c.Positions)
	for i := range calm {
		p := PositionAt(r, seeds, i)
		calm[i] = !slices.ContainsFunc(p.AppendMoves(nil), func(m oware.Move) bool { return p.Gain(m) > 0 })
	}
	inCycle := make([]bool, c.Positions)
	for component := range q.components(func(i int32) bool { return calm[i] }) {
		c.Calm += len(component)
		for _, i := range component {
			inCycle[i] = true
		}
	}
	c.Closed = q.closed(inCycle)
	return c, ctx.Err()
}

// quietGraph is the graph of a level's moves without capture.
type quietGraph struct {
	ctx     context.Context
	rules   oware.Rules
	seeds   int
	entered int
}

// successors appends the positions that moves without capture lead to.
func (q *quietGraph) successors(i int32, dst []int32) []int32 {
	if q.entered++; q.entered&0xffff == 0 && q.ctx.Err() != nil {
		return dst // without edges the walk soon returns to components, which stops
	}
	p := PositionAt(q.rules, q.seeds, int(i))
	for set := p.Legal(); set != 0; set &= set - 1 {
		if m := oware.Move(bits.TrailingZeros8(set)); p.Gain(m) == 0 {
			dst = append(dst, int32(within(p.Play(m).Words())))
		}
	}
	return dst
}

// components yields the strongly connected components of at least two positions in the
// subgraph of the positions for which include is true. (No move leads to the same position.)
func (q *quietGraph) components(include func(i int32) bool) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		graph := scc.Graph{Nodes: Positions(q.seeds), Succ: func(i int32, dst []int32) []int32 {
			if !include(i) {
				return dst
			}
			for _, j := range q.successors(i, nil) {
				if include(j) {
					dst = append(dst, j)
				}
			}
			return dst
		}}
		for component := range graph.Components() {
			if q.ctx.Err() != nil || len(component) > 1 && !yield(component) {
				return
			}
		}
	}
}

// closed repeatedly removes the positions with a move out of the set and counts the rest. The
// positions have no captures.
func (q *quietGraph) closed(in []bool) (count int) {
	for again := true; again && q.ctx.Err() == nil; {
		again, count = false, 0
		for i := range in {
			if !in[i] {
				continue
			}
			if count++; slices.ContainsFunc(q.successors(int32(i), nil), func(j int32) bool { return !in[j] }) {
				in[i], again = false, true
			}
		}
	}
	return count
}
