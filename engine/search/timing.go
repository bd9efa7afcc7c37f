package search

import "time"

// movesToCome is how many moves a game is planned to go on for: Kroo's games
// last some 100 plies, the last of which are quick.
const movesToCome = 25

// Allot shares out the time of a clock: the Soft and the Time of Limits for one
// move. remaining is the time left, increment what each move adds, movesToGo
// the moves until more time is added (0 for the rest of the game), overhead
// what is lost on the way to and from the engine. Neither is more than what is
// left without the overhead, except that both are at least a millisecond.
func Allot(remaining, increment time.Duration, movesToGo int, overhead time.Duration) (soft, hard time.Duration) {
	left := max(remaining-overhead, time.Millisecond)
	moves := movesToCome
	if movesToGo > 0 {
		moves = min(movesToGo, movesToCome)
	}
	share := left/time.Duration(moves) + increment*3/4
	// An iteration begun at Soft takes about as long as all before it.
	soft = min(max(share*6/10, time.Millisecond), left)
	hard = min(max(share*3, time.Millisecond), max(left*6/10, time.Millisecond))
	if moves == 1 {
		hard = left
	}
	return min(soft, hard), hard
}

// trend is what the finished iterations say of how settled the search is.
type trend struct {
	depth  int // iterations so far
	best   Move
	stood  int    // iterations since the best move was another
	scores [2]int // of the last two iterations
	fell   bool   // the last score is well under both before
}

// fallen is how far a score has to drop, in centi-seeds, to be a bad surprise.
// It counts from the lower of two iterations, because scores swing with the
// side that moves last.
const fallen = 75

func (t *trend) add(best Line) {
	t.stood++
	if t.depth == 0 || best.Move != t.best {
		t.stood = 0
	}
	t.fell = t.depth >= 2 && best.Score <= min(t.scores[0], t.scores[1])-fallen
	t.best, t.scores[t.depth&1] = best.Move, best.Score
	t.depth++
}

// stretch turns the Soft limit into the time for this search: longer when the
// best move has just changed or its score has fallen, shorter when it has stood
// for some iterations.
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

// enough tells whether no other iteration should be begun for the Soft limit,
// of so many root moves: a single one is not thought about. A search that
// ponders goes on, but ends with the pondering.
func (c *clock) enough(moves int, t *trend) bool {
	if c.soft <= 0 {
		return false
	}
	c.ripe = moves == 1 || c.elapsed() >= t.stretch(c.soft)
	return c.ripe && !c.pondering()
}

// pondering tells whether the limits of time do not count yet. When they begin
// to, it sets the deadline, or stops the search if it has had its time.
func (c *clock) pondering() bool {
	if c.hit == nil {
		return false
	}
	select {
	case <-c.hit:
		c.hit = nil
		c.setDeadline()
		c.stopped = c.stopped || c.ripe
		return false
	default:
		return true
	}
}

// hold puts the limits of time off until hit is closed.
func (c *clock) hold(hit <-chan struct{}) {
	if c.hit = hit; hit != nil {
		c.deadline = time.Time{}
	}
}

func (c *clock) setDeadline() {
	if c.time > 0 {
		c.deadline = time.Now().Add(c.time)
	}
}
