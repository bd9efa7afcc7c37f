package search

import (
	"context"
	"sync/atomic"
)

// Options are fixed for the life of a searcher. The zero value is ready to use.
type Options struct {
	// HashMB is the size of the hash table in mebibytes: 0 means 16, less than
	// 0 the smallest table there is, and more than 65536 means 65536.
	HashMB int
	// StrictDepth uses table values only where they are what a search of
	// exactly the given depth would find. The score of an iteration is then that
	// of minimax at its depth, whatever the table contains. Without it the search
	// uses deeper results as well: it is faster, and as a rule sees more.
	StrictDepth bool
	// FullWidth searches all moves to the same depth and evaluates there, like
	// the textbook; StrictDepth implies it. Without it the search is
	// selective, which plays better.
	FullWidth bool
	// Step is how many plies an iteration is deeper than the one before; 0 means 1.
	// The first has depth 1, so with 2 all depths are odd. Scores of odd and even
	// depths differ: whoever moves last captures unanswered.
	Step int
	// Threads search at a time, 1 to MaxThreads; 0 means 1. With more than one,
	// nodes and scores vary from run to run, but proven results stay true.
	Threads int
}

// MaxThreads is more than any machine of today makes use of.
const MaxThreads = 256

const (
	defaultHashMB = 16
	maxHashMB     = 65536
)

// Query says what to find out about the root.
type Query struct {
	// AllMoves asks for the exact score of every root move instead of the best one only.
	AllMoves bool
	// Contempt is how much worse than a level game a draw by rule is for the
	// side to move at the root, in centi-seeds of the evaluation, within
	// ±MaxHeuristic. It is negative if that side wants a draw. A searcher that
	// gets another contempt than before forgets its table. If contempt is not 0,
	// call Clear before a search for the other player.
	Contempt int
	// Only restricts the search to these root moves. It ignores illegal ones; if
	// none is legal there is no restriction.
	Only []Move
	// Ponder, if not nil, suspends the limits of time until it is closed. Only
	// then the time of Time begins to run; that of Soft runs from the start.
	Ponder <-chan struct{}
	// Info, if not nil, is called after every finished iteration, from the
	// goroutine of the search. It may keep the result.
	Info func(Result)
}

// Searcher finds the best move of a position by iterative deepening. It keeps
// its hash table from one search to the next. A searcher that is new or has just
// been cleared gives the same results and node counts every time for the same
// searches, if depth or nodes bound them. It is for one goroutine at a time.
type Searcher[P Position[P]] struct {
	eval      Evaluator[P]
	evalAll   evaluatorOfAll[P] // nil if eval takes positions one by one
	lastPly   LastPly[P]        // nil for none, or if lines do not end at the last ply
	prober    Prober[P]         // nil for none
	inCheck   func(P) bool      // nil for never
	tuning    Tuning
	strict    bool
	fullWidth bool
	step      int // from one iteration to the next
	table     *table

	// The line being searched: positions of the game since the last
	// irreversible move, the root, and one position a ply.
	path       []P
	pathHashes []pathHash // one a position of path
	root       int        // index of the root in path
	minCycle   int
	drawClock  int
	end        int // the ply from the root at which the limit of plies ends the game

	moves    [MaxPly + 1][]Move  // legal moves of each ply
	priority [MaxPly + 1][]int32 // and their priorities
	pv       [MaxPly + 1][]Move  // principal variation from each ply on

	known    valued[P] // the ranked position that is searched now
	children []P       // of the node whose moves are being ranked
	values   []int32   // of the children
	keys     []int64   // by which they are ranked: priority, place and move

	lines []Line // root moves of the current iteration, best first
	done  []Line // those of the last finished iteration

	helpers   []*Searcher[P] // search the same root at the same time
	published atomic.Int64   // nodes of a helper, for its principal
	marks     *marks         // of all threads; nil for one alone

	steady Steady // of the iterations so far

	draw  [2]int // value of a draw for the side to move at even and at odd plies
	clock clock
}

// NewSearcher makes a searcher. Searchers may share the contents of k.
func NewSearcher[P Position[P]](k Knowledge[P], o Options) *Searcher[P] {
	mb := min(o.HashMB, maxHashMB)
	if mb == 0 {
		mb = defaultHashMB
	}
	s := newSearcher(k, o, newTable(mb<<20))
	for range min(o.Threads, MaxThreads) - 1 {
		s.helpers = append(s.helpers, newSearcher(k, o, s.table))
	}
	if len(s.helpers) > 0 {
		s.share()
	}
	return s
}

func newSearcher[P Position[P]](k Knowledge[P], o Options, t *table) *Searcher[P] {
	fullWidth := o.StrictDepth || o.FullWidth
	s := &Searcher[P]{
		eval: k.Eval, prober: k.Prober, inCheck: k.InCheck,
		tuning: k.Tuning.WithDefaults(fullWidth),
		strict: o.StrictDepth, fullWidth: fullWidth, step: max(o.Step, 1),
		table: t, end: noEnd,
	}
	s.evalAll, _ = k.Eval.(evaluatorOfAll[P])
	if fullWidth {
		s.lastPly = k.LastPly
	}
	return s
}

