package search

// Move is a move of a game: a small number whose meaning the game defines.
type Move = uint16

// Position is what a game must offer to be searched. Games satisfy it
// structurally, without importing this package; P is the game's own position
// type, a comparable value that is always seen from the player to move.
type Position[P any] interface {
	comparable

	// AppendMoves appends the legal moves in their natural order to dst. A
	// position with none is terminal.
	AppendMoves(dst []Move) []Move
	// Play returns the position after a legal move, seen by the opponent.
	Play(Move) P
	// Terminal tells whether the position itself ends the game; diff is then
	// positive, zero or negative for a game won, drawn or lost by the player
	// to move.
	Terminal() (diff int, over bool)
	// Repetition tells the same of a position that stands on the board for the
	// given time (2 is its first recurrence).
	Repetition(times int) (diff int, over bool)
	// Progress never decreases during a game, and a position can recur only
	// while it stays the same.
	Progress() int
	// MinCycle is a lower bound on the plies between two occurrences of a
	// position, the same for all positions of a game.
	MinCycle() int
	// Key is a hash of the position, well mixed in all its bits.
	Key() uint64
	// Hint orders moves: larger is tried first, 0 is a quiet move. Moves with a
	// Hint above 0 must be irreversible: the search of leaves goes on with them.
	Hint(Move) int
}

// Evaluator gives a heuristic value of a position that is not terminal, in
// centi-seeds for the player to move. It must be deterministic and safe for
// concurrent use. The search clamps it to ±MaxHeuristic.
type Evaluator[P any] interface {
	Evaluate(P) int
}

// LastPlyEvaluator is an Evaluator that can tell what the moves of a position
// are worth without making them. A search to full width spends most of its
// time on its last ply.
type LastPlyEvaluator[P any] interface {
	Evaluator[P]
	// BestReply returns the largest of -Evaluate(p.Play(m)) over the legal moves
	// m of a position that is not terminal, if sure: if none of them leads to a
	// position that is. It may stop at the first one worth enough; moves is how
	// many it looked at. Repetitions are the caller's business.
	BestReply(p P, enough int) (score, moves int, sure bool)
}

// EvaluatorFunc makes an Evaluator of a function.
type EvaluatorFunc[P any] func(P) int

// Evaluate calls f.
func (f EvaluatorFunc[P]) Evaluate(p P) int { return f(p) }
