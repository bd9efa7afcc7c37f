package search

import (
	"context"
	"sync/atomic"
	"time"
)

// Options are fixed for the life of a searcher. The zero value is ready to use.
type Options struct {
	// HashMB is the size of the hash table in mebibytes: 0 means 16, less than
	// 0 the smallest table there is, and more than 65536 means 65536.
	HashMB int
	// StrictDepth uses table values only where they are what a search of
	// exactly the depth asked for would find. The score of an iteration is
	// then that of Minimax at its depth, whatever the table holds. Without it
	// deeper results are used as well: faster, and as a rule better informed.
	StrictDepth bool
	// FullWidth searches all moves to the same depth and evaluates there, as
	// the textbook has it; StrictDepth implies it. Without it the search is
	// selective, which plays better.
	FullWidth bool
	// Threads search at a time, 1 to MaxThreads; 0 means 1. With more than one
	// neither nodes nor scores are the same every time, but what is proven is
	// true all the same.
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
	// Contempt is how much worse than a level game the player to move at the
	// root takes a draw by rule to be, in centi-seeds: within ±MaxHeuristic,
	// negative for a player who wants one. A searcher that is asked with
	// another contempt than before forgets what it knows; so should one be
	// made to (Clear) that is asked for the other player, unless it is 0.
	Contempt int
	// Only restricts the search to these root moves. Those that are not legal
	// are ignored; if none is legal there is no restriction.
	Only []Move
	// Ponder, if not nil, puts off the limits of time until it is closed. Time
	// then begins to run; for Soft the thinking done before counts as well.
	Ponder <-chan struct{}
	// Info, if not nil, is called after every finished iteration, from the
	// goroutine of the search. It may keep the result.
	Info func(Result)
}

// Searcher finds the best move of a position by iterative deepening. It keeps
// its hash table from one search to the next; a searcher that is new or has
// been cleared gives the same results and node counts every time for the same
// questions, if they are limited by depth or nodes. It is for one goroutine
// at a time. Games whose Key leaves out their rules need a Clear before a root
// under other rules.
type Searcher[P Position[P]] struct {
	eval       Evaluator[P]
	lastPly    LastPlyEvaluator[P] // eval, if it is one and lines end there; or nil
	prober     Prober[P]           // nil for none
	strict     bool
	fullWidth  bool
	table      *table
	tableDepth int

	// The line in hand: positions of the game since the last irreversible
	// move, the root, and one position a ply.
	path     []P
	stems    []stem // one a position of path
	root     int    // index of the root in path
	minCycle int

	moves    [MaxPly + 1][]Move  // legal moves of each ply
	priority [MaxPly + 1][]int32 // and what they are ordered by
	pv       [MaxPly + 1][]Move  // principal variation from each ply on

	lines []Line // root moves of the iteration in hand, best first
	done  []Line // those of the last finished iteration

	helpers   []*Searcher[P] // search the same root at the same time
	published atomic.Int64   // nodes, for whom this one helps
	announced *announcements // of all of them; nil for one alone

	draw  [2]int // value of a draw for who moves at even and at odd plies
	clock clock
}

// NewSearcher makes a searcher. The evaluator may be shared. One that is a
// Prober too is used as one.
func NewSearcher[P Position[P]](eval Evaluator[P], o Options) *Searcher[P] {
	mb := min(o.HashMB, maxHashMB)
	if mb == 0 {
		mb = defaultHashMB
	}
	s := newSearcher(eval, o, newTable(mb<<20))
	for range min(o.Threads, MaxThreads) - 1 {
		s.helpers = append(s.helpers, newSearcher(eval, o, s.table))
	}
	if len(s.helpers) > 0 {
		s.share()
	}
	if pr, ok := eval.(Prober[P]); ok {
		s.SetProber(pr)
	}
	return s
}

func newSearcher[P Position[P]](eval Evaluator[P], o Options, t *table) *Searcher[P] {
	s := &Searcher[P]{eval: eval, strict: o.StrictDepth, fullWidth: o.StrictDepth || o.FullWidth, table: t, tableDepth: selectiveTableDepth}
	if s.fullWidth {
		s.tableDepth = fullWidthTableDepth
		s.lastPly, _ = eval.(LastPlyEvaluator[P])
	}
	return s
}

// Clear forgets all earlier searches. It takes no time to speak of.
func (s *Searcher[P]) Clear() { s.table.clear() }

