package search

import (
	"time"
)

// movesToCome is how many moves a game is planned to continue for: Kroo's games
// last some 100 plies, the last of which are quick.
const movesToCome = 25

// DefaultOverhead is what messages to and from an engine take of its clock, where nobody
// knows better.
const DefaultOverhead = 10 * time.Millisecond

// UnderClock is the limits for one move under a game clock, which [TimeBudget] shares out.
func (l Limits) UnderClock(remaining, increment time.Duration, movesToGo int, overhead time.Duration) Limits {
	soft, hard := TimeBudget(remaining, increment, movesToGo, overhead)
	l.Soft = soft
	if l.Time <= 0 || hard < l.Time {
		l.Time = hard
	}
	return l
}

// TimeBudget shares out a game clock: it gives the Soft and the Time of Limits
// for one move. remaining is the time left, increment what each move adds,
// movesToGo the moves until more time is added (0 for the rest of the game),
// overhead the time that messages to and from the engine take. Neither result
// exceeds remaining less overhead, but both are at least a millisecond.
func TimeBudget(remaining, increment time.Duration, movesToGo int, overhead time.Duration) (soft, hard time.Duration) {
	left := max(remaining-overhead, time.Millisecond)
	moves := movesToCome
	if movesToGo > 0 {
		moves = min(movesToGo, movesToCome)
	}
	share := left/time.Duration(moves) + increment*3/4
	// An iteration that begins at Soft takes about as long as all before it.
	soft = min(max(share*6/10, time.Millisecond), left)
	hard = min(max(share*3, time.Millisecond), max(left*6/10, time.Millisecond))
	if moves == 1 {
		hard = left
	}
	return min(soft, hard), hard
}

// trend is how stable the finished iterations are.
type trend struct {
	fallen int // Tuning.Fallen
	depth  int // iterations so far
	best   Move
	stood  int    // iterations since the best move changed
	scores [2]int // of the last two iterations
	fell   bool   // the last score is well below both before
}

// add takes note of the best line of an iteration. A fall counts from the
// lower of two iterations, because scores swing with the side that moves last.
func (t *trend) add(best Line) {
	t.stood++
	if t.depth == 0 || best.Move != t.best {
		t.stood = 0
	}
	t.fell = t.depth >= 2 && best.Score <= min(t.scores[0], t.scores[1])-t.fallen
	t.best, t.scores[t.depth&1] = best.Move, best.Score
	t.depth++
}

// stretch turns the Soft limit into the time for this search: longer when the
// best move has just changed or its score has fallen, shorter when the move has
// stood for some iterations.
func (t *trend) stretch(soft time.Duration) time.Duration {
	if t.stood >= 4 && !t.fell {
		return soft * 7 / 10
	}
	if t.stood == 0 {
		soft = soft * 3 / 2
	}
	if t.fell {
		soft = soft * 3 / 2
	}
	return soft
}

// enough reports whether the Soft limit forbids another iteration with a number of
// root moves. A single move needs no thought. A search that ponders continues,
// but ends at the hit.
func (c *clock) enough(moves int, t *trend) bool {
	if c.soft <= 0 {
		return false
	}
	c.overdue = moves == 1 || c.elapsed() >= t.stretch(c.soft)
	return c.overdue && !c.pondering()
}

// steadyOver is how many iterations Result.Steady is the mean of.
const steadyOver = 3

// Steady keeps the scores of the last iterations.
type Steady struct {
	scores [steadyOver]int
	n      int // iterations so far
}

// Add takes the score of another iteration.
func (t *Steady) Add(score int) {
	t.scores[t.n%steadyOver] = score
	t.n++
}

// Mean is [Result.Steady], given the score of the last iteration.
func (t *Steady) Mean(last int) int {
	n, sum := min(t.n, steadyOver), 0
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
