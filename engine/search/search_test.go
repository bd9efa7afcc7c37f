package search

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

var start = oware.Start(oware.Abapa)

// board parses a valid board.
func board(t *testing.T, r oware.Rules, s string) oware.Position {
	t.Helper()
	return testkit.Must(oware.ParseBoard(r, s))(t)
}

// untimed returns r without Time.
func untimed(r Result) Result {
	r.Time = 0
	return r
}

func TestClearedSearchIsReproducible(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for _, o := range []Options{{HashMB: 1}, {HashMB: 1, StrictDepth: true}, {HashMB: -1}} {
		used := NewSearcher(captures, o)
		for _, x := range append(midgames(rng, oware.Abapa, 8), endgames(rng, oware.Abapa, 8, 8)...) {
			for _, lim := range []Limits{{Depth: 9}, {Nodes: 20_000}} {
				used.Clear()
				q := Query{AllMoves: lim.Depth > 0}
				got := untimed(used.Search(context.Background(), x.root, x.history, lim, q))
				want := untimed(NewSearcher(captures, o).Search(context.Background(), x.root, x.history, lim, q))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%v: a cleared searcher finds\n%+v\na new one\n%+v", x.root, got, want)
				}
			}
		}
	}
}

func TestNodeLimitIsExact(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1})
	for _, nodes := range []int64{1, 2, 7, 100, checkEvery, checkEvery + 1, 12_345} {
		r := s.Search(context.Background(), start, nil, Limits{Nodes: nodes}, Query{})
		if r.Nodes != nodes || !r.Stopped || !slices.Contains(start.AppendMoves(nil), r.Best) {
			t.Errorf("limit %d: %d nodes, stopped %t, best %d", nodes, r.Nodes, r.Stopped, r.Best)
		}
	}
}

// The test stops a search at many node counts.
func TestStoppedSearchGivesTheLastFinishedIteration(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	for _, x := range midgames(rng, oware.Abapa, 5) {
		var finished []Result
		s := newSearcher(captures, Options{}, newTable(1<<20))
		s.Search(context.Background(), x.root, x.history, Limits{Depth: 8}, Query{Info: func(r Result) { finished = append(finished, r) }})
		for nodes := int64(1); nodes < 3000; nodes += 97 {
			s.Clear()
			got := s.Search(context.Background(), x.root, x.history, Limits{Nodes: nodes, Depth: 8}, Query{})
			if got.Depth == 0 {
				if len(got.Lines) != len(x.root.AppendMoves(nil)) || got.Proven || got.Best != got.Lines[0].Move {
					t.Errorf("%v: %d nodes: %+v", x.root, nodes, got)
				}
				continue
			}
			want := finished[got.Depth-1]
			if got.Score != want.Score || got.Best != want.Best || !reflect.DeepEqual(got.Lines, want.Lines) {
				t.Errorf("%v: %d nodes: %+v: the iteration of depth %d gave %+v", x.root, nodes, got, got.Depth, want)
			}
		}
	}
}

func TestInfoResultsAreKept(t *testing.T) {
	var infos []Result
	s := newSearcher(captures, Options{}, newTable(1<<20))
	last := s.Search(context.Background(), start, nil, Limits{Depth: 7}, Query{Info: func(r Result) { infos = append(infos, r) }})
	if len(infos) != 7 || !reflect.DeepEqual(infos[6].Lines, last.Lines) {
		t.Fatalf("%d infos; the last: %+v: want %+v", len(infos), infos[len(infos)-1], last)
	}
	for i, r := range infos {
		if r.Depth != i+1 || len(r.PV) != r.Depth || i > 0 && r.Nodes <= infos[i-1].Nodes {
			t.Errorf("iteration %d: %+v", i+1, r)
		}
	}
}

