package search

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"kroo/endgame"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestBucketIsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(bucket{}); size != 64 || bucketBytes != 64 || unsafe.Sizeof(entry{}) != 16 {
		t.Errorf("a bucket has %d bytes, an entry %d: want 64 and 16", size, unsafe.Sizeof(entry{}))
	}
}

func TestEntriesSurviveARoundTrip(t *testing.T) {
	for _, score := range []int{0, 1, -1, MaxHeuristic, -MaxHeuristic, Win, -Win} {
		for _, depth := range []int{0, 1, MaxPly} {
			for bound := boundLower; bound <= boundExact; bound++ {
				tab := newTable(1)
				tab.newSearch()
				tab.store(7, 9, entryOf(0x1234, score, depth, bound))
				e, ok := tab.probe(7, 9)
				if !ok || e.move() != 0x1234 || e.score() != score || e.depth() != depth || e.bound() != bound || e.age() != 1 || e.gen() != 1 {
					t.Errorf("stored %d %d %d: got %v %d %d %d", score, depth, bound, ok, e.score(), e.depth(), e.bound())
				}
			}
		}
	}
}

// Whatever a tiny table returns is the last result stored under that key.
func TestProbeReturnsTheLastResultOfTheKey(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	tab := newTable(8 * bucketBytes)
	last := map[uint64]int{}
	hits := 0
	for range 20_000 {
		key := uint64(rng.IntN(200)) * 0x9e37_79b9_7f4a_7c15
		if e, ok := tab.probe(key, key); ok {
			hits++
			if e.score() != last[key] {
				t.Fatalf("key %#x: score %d: last stored %d", key, e.score(), last[key])
			}
		}
		last[key] = rng.IntN(1000)
		tab.store(key, key, entryOf(1, last[key], rng.IntN(20), boundExact))
	}
	if hits == 0 {
		t.Error("no hits")
	}
}

func TestTableKeepsTheDeepest(t *testing.T) {
	tab := newTable(1)
	for key := uint64(1); key <= 100; key++ {
		depth := 1
		if key%40 == 0 { // 40 and 80
			depth = 9
		}
		tab.store(0, key, entryOf(1, 0, depth, boundExact))
	}
	for _, key := range []uint64{40, 80, 100} { // the deepest and the newest
		if _, ok := tab.probe(0, key); !ok {
			t.Errorf("entry %d is gone", key)
		}
	}
}

func TestTableReplacesEarlierSearchesFirst(t *testing.T) {
	tab := newTable(1)
	for key := uint64(1); key <= 3; key++ {
		tab.store(0, key, entryOf(1, 0, 20, boundExact))
	}
	tab.newSearch()
	for key := uint64(11); key <= 13; key++ {
		tab.store(0, key, entryOf(1, 0, 5, boundExact))
	}
	for key := uint64(11); key <= 13; key++ {
		if _, ok := tab.probe(0, key); !ok {
			t.Errorf("entry %d of this search did not replace a deeper one of an earlier search", key)
		}
	}
}

func TestTableKeepsTheMoveWhenThereIsNoNewOne(t *testing.T) {
	tab := newTable(1)
	tab.store(0, 1, entryOf(5, 10, 3, boundExact))
	tab.store(0, 1, entryOf(noMove, 20, 4, boundUpper))
	if e, ok := tab.probe(0, 1); !ok || e.move() != 5 || e.score() != 20 {
		t.Errorf("move %d, score %d, found %t: want 5, 20", e.move(), e.score(), ok)
	}
}

// The test cycles through all generations: an entry not wiped would reappear when its generation
// recurs.
func TestClearEmptiesTheTable(t *testing.T) {
	tab := newTable(1)
	tab.store(0, 1, entryOf(1, 0, 3, boundExact))
	if _, ok := tab.probe(0, 1); !ok {
		t.Fatal("not stored")
	}
	for round := range genLimit + 5 {
		tab.clear()
		if e, ok := tab.probe(0, 1); ok {
			t.Fatalf("after %d clears: found %+v", round+1, e)
		}
	}
}

// Keys that differ in a single bit are different.
func TestTableComparesTheWholeKey(t *testing.T) {
	const key = 0x0123_4567_89ab_cdef
	tab := newTable(1)
	tab.store(0, key, entryOf(1, 0, 3, boundExact))
	for bit := range 64 {
		if e, ok := tab.probe(0, key^1<<bit); ok {
			t.Errorf("bit %d: found %+v", bit, e)
		}
	}
}

// quiesceTwin is quiescence without window and move order.
func quiesceTwin(p oware.Position, ply int, eval Evaluator[oware.Position], known func(oware.Position, int) (int, bool)) int {
	best := eval.Evaluate(p)
	for _, m := range p.AppendMoves(nil) {
		if p.Gain(m) == 0 {
			continue
		}
		child := p.Play(m)
		score, ok := known(child, ply+1)
		if diff, over := child.Terminal(); over {
			score = finalScore(diff, ply+1)
		} else if !ok {
			score = quiesceTwin(child, ply+1, eval, known)
		}
		best = max(best, -score)
	}
	return best
}

