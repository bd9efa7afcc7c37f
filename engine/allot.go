package engine

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

// enough tells whether a search with a Soft limit had better not begin another
// iteration. A best move that has just changed is looked at for longer, one
// that has stood for some iterations for less, and a single one not at all.
func (c *clock) enough(soft time.Duration, moves, stood int) bool {
	switch {
	case soft <= 0:
		return false
	case moves == 1:
		return true
	case stood == 0:
		soft = soft * 3 / 2
	case stood >= 4:
		soft = soft * 7 / 10
	}
	return c.elapsed() >= soft
}