func TestCancelledContextStopsTheSearch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := NewSearcher(captures, Options{HashMB: 1})
	r := s.Search(ctx, start, nil, Limits{}, Query{Info: func(r Result) {
		if r.Depth == 5 {
			cancel()
		}
	}})
	if !r.Stopped || r.Depth < 5 || len(r.PV) == 0 {
		t.Errorf("%+v", r)
	}
	r = s.Search(ctx, start, nil, Limits{}, Query{})
	if !r.Stopped || r.Depth != 0 || r.Nodes > 1 || len(r.Lines) != 6 {
		t.Errorf("already cancelled: %+v", r)
	}
}

// The search checks its context every 1024 nodes, however large the tree, so that it stops quickly.
func TestStopIsSeenWithin1024Nodes(t *testing.T) {
	for _, depth := range []int{1, 5, 9} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var at int64
		r := NewSearcher(captures, Options{HashMB: 1}).Search(ctx, start, nil, Limits{}, Query{Info: func(r Result) {
			if r.Depth == depth {
				at = r.Nodes
				cancel()
			}
		}})
		if late := r.Nodes - at; !r.Stopped || at == 0 || late > 1024 {
			t.Errorf("depth %d: stopped %v, %d nodes late: want at most 1024", depth, r.Stopped, late)
		}
	}
}

func TestTerminalRoot(t *testing.T) {
	for _, tt := range []struct {
		board string
		score int
	}{
		{"0-0-0-0-0-1-1-0-0-0-0-0-25-21-S", Win},
		{"0-0-0-0-0-1-1-0-0-0-0-0-21-25-S", -Win},
		{"0-0-0-0-0-0-0-0-0-0-0-0-24-24-N", 0},
	} {
		r := NewSearcher(captures, Options{HashMB: -1}).Search(context.Background(), board(t, oware.Abapa, tt.board), nil, Limits{Depth: 4}, Query{})
		if !r.Terminal || !r.Proven || r.Score != tt.score || len(r.Lines) != 0 || r.Nodes != 1 {
			t.Errorf("%s: %+v: want score %d", tt.board, r, tt.score)
		}
	}
}

// With one seed on each side, the position recurs after 12 moves of each player, which ends a game
// of abapa.
func TestRepeatedRootIsTerminal(t *testing.T) {
	p := board(t, oware.Abapa, "1-0-0-0-0-0-1-0-0-0-0-0-22-24-S")
	var history []oware.Position
	for range 12 {
		history = append(history, p)
		p = p.Play(p.AppendMoves(nil)[0])
	}
	s := NewSearcher(captures, Options{HashMB: -1})
	if p != history[0] {
		t.Fatalf("%v is not the first position, %v", p, history[0])
	}
	if r := s.Search(context.Background(), p, history, Limits{Depth: 3}, Query{}); !r.Terminal || r.Score != -Win {
		t.Errorf("%+v: want a terminal loss (23 to 25)", r)
	}
	if r := s.Search(context.Background(), p, nil, Limits{Depth: 3}, Query{}); r.Terminal {
		t.Errorf("without history: %+v", r)
	}
}

func TestSearchStopsWhenTheRootIsProven(t *testing.T) {
	// F captures two and has 25.
	p := board(t, oware.Abapa, "0-0-0-0-0-1-1-5-5-5-5-1-23-2-S")
	s := NewSearcher(captures, Options{HashMB: 1})
	r := s.Search(context.Background(), p, nil, Limits{}, Query{})
	if !r.Proven || r.Score != Win-1 || r.Depth != 1 || r.Stopped || r.Best != 5 {
		t.Errorf("%+v: want F, a win in one", r)
	}
}

// The other moves need exact scores too.
func TestAllMovesContinuesAfterAWin(t *testing.T) {
	p := board(t, oware.Abapa, "4-4-0-4-0-1-1-5-5-0-0-0-23-1-S")
	r := NewSearcher(captures, Options{HashMB: 1}).Search(context.Background(), p, nil, Limits{Depth: 4}, Query{AllMoves: true})
	if r.Score != Win-1 || r.Depth != 4 || !r.Proven {
		t.Errorf("%+v: want a win in one, at depth 4", r)
	}
}

