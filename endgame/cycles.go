package endgame

import (
	"context"
	"fmt"
	"math/bits"

	"kroo/games/oware"
	"kroo/internal/scc"
)

// CycleCount tells of the cycles among the positions of a level: a game without
// captures can return to a position if and only if it is in a strongly connected
// component of two positions or more.
type CycleCount struct {
	Seeds      int `json:"seeds"`      // in play
	Positions  int `json:"positions"`  // of the level
	InCycles   int `json:"in_cycles"`  // of these, positions that a game can return to
	Components int `json:"components"` // that they form
	Largest    int `json:"largest"`    // positions of the largest component
}

// CountCycles finds the strongly connected components of the moves without
// capture between positions with so many seeds in play. It takes 40 bytes a
// position and more, and some microseconds.
func CountCycles(ctx context.Context, r oware.Rules, seeds int) (CycleCount, error) {
	if seeds < 0 || seeds > MaxSeeds {
		return CycleCount{}, fmt.Errorf("cycles of %d seeds: expected 0 to %d", seeds, MaxSeeds)
	}
	c := CycleCount{Seeds: seeds, Positions: Positions(seeds)}
	entered := 0
	quiet := func(i int32, dst []int32) []int32 {
		if entered++; entered&0xffff == 0 && ctx.Err() != nil {
			return dst // without edges the walk soon asks the loop below
		}
		p := PositionAt(r, seeds, int(i))
		for set := p.Legal(); set != 0; set &= set - 1 {
			if m := oware.Move(bits.TrailingZeros8(set)); p.Gain(m) == 0 {
				dst = append(dst, int32(within(p.Play(m).Words())))
			}
		}
		return dst
	}
	graph := scc.Graph{Nodes: c.Positions, Succ: quiet}
	for component := range graph.Components() {
		if ctx.Err() != nil {
			return CycleCount{}, ctx.Err()
		}
		if n := len(component); n > 1 { // a move never leads back to the same position
			c.Components++
			c.InCycles += n
			c.Largest = max(c.Largest, n)
		}
	}
	return c, nil
}
