package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	owarefeatures "kroo/features/oware"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

// captures evaluates oware by the store difference.
var captures = Knowledge[oware.Position]{Eval: owarefeatures.Captures{}, LastPly: owarefeatures.Captures{}}

// allRules are the rule sets under which the search is compared with textbook searches.
var allRules = []oware.Rules{oware.Abapa, oware.Awari, oware.Simple}

// tableSizes are sizes of hash tables in bytes, from a single bucket up.
var tableSizes = []int{1, 64 << 10, 1 << 20}

// situation is a root with the game that led to it.
type situation struct {
	root    oware.Position
	history []oware.Position
}

// midgames returns positions of random games with their histories.
func midgames(rng *rand.Rand, r oware.Rules, n int) (list []situation) {
	for range n {
		p, history := gametest.RandomGame(rng, oware.Start(r), rng.IntN(120))
		list = append(list, situation{p, history})
	}
	return list
}

// endgames returns positions of up to maxSeeds seeds, after up to 40 plies without a capture in which
// no repetition ended the game.
func endgames(rng *rand.Rand, r oware.Rules, n, maxSeeds int) (list []situation) {
	for len(list) < n {
		p := fewSeeds(rng, r, 1+rng.IntN(maxSeeds))
		var history []oware.Position
		for range rng.IntN(40) {
			q, ok := quietMove(rng, p, history)
			if !ok {
				break
			}
			history, p = append(history, p), q
		}
		if _, over := p.Terminal(); !over {
			list = append(list, situation{p, history})
		}
	}
	return list
}

// fewSeeds returns a random position with the given number of seeds and almost equal stores.
func fewSeeds(rng *rand.Rand, r oware.Rules, seeds int) oware.Position {
	var houses [2 * oware.Houses]int
	for range seeds {
		houses[rng.IntN(len(houses))]++
	}
	taken := oware.Seeds - seeds
	p, err := oware.New(r, houses, [2]int{taken / 2, taken - taken/2}, oware.Side(rng.IntN(2)))
	if err != nil {
		panic(err)
	}
	return p
}

// quietMove makes a random move that captures nothing and does not end the game.
func quietMove(rng *rand.Rand, p oware.Position, history []oware.Position) (q oware.Position, ok bool) {
	if _, over := p.Terminal(); over {
		return p, false
	}
	moves := p.AppendMoves(nil)
	rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	for _, m := range moves {
		q = p.Play(m)
		_, over := q.Terminal()
		if times := 1 + count(history, q); times > 1 && !over {
			_, over = q.Repetition(times)
		}
		if !over && q.Progress() == p.Progress() {
			return q, true
		}
	}
	return p, false
}

func count[P comparable](list []P, p P) (n int) {
	for _, q := range list {
		if q == p {
			n++
		}
	}
	return n
}

// The score of every iteration equals minimax, with a table warm from other positions.
func TestStrictDepthIsMinimax(t *testing.T) {
	const depth = 5
	rng := rand.New(rand.NewPCG(1, 0))
	for _, size := range tableSizes {
		for _, r := range allRules {
			s := newSearcher(captures, Options{StrictDepth: true}, newTable(size))
			for _, x := range append(midgames(rng, r, 20), endgames(rng, r, 40, 8)...) {
				s.Search(context.Background(), x.root, x.history, Limits{Depth: depth}, Query{Info: func(got Result) {
					want, _ := Minimax(x.root, x.history, got.Depth, owarefeatures.Captures{})
					testkit.Equal(t, got.Score, want, "%v %v depth %d table %d: score", r, x.root, got.Depth, size)
				}})
			}
		}
	}
}

// The endgames are searched so deep, with such histories, that lines repeat positions of the game and
// of themselves. Each is searched with its history, with half of it and without it, in a warm table:
// a cache that ignores the path gets many of them wrong.
func TestStrictDepthIsExactThroughRepetitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for _, r := range allRules {
		matters, naiveWrong := 0, 0
		searchers := strictSearchers()
		for _, x := range endgames(rng, r, 100, 8) {
			depth := 6 + rng.IntN(13)
			cache := map[naiveKey]int{}
			bare, _ := AlphaBeta(x.root, nil, depth, owarefeatures.Captures{})
			for _, from := range []int{0, len(x.history) / 2, len(x.history)} {
				history := x.history[from:]
				want, _ := AlphaBeta(x.root, history, depth, owarefeatures.Captures{})
				if want != bare {
					matters++
				}
				if newNaive(history, cache).search(x.root, depth, 0) != want {
					naiveWrong++
				}
				for i, s := range searchers {
					got := s.Search(context.Background(), x.root, history, Limits{Depth: depth}, Query{})
					if got.Score != want {
						t.Errorf("%v %v depth %d searcher %d: score %d: alpha-beta gives %d; history %v",
							r, x.root, depth, i, got.Score, want, history)
					}
				}
			}
		}
		t.Logf("%v: the history matters in %d positions, a naive cache is wrong in %d", r, matters, naiveWrong)
		if matters == 0 || naiveWrong == 0 {
			t.Errorf("%v: these positions do not test repetition", r)
		}
	}
}

