package search

import (
	"context"
	"sync"
	"sync/atomic"
)

// Options are the settings of a searcher, fixed for its lifetime. The zero value is ready to
// use.
type Options struct {
	// HashMB is the size of the hash table in mebibytes, at most 65536; 0 means
	// 16, a negative value the smallest table.
	HashMB int
	// StrictDepth uses values from the table only if a search of exactly the
	// given depth would find them. The score of an iteration then equals that of
	// minimax at its depth, whatever the table contains. Without it the search
	// uses deeper results too: it is faster and usually sees more.
	StrictDepth bool
	// FullWidth searches all moves to the same depth and evaluates there, like
	// textbook searches. StrictDepth implies it. Without it the search is
	// selective, which plays better.
	FullWidth bool
	// Step is the increment of the depth per iteration; 0 means 1. The first depth
	// is 1, so with 2 all depths are odd. Scores of odd and even depths differ:
	// whoever moves last captures without a reply.
	Step int
	// Threads is the number of threads, 1 to MaxThreads; 0 means 1. With more than
	// one, nodes and scores vary from run to run, but proven results stay true.
	Threads int
}

// MaxThreads is the maximum of Options.Threads.
const MaxThreads = 256

// Sizes of hash tables in MiB: the default of Options.HashMB, and the largest.
const (
	DefaultHashMB = 16
	MaxHashMB     = 65536
)

// Query specifies what to search for at the root, and how to report it.
type Query struct {
	// AllMoves requests exact scores of all root moves, not only of the best.
	AllMoves bool
	// Contempt is the cost of a draw by rule for the side to move at the root,
	// in centi-seeds within ±MaxHeuristic; negative if that side wants a draw.
	// Changing it clears the table. If it is not 0, call Clear before a search
	// for the other player.
	Contempt int
	// Only restricts the search to these root moves. Illegal moves are ignored;
	// without a legal one there is no restriction.
	Only []Move
	// Ponder, if not nil, suspends the time limits until it is closed. Time is
	// measured from then on, Soft from the start.
	Ponder <-chan struct{}
	// Info, if not nil, is called after every iteration in the goroutine of the
	// search. It may keep the result.
	Info func(Result)
}

// Searcher finds the best move of a position by iterative deepening. It keeps its hash
// table between searches. A new or cleared searcher with one thread is deterministic:
// searches limited by depth or nodes give the same results and node counts. A Searcher is
// not safe for concurrent use.
type Searcher[P Position[P]] struct {
	eval      Evaluator[P]
	evalAll   batchEvaluator[P] // nil if eval does not implement it
	lastPly   LastPly[P]        // nil unless full-width
	prober    Prober[P]         // optional
	inCheck   func(P) bool      // nil means never
	tuning    Tuning
	strict    bool
	fullWidth bool
	step      int // depth increment per iteration
	table     *table

	// path is the line being searched: positions of the game since the last
	// irreversible move, the root, and one position per ply.
	path       []P
	pathHashes []pathHash // one per position of path
	root       int        // index of the root in path
	minCycle   int
	drawClock  int
	end        int // ply at which the ply limit ends the game, or noEnd

	moves    [MaxPly + 1][]Move  // legal moves of each ply
	priority [MaxPly + 1][]int32 // their priorities
	pv       [MaxPly + 1][]Move  // principal variation from each ply on

	// childValue passes the static value of a ranked child from tryMoves, which is about to search it, to staticValue.
	childValue valued[P]

	children []P     // children of the node being ranked
	values   []int32 // static values of the children
	keys     []int64 // sort keys of the children: priority, index and move

	lines []Line // root moves of the current iteration, best first
	done  []Line // root moves of the last finished iteration

	helpers []*Searcher[P] // other threads
	visited *atomic.Int64  // nodes of all threads; nil with a single thread
	marks   *marks         // of all threads; nil with a single thread

	steady Steady

	drawScore [2]int // value of a draw for the side to move at even and at odd plies
	clock     clock
}

