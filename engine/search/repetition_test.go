package search

import (
	"context"
	"testing"

	evaluations "kroo/features/oware"
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
		if got, _ := AlphaBeta(p, nil, tt.depth, evaluations.Captures{}); got != tt.want {
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
	s.clock.start(context.Background(), Limits{})
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
