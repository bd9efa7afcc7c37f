package endgame

import (
	"fmt"
	"slices"
	"testing"

	"kroo/games/oware"
	"kroo/internal/scc"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// cycles are the positions of a level that a game without captures can return to: those of the
// strongly connected components of two positions or more.
type cycles struct {
	positions int // of the level
	inCycles  int // positions that a game can return to
	largest   int // positions of the largest component
	calm      int // positions that a game can return to by positions where no move captures
	closed    int // of these, positions where every move leads to another of them
}

// quietGraph is the graph of the moves without capture between the positions of a level.
type quietGraph struct {
	rules oware.Rules
	seeds int
}

// countCycles counts the cycles of a level.
func countCycles(rules oware.Rules, seeds int) cycles {
	g := quietGraph{rules, seeds}
	c := cycles{positions: Positions(seeds)}
	everywhere := func(int32) bool { return true }
	for _, size := range g.components(everywhere, nil) {
		c.inCycles += size
		c.largest = max(c.largest, size)
	}
	inCycle := make([]bool, c.positions)
	for _, size := range g.components(g.isCalm, inCycle) {
		c.calm += size
	}
	c.closed = g.closed(inCycle)
	return c
}

// isCalm reports whether no move of a position captures.
func (g quietGraph) isCalm(i int32) bool {
	p := PositionAt(g.rules, g.seeds, int(i))
	return !slices.ContainsFunc(p.AppendMoves(nil), func(m oware.Move) bool { return p.Gain(m) > 0 })
}

// successors appends the positions that moves without capture lead to.
func (g quietGraph) successors(i int32, dst []int32) []int32 {
	p := PositionAt(g.rules, g.seeds, int(i))
	for _, m := range p.AppendMoves(nil) {
		if p.Gain(m) == 0 {
			dst = append(dst, int32(within(p.Play(m).Words())))
		}
	}
	return dst
}

// components returns the sizes of the components of two positions or more among some positions, and
// marks these positions in members. No move leads back to the same position.
func (g quietGraph) components(among func(i int32) bool, members []bool) (sizes []int) {
	graph := scc.Graph{Nodes: Positions(g.seeds), Succ: func(i int32, dst []int32) []int32 {
		if !among(i) {
			return dst
		}
		for _, j := range g.successors(i, nil) {
			if among(j) {
				dst = append(dst, j)
			}
		}
		return dst
	}}
	for component := range graph.Components() {
		if len(component) == 1 {
			continue
		}
		sizes = append(sizes, len(component))
		for _, i := range component {
			if members != nil {
				members[i] = true
			}
		}
	}
	return sizes
}

// closed removes the positions that a move leads out of, until there are none, and counts the rest.
func (g quietGraph) closed(in []bool) int {
	for {
		count := 0
		removed := false
		for i := range in {
			if !in[i] {
				continue
			}
			in[i] = !slices.ContainsFunc(g.successors(int32(i), nil), func(j int32) bool { return !in[j] })
			if in[i] {
				count++
			} else {
				removed = true
			}
		}
		if !removed {
			return count
		}
	}
}

func TestCyclesAgreeWithASearchFromEachPosition(t *testing.T) {
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		for n := 1; n <= 4; n++ {
			want := 0
			for i := range Positions(n) {
				if canReturn(PositionAt(rules, n, i)) {
					want++
				}
			}
			testkit.Equal(t, countCycles(rules, n).inCycles, want, "%s, %d seeds: positions in cycles", rules, n)
		}
	}
}

// canReturn reports whether moves without capture lead from p back to p, or to its mirror image,
// which is the same board for the side to move.
func canReturn(p oware.Position) bool {
	seen := map[uint32]bool{}
	queue := []oware.Position{p}
	for len(queue) > 0 {
		q := queue[0]
		queue = queue[1:]
		for _, m := range q.AppendMoves(nil) {
			child := q.Play(m)
			at := within(child.Words())
			if q.Gain(m) == 0 && !seen[at] {
				seen[at] = true
				queue = append(queue, child)
			}
		}
	}
	return seen[within(p.Words())]
}

// TestCyclesOfAbapa pins what docs/sources.md compares with Sala Soler 2014, sections 6.3.1 and
// 6.3.2. KROO_LONG=1 counts all levels of up to 16 seeds.
func TestCyclesOfAbapa(t *testing.T) {
	seeds := 10
	if testenv.Long() {
		seeds = 16
	}
	inCycles := map[int]int{7: 26_127, 8: 65_036, 9: 148_666, 10: 317_550, 12: 1_235_429, 15: 7_061_295}
	positions := 0
	sum := 0
	for n := 1; n <= seeds; n++ {
		c := countCycles(oware.Abapa, n)
		if want, ok := inCycles[n]; ok {
			testkit.Equal(t, c.inCycles, want, "%d seeds: positions in cycles", n)
			testkit.Equal(t, c.largest, want, "%d seeds: positions of the largest component", n)
		}
		positions += c.positions
		sum += c.inCycles
		if n == 15 {
			testkit.Equal(t, sum, 15_875_659, "positions in cycles, up to 15 seeds")
			testkit.Equal(t, share(sum, positions), "91.32 %", "share of positions in cycles, up to 15 seeds")
		}
		if n == 16 {
			testkit.Equal(t, share(c.inCycles, c.positions), "91.10 %", "share of positions in cycles, 16 seeds")
		}
	}
}

func share(part, whole int) string { return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(whole)) }

// TestOnlyTwoSeedsCanCirculateForever: with two seeds half a round apart, whatever is played, nobody
// ever captures. No other positions up to 8 seeds, or up to 13 with KROO_LONG=1, are like that.
func TestOnlyTwoSeedsCanCirculateForever(t *testing.T) {
	calm := map[int]int{1: 0, 2: 12, 3: 140, 4: 730, 5: 2700, 6: 8101, 7: 21_397, 8: 49_643}
	seeds := 8
	if testenv.Long() {
		seeds = 13
	}
	for n := 1; n <= seeds; n++ {
		c := countCycles(oware.Abapa, n)
		if want, ok := calm[n]; ok {
			testkit.Equal(t, c.calm, want, "%d seeds: positions of cycles without captures to decline", n)
		}
		closed := 0
		if n == 2 {
			closed = 12
		}
		testkit.Equal(t, c.closed, closed, "%d seeds: positions that no move leads out of", n)
	}
}