// Positions of two or three seeds are all searched to one depth, so that a searcher reaches the same
// nodes many times with different histories, at even and at odd distances.
func TestStrictDepthIsExactInSmallWorlds(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for _, r := range allRules {
		for _, depth := range []int{5, 8, 13, 14} {
			searchers := strictSearchers()
			for _, x := range endgames(rng, r, 1000, 3) {
				want, _ := AlphaBeta(x.root, x.history, depth, owarefeatures.Captures{})
				for i, s := range searchers {
					got := s.Search(context.Background(), x.root, x.history, Limits{Depth: depth}, Query{})
					if got.Score != want {
						t.Errorf("%v %v depth %d searcher %d: score %d: alpha-beta gives %d; history %v",
							r, x.root, depth, i, got.Score, want, x.history)
					}
				}
			}
		}
	}
}

// strictSearchers returns searchers with tables of several sizes; the second half probe them down to
// the last ply.
func strictSearchers() (list []*Searcher[oware.Position]) {
	for _, tableDepth := range []int{fullWidthTableDepth, 1} {
		for _, size := range tableSizes {
			s := newSearcher(captures, Options{StrictDepth: true}, newTable(size))
			s.tuning.TableDepth = tableDepth
			list = append(list, s)
		}
	}
	return list
}

// naive is minimax with a cache by position and depth alone, which is wrong.
type naive struct {
	Textbook[oware.Position]
	cache map[naiveKey]int
}

type naiveKey struct {
	p     oware.Position
	depth int
}

func newNaive(history []oware.Position, cache map[naiveKey]int) *naive {
	n := &naive{Textbook[oware.Position]{Eval: owarefeatures.Captures{}}, cache}
	n.start(context.Background(), history)
	return n
}

func (n *naive) search(p oware.Position, depth, ply int) int {
	if score, ok := n.leaf(p, depth, ply); ok {
		return score
	}
	key := naiveKey{p, depth}
	if score, ok := n.cache[key]; ok {
		return fromTable(score, ply)
	}
	n.path = append(n.path, p)
	best := -Win
	for _, m := range p.AppendMoves(nil) {
		best = max(best, -n.search(p.Play(m), depth-1, ply+1))
	}
	n.path = n.path[:len(n.path)-1]
	n.cache[key] = toTable(best, ply)
	return best
}

// Without StrictDepth a score may come from a deeper search than the iteration, but a proven win is
// forced: alpha-beta to its depth finds a win at least as short.
func TestProvenWinsAreForced(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	proven := 0
	for _, r := range allRules {
		s := newSearcher(captures, Options{}, newTable(1<<20))
		s.tuning.TableDepth = 1
		for _, x := range endgames(rng, r, 1000, 4) {
			got := s.Search(context.Background(), x.root, x.history, Limits{Depth: 4 + rng.IntN(13)}, Query{})
			if !got.Proven {
				continue
			}
			proven++
			plies := Win - max(got.Score, -got.Score)
			want, _ := AlphaBeta(x.root, x.history, plies, owarefeatures.Captures{})
			if !Proven(want) || (want > 0) != (got.Score > 0) || got.Score > 0 && want < got.Score {
				t.Errorf("%v %v: score %d: alpha-beta of depth %d gives %d; history %v", r, x.root, got.Score, plies, want, x.history)
			}
		}
	}
	if proven < 100 {
		t.Errorf("only %d proven", proven)
	}
}

// Every line of a search for all moves agrees with alpha-beta after its move, through a warm table.
func TestAllMovesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, r := range allRules {
		searchers := strictSearchers()
		for i, x := range append(midgames(rng, r, 60), endgames(rng, r, 200, 8)...) {
			depth := 1 + rng.IntN(6)
			if i >= 60 { // an endgame
				depth += 6
			}
			for j, s := range searchers {
				got := s.Search(context.Background(), x.root, x.history, Limits{Depth: depth}, Query{AllMoves: true})
				testkit.Equal(t, len(got.Lines), len(x.root.AppendMoves(nil)), "%v", x.root)
				for k, l := range got.Lines {
					if want := afterMove(x, l.Move, got.Depth); l.Score != want || !l.Exact {
						t.Errorf("%v depth %d searcher %d move %d: score %d, exact %t: alpha-beta gives %d; history %v",
							x.root, got.Depth, j, l.Move, l.Score, l.Exact, want, x.history)
					}
					if k > 0 && l.Score > got.Lines[k-1].Score {
						t.Errorf("%v: lines are not sorted: %v", x.root, got.Lines)
					}
				}
			}
		}
	}
}

// afterMove returns the score of a root move by alpha-beta.
func afterMove(x situation, m Move, depth int) int {
	o := Textbook[oware.Position]{Algorithm: TextbookAlphaBeta, Eval: owarefeatures.Captures{}}
	o.start(context.Background(), append(slices.Clone(x.history), x.root))
	return o.child(x.root.Play(m), depth, 0, -Win, Win)
}

