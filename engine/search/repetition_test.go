package search

import (
	"context"
	"math/rand/v2"
	"testing"

	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// In these positions a cache by position and depth alone gives another score than plain search,
// even without a history: the same position is reached by two lines, and its value depends on
// which positions can be repeated.
func TestSearchIsRightWhereNaiveCachingIsWrong(t *testing.T) {
	for _, tt := range []struct {
		rules              oware.Rules
		board              string
		depth, naive, want int
	}{
		{oware.Abapa, "1-0-2-0-0-0-0-1-0-0-0-0-22-22-S", 13, 200, Win - 13},
		{oware.Abapa, "1-0-1-0-0-0-1-0-0-0-0-0-22-23-S", 14, -100, 0},
		{oware.Awari, "1-0-0-0-0-0-0-1-0-1-0-0-22-23-S", 15, -100, 14 - Win},
		{oware.Awari, "1-2-0-0-0-2-0-1-0-0-1-0-20-21-S", 17, 300, 100},
	} {
		p := testkit.Must(oware.ParseBoard(tt.rules, tt.board))(t)
		if got, _ := AlphaBeta(p, nil, tt.depth, owarefeatures.Captures{}); got != tt.want {
			t.Errorf("%v %v depth %d: alpha-beta %d: want %d", tt.rules, p, tt.depth, got, tt.want)
		}
		testkit.Equal(t, newNaive(nil, map[naiveKey]int{}).search(p, tt.depth, 0), tt.naive, "%v %v depth %d: naive cache", tt.rules, p, tt.depth)
		for i, s := range strictSearchers() {
			if got := s.Search(context.Background(), p, nil, Limits{Depth: tt.depth}, Query{}); got.Score != tt.want {
				t.Errorf("%v %v depth %d: searcher %d: %d: want %d", tt.rules, p, tt.depth, i, got.Score, tt.want)
			}
		}
	}
}

// A key at an odd distance hashes differently from one at an even distance, independent of the
// index of the node.
func TestPathHashDistinguishesParity(t *testing.T) {
	const a = 0x1234
	even, odd := pathHash{}.with(a, 2).seenFrom(4), pathHash{}.with(a, 3).seenFrom(4)
	if even == odd {
		t.Error("same hash for even and odd distances")
	}
	testkit.Equal(t, (pathHash{}).with(a, 3).seenFrom(5), even, "the hash depends on the index, not on the distance")
}

// Only positions since the last irreversible move that are at least MinCycle-depth plies back are
// in the path hash of a node.
func TestPathKeyStartsAtTheIrreversibleMove(t *testing.T) {
	s := newSearcher(captures, Options{}, newTable(1))
	s.minCycle = 12
	s.pathHashes = make([]pathHash, 20)
	for at := range s.pathHashes {
		s.extendPath(uint64(at)+1, at, max(at-3, 0)) // index 3 is just after a capture
	}
	sum := func(from, to int) (x pathHash) {
		for at := from; at <= to; at++ {
			x = x.with(uint64(at)+1, at)
		}
		return x
	}
	for _, tt := range []struct {
		at, depth int
		want      uint64
	}{
		{14, 0, 0}, // index 2 is before the capture
		{14, 1, sum(3, 3).seenFrom(14)},
		{15, 0, sum(3, 3).seenFrom(15)},
		{15, 4, sum(3, 7).seenFrom(15)},
		{5, 30, sum(3, 4).seenFrom(5)}, // never the node itself
		{3, 30, 0},
	} {
		testkit.Equal(t, s.pathKey(tt.at, tt.depth, max(tt.at-3, 0)), tt.want, "pathKey(%d, %d)", tt.at, tt.depth)
	}
}

// The table has a value of depth 10 for a node that is searched two plies deep, without
// StrictDepth. Nine plies after a capture, two plies cannot repeat a position but ten can: the
// value may be used only right after the capture.
func TestDeeperValueNeedsTheSamePath(t *testing.T) {
	const planted = 5000
	p := board(t, oware.Abapa, "1-0-0-0-0-0-1-0-0-0-0-0-22-24-S")
	var history []oware.Position
	for range 8 {
		history = append(history, p)
		p = p.Play(p.AppendMoves(nil)[0])
	}
	s := newSearcher(captures, Options{}, newTable(1))
	s.tuning.TableDepth = 1
	s.clock.start(context.Background(), Limits{}, nil)
	s.setRoot(p, history)
	node := p.Play(p.AppendMoves(nil)[0])
	for _, tt := range []struct {
		quiet int
		taken bool
	}{{0, true}, {9, false}} {
		s.Clear()
		s.table.store(node.Key(), node.Key(), entryOf(noMove, planted, 10, boundLower))
		if got := s.search(node, 2, 0, 1, 1, tt.quiet); (got == planted) != tt.taken {
			t.Errorf("%d plies after the capture: score %d, want the planted %d: %t", tt.quiet, got, planted, tt.taken)
		}
	}
}

// endings returns positions under arena rules with few plies left: their histories are padded
// to the ply limit.
func endings(rng *rand.Rand, n, maxLeft int) (list []situation) {
	for _, x := range append(midgames(rng, oware.Arena, n/2), endgames(rng, oware.Arena, n/2, 14)...) {
		if _, over := x.root.Terminal(); over {
			continue
		}
		limit, _ := x.root.PlyLimit()
		for left := 1 + rng.IntN(maxLeft); len(x.history) < limit-left; {
			x.history = append([]oware.Position{oware.Start(oware.Arena)}, x.history...)
		}
		list = append(list, x)
	}
	return list
}

// The strict search agrees with alpha-beta through warm tables, which have the same positions
// with other numbers of plies left.
func TestPlyLimitIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 0))
	searchers := strictSearchers()
	matters := 0
	for _, x := range endings(rng, 400, 8) {
		for less := range 3 {
			history := x.history[min(less, len(x.history)):]
			depth := 1 + rng.IntN(8)
			want, _ := AlphaBeta(x.root, history, depth, owarefeatures.Captures{})
			if bare, _ := AlphaBeta(x.root, nil, depth, owarefeatures.Captures{}); bare != want {
				matters++
			}
			for i, s := range searchers {
				got := s.Search(context.Background(), x.root, history, Limits{Depth: depth}, Query{})
				testkit.Equal(t, got.Score, want, "%v depth %d, %d plies before, searcher %d", x.root, depth, len(history), i)
			}
		}
	}
	if matters < 50 {
		t.Errorf("the limit matters in %d positions only", matters)
	}
}