// Search looks for the best move at the root until a limit or the context ends
// it, or the outcome is proven. history holds the positions of the game before
// the root, oldest first; repetitions with them count.
//
// The result is that of the last finished iteration: what an unfinished one
// saw is left out, because its scores are not comparable. Only when not even
// the first was finished does the result hold what was seen (Depth 0).
func (s *Searcher[P]) Search(ctx context.Context, root P, history []P, lim Limits, q Query) Result {
	s.clock.start(ctx, lim)
	s.clock.hold(q.Ponder)
	s.setContempt(clampHeuristic(q.Contempt))
	s.table.newSearch()
	if diff, over := s.setRoot(root, history); over {
		score := s.finalScore(diff, 0)
		return Result{Score: score, Nodes: 1, Time: s.clock.elapsed(), Terminal: true, Proven: true}
	}
	s.setLines(root, q.Only)
	if len(s.helpers) > 0 {
		defer s.startHelpers(ctx, root, history, q)()
	}

	deepest := MaxPly
	if lim.Depth > 0 {
		deepest = min(lim.Depth, MaxPly)
	}
	if lim.Mate > 0 {
		deepest = min(deepest, lim.matePlies())
	}
	finished := 0
	var t trend
	for depth := 1; depth <= deepest; depth++ {
		if !s.iterate(depth, q.AllMoves) {
			break
		}
		finished = depth
		t.add(s.lines[0])
		s.done = copyLines(s.done, s.lines)
		if q.Info != nil {
			q.Info(s.result(finished))
		}
		if s.settled(lim, q.AllMoves) || s.clock.enough(len(s.lines), &t) {
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

// setRoot lays the root down at the end of what of the history can recur, and
// tells whether the game is over there.
func (s *Searcher[P]) setRoot(root P, history []P) (diff int, over bool) {
	from := len(history)
	for from > 0 && history[from-1].Progress() == root.Progress() {
		from--
	}
	s.root = len(history) - from
	if need := s.root + MaxPly + 1; len(s.path) < need {
		s.path = make([]P, need)
		s.stems = make([]stem, need)
	}
	copy(s.path, history[from:])
	s.path[s.root] = root
	for i, p := range s.path[:s.root+1] {
		s.extendStem(p.Key(), i, i)
	}
	s.minCycle = max(root.MinCycle(), 1)
	if diff, over = root.Terminal(); over {
		return diff, true
	}
	times := 1
	for _, p := range s.path[:s.root] {
		if p == root {
			times++
		}
	}
	if times > 1 {
		return root.Repetition(times)
	}
	return 0, false
}

// setLines starts the list of root moves, captures first, with the value of the
// root itself as their score until they have one.
func (s *Searcher[P]) setLines(root P, only []Move) {
	moves := root.AppendMoves(s.moves[0][:0])
	s.moves[0] = moves
	s.lines = s.lines[:0]
	restricted := intersects(moves, only)
	for _, m := range moves {
		if restricted && !contains(only, m) {
			continue
		}
		if len(s.lines) < cap(s.lines) {
			s.lines = s.lines[:len(s.lines)+1]
		} else {
			s.lines = append(s.lines, Line{})
		}
		l := &s.lines[len(s.lines)-1]
		*l = Line{Move: m, Score: root.Hint(m), PV: append(l.PV[:0], m)}
	}
	sortLines(s.lines)
	static := clampHeuristic(s.eval.Evaluate(root))
	for i := range s.lines {
		s.lines[i].Score = static
	}
}

// settled tells whether deeper iterations cannot change the answer.
func (s *Searcher[P]) settled(lim Limits, all bool) bool {
	if best := s.lines[0].Score; lim.Mate > 0 && Proven(best) && best > 0 && best < Win-lim.matePlies() {
		return false // a win, but a later one than asked for
	}
	if !all {
		return seen(s.lines[0].Score)
	}
	for i := range s.lines {
		if !seen(s.lines[i].Score) {
			return false
		}
	}
	return true
}

// result makes a Result, which shares no memory with the searcher, of s.done.
func (s *Searcher[P]) result(depth int) Result {
	lines := copyLines(nil, s.done)
	return Result{
		Best:    lines[0].Move,
		Score:   lines[0].Score,
		Depth:   depth,
		Nodes:   s.clock.nodes + s.helped(),
		Time:    s.clock.elapsed(),
		PV:      lines[0].PV,
		Lines:   lines,
		Proven:  depth > 0 && Proven(lines[0].Score),
		Stopped: s.clock.stopped,
	}
}

// copyLines copies lines over dst, whose memory it uses as far as it goes.
func copyLines(dst, lines []Line) []Line {
	for len(dst) < len(lines) {
		dst = append(dst, Line{})
	}
	dst = dst[:len(lines)]
	for i, l := range lines {
		l.PV = append(dst[i].PV[:0], l.PV...)
		dst[i] = l
	}
	return dst
}

// sortLines sorts by score, best first, leaving equals in place.
func sortLines(lines []Line) {
	for i := 1; i < len(lines); i++ {
		for j := i; j > 0 && lines[j-1].Score < lines[j].Score; j-- {
			lines[j-1], lines[j] = lines[j], lines[j-1]
		}
	}
}

func contains(moves []Move, m Move) bool {
	for _, x := range moves {
		if x == m {
			return true
		}
	}
	return false
}

func intersects(a, b []Move) bool {
	for _, m := range b {
		if contains(a, m) {
			return true
		}
	}
	return false
}

// clock counts nodes and ends the search at its limits.
type clock struct {
	nodes    int64
	next     int64 // node count at which to look again
	limit    int64 // most nodes, 0 for no limit
	begin    time.Time
	soft     time.Duration
	time     time.Duration
	deadline time.Time       // zero for no limit, or not yet
	hit      <-chan struct{} // closed when pondering ends; nil when it has
	ripe     bool            // no iteration should have been begun any more
	done     <-chan struct{}
	stopped  bool
}

// checkEvery nodes the clock and the context are asked: some 0.1 ms.
const checkEvery = 1024

func (c *clock) start(ctx context.Context, lim Limits) {
	*c = clock{begin: time.Now(), limit: max(lim.Nodes, 0), soft: lim.Soft, time: lim.Time, done: ctx.Done()}
	c.setDeadline()
	c.schedule()
	if ctx.Err() != nil {
		c.stopped = true
	}
}

func (c *clock) schedule() {
	c.next = c.nodes + checkEvery
	if c.limit > 0 {
		c.next = min(c.next, c.limit)
	}
}

// look is called when nodes has reached next.
func (c *clock) look() {
	if c.limit > 0 && c.nodes >= c.limit {
		c.stopped = true
		return
	}
	select {
	case <-c.done:
		c.stopped = true
	default:
		if !c.pondering() && !c.deadline.IsZero() && !time.Now().Before(c.deadline) {
			c.stopped = true
		}
	}
	c.schedule()
}

func (c *clock) elapsed() time.Duration { return time.Since(c.begin) }