func TestQuiescenceAgreesWithItsTwin(t *testing.T) {
	table := testkit.Must(endgame.Default(oware.Abapa))(t)
	for _, prober := range []Prober[oware.Position]{nil, table} {
		k := captures
		k.Prober = prober
		s := NewSearcher(k, Options{HashMB: 1})
		for _, p := range endingsOf(t, 300) {
			if _, over := p.Terminal(); over {
				continue
			}
			s.clock.start(context.Background(), Limits{}, nil)
			got := s.quiesce(p, -Win, Win, 3)
			want := quiesceTwin(p, 3, owarefeatures.Captures{}, func(p oware.Position, ply int) (int, bool) { return s.probeEndgame(p, -Win, Win, ply) })
			testkit.Equal(t, got, want, "%s", p)
			for _, alpha := range []int{-300, 0, 200} { // a null window finds the side of the value
				bound := s.quiesce(p, alpha, alpha+1, 3)
				testkit.Equal(t, (bound > alpha), (want > alpha), "%s: %d in the window above %d, want %d", p, bound, alpha, want)
			}
		}
	}
}

// endingsOf returns positions of random games with 6 to 16 seeds.
func endingsOf(t *testing.T, n int) (positions []oware.Position) {
	t.Helper()
	for seed := uint64(0); len(positions) < n; seed++ {
		r := rand.New(rand.NewPCG(seed, 5))
		g := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
		for {
			if _, _, over := g.Over(); over {
				break
			}
			moves := g.Position().AppendMoves(nil)
			testkit.NoError(t, g.Play(moves[r.IntN(len(moves))]))
			if n := g.Position().SeedsInPlay(); n <= 16 && n >= 6 {
				positions = append(positions, g.Position())
			}
		}
	}
	return positions[:n]
}

// A search of one ply scores all captures by the table.
func TestProberDecidesAfterCaptures(t *testing.T) {
	table := testkit.Must(endgame.Default(oware.Awari))(t)
	decided := 0
	for i := 0; i < endgame.Positions(13); i += 9973 {
		p := endgame.PositionAt(oware.Awari, 13, i)
		if _, over := p.Terminal(); over {
			continue
		}
		k := captures
		k.Prober = table
		s := NewSearcher(k, Options{HashMB: 1, FullWidth: true})
		best := -Win
		for _, m := range p.AppendMoves(nil) {
			child := p.Play(m)
			score := -owarefeatures.Captures{}.Evaluate(child)
			if diff, over := child.Terminal(); over {
				score = -finalScore(diff, 1)
			} else if p.Gain(m) > 0 {
				decided++
				low, _, _ := table.Final(child)
				switch {
				case low > 0:
					score = -(tableWin + marginScore*low - 1)
				case low < 0:
					score = tableWin - marginScore*low - 1
				default:
					score = 0
				}
			}
			best = max(best, score)
		}
		if r := s.Search(context.Background(), p, nil, Limits{Depth: 1}, Query{}); r.Score != best {
			t.Errorf("%s: %d, want %d", p, r.Score, best)
		}
	}
	if decided < 50 {
		t.Errorf("only %d captures", decided)
	}
}

// There is no static pruning at full width, farther from the leaves, outside null windows, or
// near proven scores.
func TestStaticPruningIsOnlyInTheLastPlies(t *testing.T) {
	p := board(t, oware.Abapa, "4-4-4-4-4-0-5-5-5-5-0-0-6-2-S") // four seeds ahead
	static := owarefeatures.Captures{}.Evaluate(p)
	plain := NewSearcher(captures, Options{HashMB: 1, FullWidth: true})
	for _, m := range []Tuning{{}, {Futility: 40, ReverseFutility: 70}} {
		k := captures
		k.Tuning = m
		s := NewSearcher(k, Options{HashMB: 1})
		m = s.tuning
		for depth := 1; depth <= reverseFutilityDepth+1; depth++ {
			low, high := static-m.ReverseFutility*depth, static+m.Futility*depth
			if r := s.staticPruning(p, depth, low-1, low); r.failHigh != (depth <= reverseFutilityDepth) || r.failHigh && r.least != low {
				t.Errorf("%+v, depth %d, beta %d: %+v", m, depth, low, r)
			}
			if r := s.staticPruning(p, depth, low, low+1); r.failHigh || r.futile {
				t.Errorf("%+v, depth %d, beta %d: %+v", m, depth, low+1, r)
			}
			if r := s.staticPruning(p, depth, high, high+1); r.futile != (depth <= futilityDepth) || r.futile && r.most != high {
				t.Errorf("%+v, depth %d, alpha %d: %+v", m, depth, high, r)
			}
			for _, w := range [][2]int{{-Win, Win}, {low - 2, low}, {-Win, 1 - Win}, {Win - 1, Win}} {
				if r := s.staticPruning(p, depth, w[0], w[1]); r != (pruning{}) {
					t.Errorf("%+v, depth %d, window %v: %+v", m, depth, w, r)
				}
			}
			if r := plain.staticPruning(p, depth, -5000, -4999); r != (pruning{}) {
				t.Errorf("full width: %+v", r)
			}
		}
	}
}

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
	if !slices.Equal(moves, []Move{4, 0, 2, 1}) || !slices.Equal(priority, []int32{hashPriority, 0, 3 - postponement, -postponement}) {
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