// Exact lines are exact; the others are upper bounds that do not exceed the best score.
func TestLinesOfOrdinarySearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	s := newSearcher(captures, Options{StrictDepth: true}, newTable(1<<20))
	for _, x := range midgames(rng, oware.Abapa, 40) {
		got := s.Search(context.Background(), x.root, x.history, Limits{Depth: 5}, Query{})
		if got.Best != got.Lines[0].Move || got.Score != got.Lines[0].Score || !got.Lines[0].Exact {
			t.Errorf("%v: best %d %d does not head the lines %v", x.root, got.Best, got.Score, got.Lines)
		}
		for _, l := range got.Lines {
			want := afterMove(x, l.Move, got.Depth)
			if l.Exact && l.Score != want || l.Score < want || l.Score > got.Score {
				t.Errorf("%v move %d: score %d, exact %t: alpha-beta gives %d, the best %d", x.root, l.Move, l.Score, l.Exact, want, got.Score)
			}
		}
	}
}

// The score of the position at the end of the principal variation is the score of the search.
func TestPrincipalVariationLeadsToTheScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, r := range allRules {
		s := newSearcher(captures, Options{StrictDepth: true}, newTable(1<<20))
		for _, x := range append(midgames(rng, r, 30), endgames(rng, r, 30, 8)...) {
			got := s.Search(context.Background(), x.root, x.history, Limits{Depth: 9}, Query{})
			o := Textbook[oware.Position]{Eval: owarefeatures.Captures{}}
			o.start(context.Background(), x.history)
			p := x.root
			for ply, m := range got.PV {
				if !slices.Contains(p.AppendMoves(nil), m) {
					t.Fatalf("%v: move %d of the variation %v is not legal", x.root, ply+1, got.PV)
				}
				o.path = append(o.path, p)
				p = p.Play(m)
			}
			ply := len(got.PV)
			score, ok := o.leaf(p, got.Depth-ply, ply)
			if ply%2 == 1 {
				score = -score
			}
			if !ok || score != got.Score {
				t.Errorf("%v: variation %v leads to %d (end %t): the score is %d", x.root, got.PV, score, ok, got.Score)
			}
		}
	}
}

// textbook searches by a textbook algorithm.
func textbook[P Position[P]](a Algorithm, root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	t := Textbook[P]{Algorithm: a, Eval: eval}
	score, _ = t.Search(context.Background(), root, history, depth)
	return score, t.Nodes
}

func Minimax[P Position[P]](root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	return textbook(TextbookMinimax, root, history, depth, eval)
}

func AlphaBeta[P Position[P]](root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	return textbook(TextbookAlphaBeta, root, history, depth, eval)
}

func TestOraclesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, r := range allRules {
		for _, x := range append(midgames(rng, r, 30), endgames(rng, r, 60, 8)...) {
			depth := rng.IntN(6)
			want, all := Minimax(x.root, x.history, depth, owarefeatures.Captures{})
			ab, fewer := AlphaBeta(x.root, x.history, depth, owarefeatures.Captures{})
			ns, _ := textbook(TextbookNegascout, x.root, x.history, depth, owarefeatures.Captures{})
			if ab != want || ns != want {
				t.Errorf("%v depth %d: minimax %d, alpha-beta %d, negascout %d", x.root, depth, want, ab, ns)
			}
			if fewer > all {
				t.Errorf("%v depth %d: alpha-beta visits %d nodes, minimax %d", x.root, depth, fewer, all)
			}
		}
	}
}

func TestTextbookSearchesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []Algorithm{TextbookMinimax, TextbookAlphaBeta, TextbookNegascout} {
		s := Textbook[oware.Position]{Algorithm: name, Eval: owarefeatures.Captures{}}
		if s.Search(ctx, oware.Start(oware.Abapa), nil, 60); s.Nodes > 6000 {
			t.Errorf("%s visits %d nodes after it was stopped", name, s.Nodes)
		}
	}
}

func TestMinimaxOfTerminalRoot(t *testing.T) {
	won := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-1-1-0-0-0-0-0-25-21-S"))(t)
	if score, nodes := Minimax(won, nil, 3, owarefeatures.Captures{}); score != Win || nodes != 1 {
		t.Errorf("score %d in %d nodes: want %d in 1", score, nodes, Win)
	}
}

// evenEval evaluates every unfinished game as even.
var evenEval = EvaluatorFunc[tictactoe.Position](func(tictactoe.Position) int { return 0 })

func TestTicTacToeForks(t *testing.T) {
	p, err := tictactoe.ParseBoard("X...O...X") // O to move: a corner loses to a fork, an edge draws
	testkit.NoError(t, err)
	r := NewSearcher(Knowledge[tictactoe.Position]{Eval: evenEval}, Options{HashMB: 1}).Search(context.Background(), p, nil, Limits{}, Query{AllMoves: true})
	want := map[Move]int{1: 0, 3: 0, 5: 0, 7: 0, 2: 4 - Win, 6: 4 - Win}
	for _, l := range r.Lines {
		testkit.Equal(t, l.Score, want[l.Move], "move %d", l.Move)
	}
	if r.Score != 0 || len(r.Lines) != len(want) {
		t.Errorf("search: %+v", r)
	}
}