// Clear forgets all earlier searches. It takes no time to speak of.
func (s *Searcher[P]) Clear() { s.table.clear() }

// Search looks for the best move at the root until a limit or the context ends
// it, or the outcome is proven. history has the positions of the game before
// the root, oldest first; repetitions of them count, and so does their number where the
// rules limit it.
//
// The result is that of the last finished iteration. What an unfinished one saw
// is left out, because its scores are not comparable. Only if not even the
// first was finished does the result have what the search saw (Depth 0).
func (s *Searcher[P]) Search(ctx context.Context, root P, history []P, lim Limits, q Query) Result {
	s.clock.start(ctx, lim)
	s.clock.ponder(q.Ponder)
	s.setContempt(clampHeuristic(q.Contempt))
	s.table.newSearch()
	if diff, over := s.setRoot(root, history); over {
		score := s.finalScore(diff, 0)
		return Result{Score: score, Steady: score, Nodes: 1, Time: s.clock.elapsed(), Terminal: true, Proven: true}
	}
	s.setLines(root, q.Only)
	if len(s.helpers) > 0 {
		defer s.startHelpers(ctx, root, history, q)()
	}
	finished := 0
	s.steady = Steady{}
	t := trend{fallen: s.tuning.Fallen}
	for depth := 1; depth <= lim.deepest(); depth += s.step {
		if !s.iterate(depth, q.AllMoves) {
			break
		}
		finished = depth
		t.add(s.lines[0])
		s.steady.Add(s.lines[0].Score)
		s.done = copyLines(s.done, s.lines)
		if q.Info != nil {
			q.Info(s.result(finished))
		}
		if s.conclusive(lim, q.AllMoves) || s.clock.enough(len(s.lines), &t) {
			break
		}
	}
	if finished == 0 {
		s.done = copyLines(s.done, s.lines)
	}
	return s.result(finished)
}

func (s *Searcher[P]) setContempt(c int) {
	if draw := [2]int{-c, c}; draw != s.draw {
		s.draw = draw
		s.Clear()
	}
}

// finalScore is the score of a game that ended ply plies after the root.
func (s *Searcher[P]) finalScore(diff, ply int) int {
	if diff == 0 {
		return s.draw[ply&1]
	}
	return finalScore(diff, ply)
}

// setRoot puts the root behind the part of the history that can recur, and
// reports whether the game is over there.
func (s *Searcher[P]) setRoot(root P, history []P) (diff int, over bool) {
	from := len(history)
	for from > 0 && history[from-1].Progress() == root.Progress() {
		from--
	}
	s.root = len(history) - from
	if need := s.root + MaxPly + 1; len(s.path) < need {
		s.path = make([]P, need)
		s.pathHashes = make([]pathHash, need)
	}
	copy(s.path, history[from:])
	s.path[s.root] = root
	for i, p := range s.path[:s.root+1] {
		s.extendPath(p.Key(), i, i)
	}
	s.minCycle, s.drawClock = max(root.MinCycle(), 1), root.DrawClock()
	limit, atLimit := root.PlyLimit()
	if s.end = noEnd; limit > 0 {
		s.end = limit - len(history)
	}
	if diff, over = root.Terminal(); over {
		return diff, true
	}
	if s.moves[0] = root.AppendMoves(s.moves[0][:0]); len(s.moves[0]) == 0 {
		return root.NoMoves(), true
	}
	if s.end <= 0 {
		return atLimit, true
	}
	return s.drawn(root, 0, s.root)
}

// conclusive reports whether deeper iterations cannot change the answer.
func (s *Searcher[P]) conclusive(lim Limits, all bool) bool {
	if best := s.lines[0].Score; lim.Mate > 0 && Proven(best) && best > 0 && best < Win-lim.matePlies() {
		return false // a longer win than the one in question
	}
	if !all {
		return countsPlies(s.lines[0].Score)
	}
	for i := range s.lines {
		if !countsPlies(s.lines[i].Score) {
			return false
		}
	}
	return true
}

// result makes a Result of s.done. It shares no memory with the searcher.
func (s *Searcher[P]) result(depth int) Result {
	lines := copyLines(nil, s.done)
	return Result{
		Best:    lines[0].Move,
		Score:   lines[0].Score,
		Steady:  s.steady.Mean(lines[0].Score),
		Depth:   depth,
		Nodes:   s.clock.nodes + s.helped(),
		Time:    s.clock.elapsed(),
		PV:      lines[0].PV,
		Lines:   lines,
		Proven:  depth > 0 && Proven(lines[0].Score),
		Stopped: s.clock.stopped,
	}
}