// A selective search of any depth proves only true wins and losses: quiescence must not
// continue beyond the ply limit.
func TestPlyLimitProofsAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	s := newSearcher(Knowledge[oware.Position]{Eval: owarefeatures.Captures{}}, Options{}, newTable(1<<20))
	s.tuning.TableDepth = 1
	proofs := 0
	for _, x := range endings(rng, 600, 6) {
		limit, _ := x.root.PlyLimit()
		left := limit - len(x.history)
		want, _ := AlphaBeta(x.root, x.history, left, owarefeatures.Captures{})
		for _, depth := range []int{1, 2, left, left + 3} {
			got := s.Search(context.Background(), x.root, x.history, Limits{Depth: depth}, Query{})
			if Proven(got.Score) {
				proofs++
				if got.Score > 0 != (want > 0) || want == 0 {
					t.Errorf("%v, %d plies left, depth %d: %d, but the game ends with %d", x.root, left, depth, got.Score, want)
				}
			} else if depth >= left && want != 0 {
				t.Errorf("%v, %d plies left, depth %d: %d, but the game ends with %d", x.root, left, depth, got.Score, want)
			}
		}
	}
	if proofs < 400 {
		t.Errorf("%d proofs only", proofs)
	}
}

func TestPlyLimitEndsTheGameAtTheRoot(t *testing.T) {
	p := board(t, oware.Arena, "1-0-0-0-0-1-1-0-0-0-0-1-23-21-S")
	s := NewSearcher(captures, Options{HashMB: -1})
	for plies, over := range map[int]bool{199: false, 200: true, 201: true} {
		r := s.Search(context.Background(), p, make([]oware.Position, plies), Limits{Depth: 3}, Query{})
		if r.Terminal != over || r.Score <= 0 {
			t.Errorf("after %d plies: %+v", plies, r)
		}
	}
}

