package search

import (
	"context"
	"testing"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// TestNaiveCachingIsWrongHere has positions on which a cache that knows only
// position and depth gives another score than plain search, without any
// history: the same position comes up behind two beginnings of the line, and
// what it is worth depends on which positions may be repeated.
func TestNaiveCachingIsWrongHere(t *testing.T) {
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
				t.Errorf("%v %v depth %d: searcher %d says %d: want %d", tt.rules, p, tt.depth, i, got.Score, tt.want)
			}
		}
	}
}

// TestPathHashIsOfACollection: the order of the positions does not matter, how
// often they occur there does.
func TestPathHashIsOfACollection(t *testing.T) {
	const a, b = 0x1234, 0x5678
	var empty pathHash
	once := empty.with(a, 2)
	if x, y := once.with(b, 4), empty.with(b, 2).with(a, 4); x.seenFrom(8) != y.seenFrom(8) {
		t.Error("the order matters")
	}
	twice := once.with(a, 4)
	for _, other := range []pathHash{empty, once, twice.with(a, 6)} {
		if twice.seenFrom(8) == other.seenFrom(8) {
			t.Error("how often a position stands there does not matter")
		}
	}
}

// TestPathHashTellsParity: a key at an odd distance is not one at an even distance,
// wherever in the line the node is.
func TestPathHashTellsParity(t *testing.T) {
	const a = 0x1234
	even, odd := pathHash{}.with(a, 2).seenFrom(4), pathHash{}.with(a, 3).seenFrom(4)
	if even == odd {
		t.Error("one hash for even and odd distances")
	}
	testkit.Equal(t, (pathHash{}).with(a, 3).seenFrom(5), even, "the hash depends on the index and not on the distance")
}

// TestPathKeyBeginsAtTheIrreversibleMove: only positions since then, and at least
// MinCycle-depth plies back, belong to the past of a node.
func TestPathKeyBeginsAtTheIrreversibleMove(t *testing.T) {
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

// TestDeeperValueNeedsTheSamePath plants a value of depth 10 for a node that is
// searched two plies deep, without StrictDepth. Nine plies since the last
// capture, two plies cannot repeat a position but ten can: the value is good
// only if the capture was just before.
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
