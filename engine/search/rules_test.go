package search

import (
	"context"
	"math/rand/v2"
	"testing"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

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

var clockedCaptures = EvaluatorFunc[clocked](func(p clocked) int { return evaluations.Captures{}.Evaluate(p.Position) })

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
			if bare, _ := AlphaBeta(x.root, x.history[len(x.history)-len(history):], depth, evaluations.Captures{}); bare != want {
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
	best := evaluations.Captures{}.Evaluate(p)
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
		s.clock.start(context.Background(), Limits{})
		free.clock.start(context.Background(), Limits{})
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
