package oware

import (
	"slices"
	"testing"
)

// boards lists all positions with few seeds in play, South to move.
func boards(r Rules, seeds int) (all []Position) {
	var houses [2 * Houses]int
	var place func(i, left int)
	place = func(i, left int) {
		if i == len(houses)-1 {
			houses[i] = left
			p, err := New(r, houses, [2]int{Seeds - seeds, 0}, South)
			if err != nil {
				panic(err)
			}
			all = append(all, p)
			return
		}
		for n := range left + 1 {
			houses[i] = n
			place(i+1, left-n)
		}
	}
	place(0, seeds)
	return all
}

func comparePositions(a, b Position) int {
	switch {
	case a.own != b.own:
		if a.own < b.own {
			return -1
		}
		return 1
	case a.opp < b.opp:
		return -1
	case a.opp > b.opp:
		return 1
	}
	return 0
}

func TestQuietPredecessorsAreAllMovesTakenBack(t *testing.T) {
	for _, rules := range allRules {
		for seeds := range 6 {
			want := map[Position][]Position{}
			for _, p := range boards(rules, seeds) {
				for _, m := range p.AppendMoves(nil) {
					if p.Gain(m) == 0 {
						after := p.Play(m)
						want[after] = append(want[after], p)
					}
				}
			}
			for _, p := range boards(rules, seeds) {
				q := p.Swap() // North to move, South's move is taken back
				got := q.AppendQuietPredecessors(nil)
				slices.SortFunc(got, comparePositions)
				expected := slices.Clone(want[q])
				slices.SortFunc(expected, comparePositions)
				if !slices.Equal(got, expected) {
					t.Fatalf("%s: %s: predecessors %v, want %v", rules, q, got, expected)
				}
			}
		}
	}
}

func TestPredecessorsOfPositionsWithManySeeds(t *testing.T) {
	r := rng(7)
	for _, rules := range allRules {
		for range 2000 {
			p := randomLumpy(r, rules)
			for _, m := range p.AppendMoves(nil) {
				if found := slices.Contains(p.Play(m).AppendQuietPredecessors(nil), p); found != (p.Gain(m) == 0) {
					t.Fatalf("%s, move %d: found %v among the predecessors, captures %d", p, m, found, p.Gain(m))
				}
			}
		}
	}
}