// NewSearcher returns a new searcher. Several searchers may share k.
func NewSearcher[P Position[P]](k Knowledge[P], o Options) *Searcher[P] {
	mb := min(o.HashMB, MaxHashMB)
	if mb == 0 {
		mb = DefaultHashMB
	}
	s := newSearcher(k, o, newTable(mb<<20))
	for range min(o.Threads, MaxThreads) - 1 {
		if s.marks == nil {
			s.table.shared = true
			s.marks = new(marks)
			s.visited = new(atomic.Int64)
		}
		h := newSearcher(k, o, s.table)
		h.marks = s.marks
		h.visited = s.visited
		s.helpers = append(s.helpers, h)
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
	s.evalAll, _ = k.Eval.(batchEvaluator[P])
	if fullWidth {
		s.lastPly = k.LastPly
	}
	return s
}

// Populate makes the system provide the memory of the hash table now; otherwise it does so page by page during
// the first searches. That takes about 0.3 s per GiB, once.
func (s *Searcher[P]) Populate() { s.table.populate() }

// Clear clears the hash table, in constant time.
func (s *Searcher[P]) Clear() { s.table.clear() }

// Search searches for the best move at the root until it reaches a limit, the context is
// done, or the outcome is proven. history has the positions of the game before the root,
// oldest first, for repetitions and the ply limit.
//
// The result is that of the last finished iteration. An unfinished iteration is ignored,
// because its scores are not comparable, unless it is the first (Depth is then 0).
func (s *Searcher[P]) Search(ctx context.Context, root P, history []P, lim Limits, q Query) Result {
	if s.visited != nil {
		s.visited.Store(0)
	}
	s.clock.start(ctx, lim, s.visited)
	s.clock.ponder(q.Ponder)
	s.setContempt(clampHeuristic(q.Contempt))
	s.table.newSearch()
	if diff, over := s.setRoot(root, history); over {
		score := s.finalScore(diff, 0)
		return Result{Score: score, Steady: score, Nodes: 1, Time: s.clock.elapsedTime(), Terminal: true, Proven: true}
	}
	s.setLines(root, q.Only)
	if len(s.helpers) > 0 {
		defer s.startHelpers(ctx, root, history, lim, q)()
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
		if s.conclusive(q.AllMoves) || s.clock.enough(len(s.lines), &t) {
			break
		}
	}
	if finished == 0 {
		s.done = copyLines(s.done, s.lines)
	}
	return s.result(finished)
}

func (s *Searcher[P]) setContempt(c int) {
	draw := [2]int{-c, c}
	if draw != s.drawScore {
		s.drawScore = draw
		s.Clear()
	}
}

// finalScore returns the score of a game that ends ply plies after the root.
func (s *Searcher[P]) finalScore(diff, ply int) int {
	if diff == 0 {
		return s.drawScore[ply&1]
	}
	return finalScore(diff, ply)
}

// setRoot sets the path to the part of the history that can recur and the root. It reports
// whether the game is over at the root.
func (s *Searcher[P]) setRoot(root P, history []P) (diff int, over bool) {
	from := len(history)
	for from > 0 && history[from-1].Progress() == root.Progress() {
		from--
	}
	s.root = len(history) - from
	need := s.root + MaxPly + 1
	if len(s.path) < need {
		s.path = make([]P, need)
		s.pathHashes = make([]pathHash, need)
	}
	copy(s.path, history[from:])
	s.path[s.root] = root
	for i, p := range s.path[:s.root+1] {
		s.extendPath(p.Key(), i, i)
	}
	s.minCycle = max(root.MinCycle(), 1)
	s.drawClock = root.DrawClock()
	limit, atLimit := root.PlyLimit()
	s.end = noEnd
	if limit > 0 {
		s.end = limit - len(history)
	}
	diff, over = root.Terminal()
	if over {
		return diff, true
	}
	s.moves[0] = root.AppendMoves(s.moves[0][:0])
	if len(s.moves[0]) == 0 {
		return root.NoMoves(), true
	}
	if s.end <= 0 {
		return atLimit, true
	}
	return s.endedByHistory(root, 0, s.root)
}

// conclusive reports whether deeper iterations cannot change the answer.
func (s *Searcher[P]) conclusive(all bool) bool {
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

// result returns s.done as a Result, which shares no memory with the searcher.
func (s *Searcher[P]) result(depth int) Result {
	lines := copyLines(nil, s.done)
	return Result{
		Best:    lines[0].Move,
		Score:   lines[0].Score,
		Steady:  s.steady.Mean(lines[0].Score),
		Depth:   depth,
		Nodes:   s.clock.totalNodes(),
		Time:    s.clock.elapsedTime(),
		PV:      lines[0].PV,
		Lines:   lines,
		Proven:  depth > 0 && Proven(lines[0].Score),
		Stopped: s.clock.stopped,
	}
}

// Threads search the same root concurrently and share results through the hash table
// (lazy SMP). To avoid duplicate work, each thread marks the move it is searching, and
// the others defer marked moves to the end of their lists. By then the result is usually
// in the table (a simplified ABDADA, Weill 1996).
//
// Two threads of equal speed reach a depth of the bench positions in 0.56 to 0.59 of the
// nodes of one (full width 16: 0.56, selective 19 to 21: 0.57, 0.59, 0.56; interleaved
// on one core). Helpers that search a ply deeper instead need 0.88 and 0.71.

// markDepth is the minimum depth at which a searcher marks moves.
const markDepth = 3

// marks are the moves being searched: a table of hashes, 0 where empty. Marks may overwrite
// each other: at worst two threads search the same move.
type marks [1 << 14]atomic.Uint64

// slot returns the slot of a hash.
func (m *marks) slot(hash uint64) *atomic.Uint64 { return &m[hash%uint64(len(m))] }

// mark marks the i-th move of a node, which leads to child, for the other threads and returns
// its hash; 0 with a single thread. The first move is never marked. If another thread has
// marked the move, it is busy: the caller must postpone it, once.
func (s *Searcher[P]) mark(child P, depth, i int, priority int32) (hash uint64, busy bool) {
	if s.marks == nil || i == 0 || depth < markDepth {
		return 0, false
	}
	hash = child.Key() + uint64(depth)*0x9e37_79b9_7f4a_7c15
	slot := s.marks.slot(hash)
	if !isPostponed(priority) && slot.Load() == hash {
		return 0, true
	}
	slot.Store(hash)
	return hash, false
}

// unmark removes a mark.
func (s *Searcher[P]) unmark(hash uint64) {
	if hash != 0 {
		s.marks.slot(hash).CompareAndSwap(hash, 0)
	}
}

// startHelpers starts the helpers, which obey only the node limit by themselves. The returned
// function stops them and waits for them.
func (s *Searcher[P]) startHelpers(ctx context.Context, root P, history []P, lim Limits, q Query) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	for _, h := range s.helpers {
		h.drawScore = s.drawScore
		h.clock.start(ctx, Limits{Nodes: lim.Nodes}, h.visited)
		h.setRoot(root, history)
		h.setLines(root, q.Only)
		working.Go(func() { h.help(q.AllMoves) })
	}
	return func() {
		cancel()
		working.Wait()
	}
}

// help searches with increasing depth until it is stopped.
func (s *Searcher[P]) help(all bool) {
	for depth := 1; depth <= MaxPly && s.iterate(depth, all); depth += s.step {
		if s.conclusive(all) {
			return
		}
	}
}
