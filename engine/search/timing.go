package search

import (
	"context"
	"sync/atomic"
	"time"
)

// expectedMoves is the number of moves over which the remaining time is distributed:
// Kroo's games have about 100 plies, the last of which are quick.
const expectedMoves = 25

// DefaultOverhead is the default time per move for messages to and from an engine.
const DefaultOverhead = 10 * time.Millisecond

// UnderClock returns the limits for one move under a game clock, by [TimeBudget].
func (l Limits) UnderClock(remaining, increment time.Duration, movesToGo int, overhead time.Duration) Limits {
	soft, hard := TimeBudget(remaining, increment, movesToGo, overhead)
	l.Soft = soft
	if l.Time <= 0 || hard < l.Time {
		l.Time = hard
	}
	return l
}

// TimeBudget returns the Soft and Time limits for one move under a game clock. remaining is
// the time left, increment the time added per move, movesToGo the number of moves until more
// time is added (0 for the rest of the game), overhead the time for messages to and from the
// engine. Neither result exceeds remaining minus overhead, but both are at least a
// millisecond.
func TimeBudget(remaining, increment time.Duration, movesToGo int, overhead time.Duration) (soft, hard time.Duration) {
	left := max(remaining-overhead, time.Millisecond)
	moves := expectedMoves
	if movesToGo > 0 {
		moves = min(movesToGo, expectedMoves)
	}
	share := left/time.Duration(moves) + increment*3/4
	// An iteration that starts at Soft takes about as long as all earlier ones together.
	soft = min(max(share*6/10, time.Millisecond), left)
	hard = min(max(share*3, time.Millisecond), max(left*6/10, time.Millisecond))
	if moves == 1 {
		hard = left
	}
	return min(soft, hard), hard
}

// trend measures how stable the finished iterations are.
type trend struct {
	fallen int // Tuning.Fallen
	depth  int // iterations so far
	best   Move
	stable int    // iterations since the best move changed
	scores [2]int // of the last two iterations
	fell   bool   // the last score is well below the two before
}

// add adds the best line of an iteration. A drop is measured from the lower score of the two
// iterations before, because scores swing with the side that moves last.
func (t *trend) add(best Line) {
	t.stable++
	if t.depth == 0 || best.Move != t.best {
		t.stable = 0
	}
	t.fell = t.depth >= 2 && best.Score <= min(t.scores[0], t.scores[1])-t.fallen
	t.best = best.Move
	t.scores[t.depth&1] = best.Score
	t.depth++
}

// stretch adjusts the Soft limit: longer if the best move has just changed or its score has
// dropped, shorter if the move has been stable for some iterations.
func (t *trend) stretch(soft time.Duration) time.Duration {
	if t.stable >= 4 && !t.fell {
		return soft * 7 / 10
	}
	if t.stable == 0 {
		soft = soft * 3 / 2
	}
	if t.fell {
		soft = soft * 3 / 2
	}
	return soft
}

// enough reports whether the Soft limit ends the search. moves is the number of root moves: a
// single one needs no more thought. A pondering search continues, but ends at the hit.
func (c *clock) enough(moves int, t *trend) bool {
	if c.soft <= 0 {
		return false
	}
	c.overdue = moves == 1 || c.elapsedTime() >= t.stretch(c.soft)
	return c.overdue && !c.pondering()
}

// steadyWindow is the number of iterations that Result.Steady is the mean of.
const steadyWindow = 3

// Steady computes [Result.Steady] from the scores of the last iterations.
type Steady struct {
	scores [steadyWindow]int
	n      int // iterations so far
}

// Add adds the score of an iteration.
func (t *Steady) Add(score int) {
	t.scores[t.n%steadyWindow] = score
	t.n++
}

// Mean returns [Result.Steady], given the score of the last iteration.
func (t *Steady) Mean(last int) int {
	n, sum := min(t.n, steadyWindow), 0
	for _, score := range t.scores[:n] {
		if Proven(score) {
			return last
		}
		sum += score
	}
	if n == 0 || Proven(last) {
		return last
	}
	if sum < 0 {
		return (sum - n/2) / n
	}
	return (sum + n/2) / n
}

// clock counts nodes and stops the search at its limits.
type clock struct {
	nodes    int64
	next     int64         // node count at which to check the limits again
	limit    int64         // node limit for all threads together, 0 means none
	shared   *atomic.Int64 // nodes of all threads as of their last checks; nil with a single thread
	added    int64         // nodes of this thread in shared
	begin    time.Time
	soft     time.Duration
	time     time.Duration
	deadline time.Time       // zero means no limit, or pondering
	hit      <-chan struct{} // closed when pondering ends; nil if not pondering
	overdue  bool            // the soft time is up; set while pondering too
	done     <-chan struct{}
	stopped  bool
}

// checkEvery is the number of nodes between checks of the limits, about 0.1 ms.
const checkEvery = 1024

func (c *clock) start(ctx context.Context, lim Limits, shared *atomic.Int64) {
	*c = clock{begin: time.Now(), limit: max(lim.Nodes, 0), shared: shared, soft: lim.Soft, time: lim.Time, done: ctx.Done()}
	c.setDeadline()
	c.schedule()
	if ctx.Err() != nil {
		c.stopped = true
	}
}

func (c *clock) schedule() {
	c.next = c.nodes + checkEvery
	if c.limit > 0 {
		c.next = min(c.next, c.nodes+c.limit-c.totalNodes())
	}
}

// totalNodes returns the nodes of all threads, those of the others as of their last checks.
func (c *clock) totalNodes() int64 {
	if c.shared == nil {
		return c.nodes
	}
	more := c.nodes - c.added
	c.added = c.nodes
	return c.shared.Add(more)
}

// check stops the search if it has reached a limit. It is called when nodes reaches
// next.
func (c *clock) check() {
	total := c.totalNodes()
	if c.limit > 0 && total >= c.limit {
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

func (c *clock) elapsedTime() time.Duration { return time.Since(c.begin) }

// ponder suspends the time limits until hit is closed.
func (c *clock) ponder(hit <-chan struct{}) {
	c.hit = hit
	if hit != nil {
		c.deadline = time.Time{}
	}
}

// pondering reports whether the time limits are suspended. When hit is closed, it sets
// the deadline, or stops the search if the soft time is already up.
func (c *clock) pondering() bool {
	if c.hit == nil {
		return false
	}
	select {
	case <-c.hit:
		c.hit = nil
		c.setDeadline()
		c.stopped = c.stopped || c.overdue
		return false
	default:
		return true
	}
}

func (c *clock) setDeadline() {
	if c.time > 0 {
		c.deadline = time.Now().Add(c.time)
	}
}