// stones is a game that ends only for lack of moves, which its Terminal does not report: take one
// to three stones; a side without stones to take has lost. Its moves are irreversible and quiet.
type stones int

func (p stones) AppendMoves(dst []Move) []Move {
	for m := 1; m <= min(3, int(p)); m++ {
		dst = append(dst, Move(m))
	}
	return dst
}
func (p stones) Play(m Move) stones         { return p - stones(m) }
func (p stones) Terminal() (int, bool)      { return 0, false }
func (p stones) NoMoves() int               { return -1 }
func (p stones) Repetition(int) (int, bool) { return 0, false }
func (p stones) Progress() int              { return -int(p) }
func (p stones) MinCycle() int              { return 1 }
func (p stones) DrawClock() int             { return 0 }
func (p stones) PlyLimit() (int, int)       { return 0, 0 }
func (p stones) Key() uint64                { return (uint64(p) + 1) * 0x9e37_79b9_7f4a_7c15 }
func (p stones) AppendHints(dst []int32, moves []Move) []int32 {
	return append(dst, make([]int32, len(moves))...)
}

var evenStones = EvaluatorFunc[stones](func(stones) int { return 0 })

// A number of stones is lost for the side to move if and only if four divides it.
func TestGameThatEndsForLackOfMoves(t *testing.T) {
	k := Knowledge[stones]{Eval: evenStones}
	for n := range stones(13) {
		plies := int(n) + 1
		want, _ := Minimax(n, nil, plies, evenStones)
		if (want < 0) != (n%4 == 0) || !Proven(want) {
			t.Errorf("%d stones: minimax gives %d", n, want)
		}
		for _, o := range []Options{{HashMB: -1, StrictDepth: true}, {HashMB: -1}} {
			got := NewSearcher(k, o).Search(context.Background(), n, nil, Limits{Depth: 3 * plies}, Query{})
			if got.Score != want || got.Terminal != (n == 0) {
				t.Errorf("%d stones, %+v: %d, terminal %t: want %d", n, o, got.Score, got.Terminal, want)
			}
		}
	}
}

// Reductions depend on whether moves are tactical, not on whether they are reversible.
func TestIrreversibleQuietMovesAreReduced(t *testing.T) {
	k := Knowledge[stones]{Eval: evenStones}
	nodes := func(o Options) int64 {
		return NewSearcher(k, o).Search(context.Background(), 60, nil, Limits{Depth: 12}, Query{}).Nodes
	}
	if full, selective := nodes(Options{HashMB: 1, FullWidth: true}), nodes(Options{HashMB: 1}); selective >= full {
		t.Errorf("%d nodes, %d at full width", selective, full)
	}
}

// clocked is oware with a draw clock of 14 plies.
type clocked struct{ oware.Position }

func (p clocked) Play(m Move) clocked { return clocked{p.Position.Play(m)} }
func (p clocked) DrawClock() int      { return 14 }

var clockedCaptures = EvaluatorFunc[clocked](func(p clocked) int { return owarefeatures.Captures{}.Evaluate(p.Position) })

