package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/games/oware"
)

// sortedTwin is a list of moves and their priorities sorted by the library.
func sortedTwin(p oware.Position, hashMove Move, keep func(priority int32) bool) (moves []Move, priority []int32) {
	all := p.AppendMoves(nil)
	of := map[Move]int32{}
	for _, m := range all {
		if of[m] = int32(p.Gain(m)); m == hashMove {
			of[m] = hashPriority
		}
		if keep(of[m]) {
			moves = append(moves, m)
		}
	}
	slices.SortStableFunc(moves, func(a, b Move) int { return int(of[b] - of[a]) })
	for _, m := range moves {
		priority = append(priority, of[m])
	}
	return moves, priority
}

func TestOrderIsHashMoveThenHintsThenNatural(t *testing.T) {
	rng := rand.New(rand.NewPCG(77, 0))
	s := NewSearcher(captures, Options{HashMB: -1})
	captured := 0
	for range 20_000 {
		p, err := oware.Unrank(oware.Abapa, rng.Int64N(oware.Ranks), oware.South)
		if err != nil {
			t.Fatal(err)
		}
		hashMove := Move(rng.IntN(oware.Houses + 1)) // not always legal
		moves, priority := s.orderMoves(p, hashMove, 3)
		wantMoves, want := sortedTwin(p, hashMove, func(int32) bool { return true })
		if !slices.Equal(moves, wantMoves) || !slices.Equal(priority, want) {
			t.Fatalf("%s, hash move %d: %v %v; want %v %v", p, hashMove, moves, priority, wantMoves, want)
		}
		moves, priority = s.tacticalMoves(p, 4)
		wantMoves, want = sortedTwin(p, noMove, func(v int32) bool { return v > 0 })
		if !slices.Equal(moves, wantMoves) || !slices.Equal(priority, want) {
			t.Fatalf("%s: tactical %v %v; want %v %v", p, moves, priority, wantMoves, want)
		}
		captured += len(moves)
	}
	if captured < 5_000 {
		t.Errorf("only %d tactical moves", captured)
	}
}

func TestPostponedMovesComeLastInOrder(t *testing.T) {
	moves, priority := []Move{4, 2, 0, 1}, []int32{hashPriority, 3, 0, 0}
	postpone(moves, priority, 1)
	postpone(moves, priority, 2)
	if !slices.Equal(moves, []Move{4, 0, 2, 1}) || !slices.Equal(priority, []int32{hashPriority, 0, 3 - deferral, -deferral}) {
		t.Errorf("%v %v", moves, priority)
	}
}
