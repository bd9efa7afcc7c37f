package search

import "time"

// Scores are in centi-seeds for the player to move. A proven win in n plies
// from the root scores Win-n, a proven loss -(Win-n), a draw by rule 0;
// heuristic scores lie within ±MaxHeuristic.
const (
	MaxHeuristic = 10_000
	Win          = 20_000
	MaxPly       = 512 // deepest ply the search looks at
)

// Proven tells whether a score is that of a forced win or loss.
func Proven(score int) bool { return score > MaxHeuristic || score < -MaxHeuristic }

// Limits bound a search; the first one reached ends it. Zero fields do not
// bound. With all zero the search runs until its context is done or the game
// is proven. Searches bounded by Depth or Nodes alone are reproducible.
type Limits struct {
	Depth int           `json:"depth,omitempty"` // plies of the last iteration
	Nodes int64         `json:"nodes,omitempty"` // positions visited
	Time  time.Duration `json:"time,omitempty"`  // nanoseconds of wall clock
	// Soft is the time after which no iteration is begun. It is stretched while
	// the best move changes or its score falls, cut when the move stands, and a
	// single legal move is not thought about.
	Soft time.Duration `json:"soft,omitempty"`
	// Mate asks for a win in so many moves of the player to move, and so bounds
	// the depth. Other wins do not end the search. That there is none is certain
	// only with FullWidth and without a Prober, whose wins are of unknown length.
	Mate int `json:"mate,omitempty"`
}

// matePlies is how many plies a win in Mate moves takes, at most.
func (l Limits) matePlies() int { return 2*min(l.Mate, MaxPly/2) - 1 }

// Line is a root move with its score and principal variation (which begins
// with the move itself). Bound is Exact unless the search was not asked for,
// or did not finish, an exact score of this move.
type Line struct {
	Move  Move
	Score int
	Exact bool // Score is the value at Result.Depth, not just an upper bound
	PV    []Move
}

// Result is the outcome of a search: of its last finished iteration, or, when
// none finished, of what was seen so far (Depth is then 0).
type Result struct {
	Best     Move          // the move to play; meaningless if Terminal
	Score    int           // for the player to move at the root
	Depth    int           // plies of the last finished iteration
	Nodes    int64         // positions visited, root included
	Time     time.Duration // wall clock
	PV       []Move        // principal variation, Best first
	Lines    []Line        // every legal move, best first
	Terminal bool          // the root position ends the game: no move
	Proven   bool          // Score is a proven win, loss or (by terminal root) draw
	Stopped  bool          // a limit or the context ended the search inside an iteration
}
