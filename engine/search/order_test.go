package search

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// sortedTwin returns moves and their priorities, sorted by the standard library.
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
		p := testkit.Must(oware.Unrank(oware.Abapa, rng.Int64N(oware.Ranks), oware.South))(t)
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

// oneByOne is an evaluator without AppendValues.
type oneByOne struct{}

func (oneByOne) Evaluate(p oware.Position) int {
	own, opp := p.SideSeeds()
	return 100*(p.Store()-p.OpponentStore()) + 7*(own-opp) + 3*p.House(2)
}

// allAtOnce is oneByOne with AppendValues.
type allAtOnce struct {
	oneByOne
	positions *int
}

func (e allAtOnce) AppendValues(dst []int32, ps []oware.Position) []int32 {
	*e.positions += len(ps)
	for _, p := range ps {
		dst = append(dst, int32(e.Evaluate(p)))
	}
	return dst
}

func TestBatchEvaluationGivesTheSameSearch(t *testing.T) {
	tuning, positions := Tuning{RankDepth: 3}, 0
	once := NewSearcher(Knowledge[oware.Position]{Eval: allAtOnce{positions: &positions}, Tuning: tuning}, Options{HashMB: -1})
	twin := NewSearcher(Knowledge[oware.Position]{Eval: oneByOne{}, Tuning: tuning}, Options{HashMB: -1})
	rng := rand.New(rand.NewPCG(78, 0))
	for range 60 {
		p := testkit.Must(oware.Unrank(oware.Abapa, rng.Int64N(oware.Ranks), oware.South))(t)
		got := once.Search(t.Context(), p, nil, Limits{Depth: 8}, Query{})
		want := twin.Search(t.Context(), p, nil, Limits{Depth: 8}, Query{})
		got.Time, want.Time = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %+v; one by one %+v", p, got, want)
		}
	}
	if positions == 0 {
		t.Error("AppendValues is not called")
	}
}