// The strict search agrees with alpha-beta, through warm tables and with several histories.
func TestDrawClockIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 0))
	matters := 0
	for _, r := range allRules {
		var searchers []*Searcher[clocked]
		for _, size := range tableSizes {
			s := newSearcher(Knowledge[clocked]{Eval: clockedCaptures}, Options{StrictDepth: true}, newTable(size))
			s.tuning.TableDepth = 1
			searchers = append(searchers, s)
		}
		for _, x := range endgames(rng, r, 300, 4) {
			depth := 2 + rng.IntN(10)
			history := make([]clocked, len(x.history))
			for i, p := range x.history {
				history[i] = clocked{p}
			}
			history = history[max(0, len(history)-rng.IntN(14)):]
			want, _ := AlphaBeta(clocked{x.root}, history, depth, clockedCaptures)
			if bare, _ := AlphaBeta(x.root, x.history[len(x.history)-len(history):], depth, owarefeatures.Captures{}); bare != want {
				matters++
			}
			for i, s := range searchers {
				got := s.Search(context.Background(), clocked{x.root}, history, Limits{Depth: depth}, Query{})
				testkit.Equal(t, got.Score, want, "%v %v depth %d, %d plies before, searcher %d", r, x.root, depth, len(history), i)
			}
		}
	}
	if matters < 20 {
		t.Errorf("the clock matters in %d positions only", matters)
	}
}

func TestDrawClockEndsTheGameAtTheRoot(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	s := NewSearcher(Knowledge[clocked]{Eval: clockedCaptures}, Options{HashMB: -1})
	for games := 0; games < 20; {
		p := fewSeeds(rng, oware.Awari, 16)
		var line []oware.Position
		var history []clocked
		for len(line) < 14 {
			q, ok := quietMove(rng, p, line)
			if !ok {
				break
			}
			line, history, p = append(line, p), append(history, clocked{p}), q
		}
		if len(line) < 14 {
			continue
		}
		games++
		for from, want := range map[int]bool{0: true, 1: false} {
			if r := s.Search(context.Background(), clocked{p}, history[from:], Limits{Depth: 2}, Query{}); r.Terminal != want || want && r.Score != 0 {
				t.Errorf("%v, %d plies before: %+v", p, len(history)-from, r)
			}
		}
	}
}

// southInCheck is an artificial check: South may not stand pat with a seed in house A.
func southInCheck(p oware.Position) bool { return p.ToMove() == oware.South && p.House(0) > 0 }

// quiesceInCheckTwin is quiescence with checks, without window and move order.
func quiesceInCheckTwin(p oware.Position, ply int) int {
	if diff, over := p.Terminal(); over {
		return finalScore(diff, ply)
	}
	best := owarefeatures.Captures{}.Evaluate(p)
	if southInCheck(p) {
		best = -Win
	}
	for _, m := range p.AppendMoves(nil) {
		if southInCheck(p) || p.Gain(m) > 0 {
			best = max(best, -quiesceInCheckTwin(p.Play(m), ply+1))
		}
	}
	return best
}

func TestSideInCheckDoesNotStandPat(t *testing.T) {
	k := captures
	k.InCheck = southInCheck
	s, free := NewSearcher(k, Options{HashMB: -1}), NewSearcher(captures, Options{HashMB: -1})
	differs := 0
	for _, p := range endingsOf(t, 2000) {
		if _, over := p.Terminal(); over {
			continue
		}
		s.clock.start(context.Background(), Limits{}, nil)
		free.clock.start(context.Background(), Limits{}, nil)
		got, want := s.quiesce(p, -Win, Win, 3), quiesceInCheckTwin(p, 3)
		testkit.Equal(t, got, want, "%s", p)
		if got != free.quiesce(p, -Win, Win, 3) {
			differs++
		}
		if r := s.staticPruning(p, 1, -5000, -4999); (r == pruning{}) != southInCheck(p) {
			t.Errorf("%s: static pruning in check: %+v", p, r)
		}
	}
	if differs < 20 {
		t.Errorf("the check matters in %d positions only", differs)
	}
}