func TestOnlyRestrictsTheRootMoves(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1})
	r := s.Search(context.Background(), start, nil, Limits{Depth: 6}, Query{Only: []Move{4, 1, 4, 99}})
	if len(r.Lines) != 2 || r.Best != 4 && r.Best != 1 {
		t.Errorf("%+v: want lines for moves 1 and 4", r)
	}
	r = s.Search(context.Background(), start, nil, Limits{Depth: 2}, Query{Only: []Move{99}})
	testkit.Equal(t, len(r.Lines), 6, "%+v: want no restriction without legal moves", r)
}

// A game with a single move per ply is searched to MaxPly.
func TestDeepestSearchEnds(t *testing.T) {
	p := board(t, oware.Simple, "1-0-0-0-0-0-1-0-0-0-0-0-22-24-S")
	r := NewSearcher(captures, Options{HashMB: 1}).Search(context.Background(), p, nil, Limits{Depth: 10 * MaxPly}, Query{})
	if r.Stopped || r.Depth != MaxPly && !r.Proven {
		t.Errorf("%+v", r)
	}
}

func TestEvaluationsAreClamped(t *testing.T) {
	wild := EvaluatorFunc[oware.Position](func(p oware.Position) int { return math.MaxInt })
	r := NewSearcher(Knowledge[oware.Position]{Eval: wild}, Options{HashMB: 1}).Search(context.Background(), start, nil, Limits{Depth: 4}, Query{})
	if r.Score != MaxHeuristic || r.Proven {
		t.Errorf("%+v: want %d", r, MaxHeuristic)
	}
}

// TestSearchAllocatesOnlyItsResult: as much for a hundred nodes as for fifty
// thousand, so nothing a node.
func TestSearchAllocatesOnlyItsResult(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1})
	allocs := func(lim Limits) float64 {
		return testing.AllocsPerRun(3, func() {
			s.Clear()
			s.Search(context.Background(), start, nil, lim, Query{})
		})
	}
	few, many := allocs(Limits{Nodes: 100}), allocs(Limits{Nodes: 50_000})
	if few > 10 || many > 10 {
		t.Errorf("%v allocations for 100 nodes, %v for 50000: want 10 at most", few, many)
	}
}

func TestHashSizeIsBounded(t *testing.T) {
	for _, tt := range []struct{ mb, buckets int }{{-5, 1}, {0, 16 << 20 / 64}, {3, 3 << 20 / 64}} {
		testkit.Equal(t, len(NewSearcher(captures, Options{HashMB: tt.mb}).table.buckets), tt.buckets, "HashMB %d", tt.mb)
	}
}

// Each iteration of a search in steps has the score of the textbook search to its depth,
// whatever earlier iterations left in the table.
func TestStepsSearchTheirDepthsOnly(t *testing.T) {
	for _, r := range allRules {
		for _, x := range midgames(rand.New(rand.NewPCG(33, uint64(r))), r, 12) {
			for step, want := range map[int][]int{0: {1, 2, 3, 4, 5, 6}, 1: {1, 2, 3, 4, 5, 6}, 2: {1, 3, 5}, 3: {1, 4}} {
				var depths []int
				s := NewSearcher(captures, Options{HashMB: -1, StrictDepth: true, Step: step})
				last := s.Search(context.Background(), x.root, x.history, Limits{Depth: 6}, Query{Info: func(i Result) {
					depths = append(depths, i.Depth)
					if score, _ := AlphaBeta(x.root, x.history, i.Depth, owarefeatures.Captures{}); i.Score != score {
						t.Errorf("%s, step %d, depth %d: %d, the textbook search %d", x.root, step, i.Depth, i.Score, score)
					}
				}})
				if last.Terminal {
					continue
				}
				if !slices.Equal(depths, want[:min(len(depths), len(want))]) || !last.Proven && len(depths) != len(want) {
					t.Errorf("%s, step %d: depths %d, want %d", x.root, step, depths, want)
				}
			}
		}
	}
}

