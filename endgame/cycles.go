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

// CycleCount counts the cycles among the positions of a level: a game without
// captures can return to a position if and only if it is in a strongly connected
// component of two positions or more.
type CycleCount struct {
	Seeds      int `json:"seeds"`      // in play
	Positions  int `json:"positions"`  // of the level
	InCycles   int `json:"in_cycles"`  // of these, positions that a game can return to
	Components int `json:"components"` // that they form
	Largest    int `json:"largest"`    // positions of the largest component
	Calm       int `json:"calm"`       // positions that a game can return to by positions without any capture
	Closed     int `json:"closed"`     // of these, positions where every move leads to another of them
}

// CountCycles finds the strongly connected components of the moves without
// capture between positions with a number of seeds in play. It takes 40 bytes per
// position and more, and some microseconds.
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

// quietGraph is the graph of the moves without capture of a level.
type quietGraph struct {
	ctx     context.Context
	rules   oware.Rules
	seeds   int
	entered int
}

// successors appends the positions that moves without capture lead to.
func (q *quietGraph) successors(i int32, dst []int32) []int32 {
	if q.entered++; q.entered&0xffff == 0 && q.ctx.Err() != nil {
		return dst // without edges the walk soon asks the loop of components
	}
	p := PositionAt(q.rules, q.seeds, int(i))
	for set := p.Legal(); set != 0; set &= set - 1 {
		if m := oware.Move(bits.TrailingZeros8(set)); p.Gain(m) == 0 {
			dst = append(dst, int32(within(p.Play(m).Words())))
		}
	}
	return dst
}

// components are the strongly connected components of two positions or more among some of
// the positions. (A move never leads back to the same position.)
func (q *quietGraph) components(among func(i int32) bool) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		graph := scc.Graph{Nodes: Positions(q.seeds), Succ: func(i int32, dst []int32) []int32 {
			if !among(i) {
				return dst
			}
			for _, j := range q.successors(i, nil) {
				if among(j) {
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

// closed removes, until none is left to remove, the positions that a move leads out of, and
// counts the rest. They have no capture.
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