// All threads of a search use the same depths: a thread that searched even depths would fill the
// table with their scores.
func TestThreadsTakeTheSameSteps(t *testing.T) {
	for _, x := range midgames(rand.New(rand.NewPCG(34, 0)), allRules[0], 10) {
		want := NewSearcher(captures, Options{HashMB: 1, StrictDepth: true}).Search(context.Background(), x.root, x.history, Limits{Depth: 7}, Query{})
		got := NewSearcher(captures, Options{HashMB: 1, StrictDepth: true, Step: 2, Threads: 2}).Search(context.Background(), x.root, x.history, Limits{Depth: 8}, Query{})
		if want.Proven || want.Terminal {
			continue
		}
		if got.Depth != 7 || got.Score != want.Score {
			t.Errorf("%s: two threads in steps %d at depth %d, one ply by ply %d at depth %d", x.root, got.Score, got.Depth, want.Score, want.Depth)
		}
	}
}

// With StrictDepth, scores and proofs do not depend on the number of threads.
func TestThreadsGiveTheSameExactAnswers(t *testing.T) {
	for _, p := range endingsOf(t, 60) {
		if _, over := p.Terminal(); over {
			continue
		}
		const depth = 8
		want, _ := AlphaBeta(p, nil, depth, owarefeatures.Captures{})
		for threads := range 5 {
			s := NewSearcher(captures, Options{HashMB: 1, StrictDepth: true, Threads: threads})
			r := s.Search(context.Background(), p, nil, Limits{Depth: depth}, Query{})
			if r.Depth == depth && r.Score != want || r.Proven != Proven(want) {
				t.Errorf("%s, %d threads: %d at depth %d, want %d", p, threads, r.Score, r.Depth, want)
			}
		}
	}
}

// A node limit is for all threads together: each of them may exceed it by the nodes between two checks.
func TestThreadsStopTogether(t *testing.T) {
	const threads, limit = 4, 200_000
	s := NewSearcher(captures, Options{HashMB: 1, Threads: threads})
	p := oware.Start(oware.Abapa)
	for range 20 {
		r := s.Search(context.Background(), p, nil, Limits{Nodes: limit}, Query{})
		if r.Depth < 5 || !p.IsLegal(r.Best) || r.Nodes < limit || r.Nodes > limit+threads*checkEvery {
			t.Errorf("%+v", r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	if r := s.Search(ctx, p, nil, Limits{}, Query{}); !r.Stopped {
		t.Errorf("%+v", r)
	}
}

// A move that another thread has marked is postponed once, and only if the depth is the same.
func TestMarkedMovesArePostponedOnce(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1, Threads: 2})
	child := oware.Start(oware.Abapa).Play(0)
	hash, busy := s.helpers[0].mark(child, 8, 1, 0)
	if busy || hash == 0 {
		t.Fatalf("the first mark: %#x, postponed %t", hash, busy)
	}
	if _, busy := s.mark(child, 8, 0, 0); busy {
		t.Error("the first move is postponed")
	}
	if _, busy := s.mark(child, 9, 1, 0); busy {
		t.Error("postponed despite a different depth")
	}
	if _, busy := s.mark(child, 8, 1, 0); !busy {
		t.Error("not postponed")
	}
	if _, busy := s.mark(child, 8, 1, -postponement); busy {
		t.Error("postponed twice")
	}
	s.helpers[0].unmark(hash)
	if s.marks.slot(hash).Load() == hash {
		t.Error("still marked")
	}
	if _, busy := s.mark(child, 8, 1, 0); busy {
		t.Error("postponed after unmark")
	}
}

func TestOneThreadMarksNothing(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1})
	if hash, busy := s.mark(oware.Start(oware.Abapa), 20, 1, 0); hash != 0 || busy {
		t.Errorf("%#x, postponed %t", hash, busy)
	}
}

func TestPostponedMovesStayQuietOrTactical(t *testing.T) {
	for p, want := range map[int32]bool{-maxHint: true, -3: true, 0: true, 1: false, 15: false, maxHint: false} {
		if isPostponed(p) || isQuiet(p) != want || !isPostponed(p-postponement) || isQuiet(p-postponement) != want || p >= hashPriority {
			t.Errorf("priority %d, quiet %t; postponed %d, quiet %t", p, isQuiet(p), p-postponement, isQuiet(p-postponement))
		}
	}
}
