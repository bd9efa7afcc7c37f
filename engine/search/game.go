// Package search finds the best moves of two-player games. It has a fast searcher for
// any game, slow textbook searches to test it against, and time management.
//
// A game is any type that satisfies [Position]. [Knowledge] is the game's evaluation
// and, optionally, its endgame table and shortcuts. [NewSearcher] returns a [Searcher]:
// an iterative-deepening principal variation search with a hash table, whose Search
// answers a [Query] within [Limits] with a [Result]. A [Textbook] searches to one
// depth by minimax, alpha-beta or negascout. [TimeBudget] computes the time for a move
// under a game clock.
//
// Because of repetitions, the value of a position can depend on earlier positions. The
// searcher counts repetitions of the game's history and of its own line, and never uses
// a stored value where a different history could matter: with Options.StrictDepth its
// scores equal those of minimax.
//
// A Searcher is not safe for concurrent use. History and root must belong to one game
// and obey its rules: a position that recurs sooner than the game's MinCycle is not
// noticed.
package search

import "time"

// Move is a move, a small number whose meaning the game defines.
type Move = uint16

// Position is the interface of games to the search. Games implement it without
// importing this package. P is the game's position type, always seen from the side
// to move.
//
// A position recurs if an equal one appears. So P must not include the counter of a
// draw rule: the search counts reversible plies itself and compares with DrawClock.
type Position[P any] interface {
	comparable

	// AppendMoves appends the legal moves in their natural order to dst. A
	// position without legal moves ends the game.
	AppendMoves(dst []Move) []Move
	// Play returns the position after a legal move, seen by the opponent.
	Play(Move) P
	// Terminal reports whether the position itself ends the game. diff is then
	// positive, zero or negative for a win, draw or loss of the side to move.
	//
	// If detecting that there is no legal move is as expensive as listing the
	// moves, Terminal need not cover such positions. The search then finds them
	// when it lists the moves, but evaluates them at depth 0. Games that package
	// games plays must cover them.
	Terminal() (diff int, over bool)
	// NoMoves returns the diff of a position without legal moves.
	NoMoves() (diff int)
	// Repetition reports whether the game ends when the position appears for the
	// n-th time; n is 2 for its first repetition. diff is as for Terminal.
	Repetition(n int) (diff int, over bool)
	// Progress never decreases during a game. A move is reversible if it leaves
	// Progress unchanged. A position can recur only after reversible moves.
	Progress() int
	// MinCycle is a lower bound on the plies between two occurrences of a
	// position. It is the same for all positions of a game.
	MinCycle() int
	// DrawClock is the number of consecutive reversible plies that draws the
	// game: at least MinCycle, or 0 without such a rule. It is the same for all
	// positions of a game.
	DrawClock() int
	// PlyLimit returns the number of plies after which a game ends, or 0 without
	// such a rule, and the diff if it ends here, as for Terminal. The number is
	// the same for all positions of a game.
	PlyLimit() (plies, diff int)
	// Key is a hash of the position, well mixed in all its bits. Positions with
	// different values, because of their rules for example, have different keys.
	Key() uint64
	// AppendHints appends a hint for each move to dst, within ±maxHint. Moves
	// with larger hints are tried first. A move with a hint above 0 is tactical:
	// quiescence searches it, and it is never reduced or pruned. Tactical moves
	// must be irreversible. All others are quiet; quiet moves may be irreversible
	// too.
	AppendHints(dst []int32, moves []Move) []int32
}

// Knowledge is a game's evaluation, with optional additions. Only Eval is required.
// Threads and searchers share it, so all of it must be deterministic and safe for
// concurrent use.
type Knowledge[P any] struct {
	Eval    Evaluator[P]
	LastPly LastPly[P] // must agree with Eval; full-width searches use it
	Prober  Prober[P]
	// InCheck reports whether the side to move may not stand pat. Quiescence then
	// searches all its moves, and there is no static pruning.
	InCheck func(P) bool
	// Tuning adapts the search to Eval.
	Tuning Tuning
}

// Evaluator returns a heuristic value of a position that is not terminal, in centi-seeds
// for the side to move. The search clamps it to ±MaxHeuristic. An optional method
// AppendValues(dst []int32, ps []P) []int32, which evaluates several positions at once,
// is used to rank moves.
type Evaluator[P any] interface {
	Evaluate(P) int
}

// batchEvaluator is the optional interface of an Evaluator that is faster for several
// positions at once.
type batchEvaluator[P any] interface {
	// AppendValues appends the value of each position to dst.
	AppendValues(dst []int32, ps []P) []int32
}

// EvaluatorFunc is a function as an [Evaluator].
type EvaluatorFunc[P any] func(P) int

// Evaluate implements [Evaluator].
func (f EvaluatorFunc[P]) Evaluate(p P) int { return f(p) }

// LastPly evaluates the moves of a position without making them: a full-width search
// spends most of its time in the last ply.
type LastPly[P any] interface {
	// BestReply returns the maximum of -Evaluate(p.Play(m)) over the legal moves
	// m of a position that is not terminal. It may stop at the first move worth
	// at least enough; moves is the number of moves evaluated. If a move leads to
	// a terminal position, sure is false and the score is invalid. The caller
	// handles repetitions.
	BestReply(p P, enough int) (score, moves int, sure bool)
}

// Prober returns the outcome of some positions, as an endgame table does.
type Prober[P any] interface {
	// Final returns bounds on the final difference for the side to move, as in
	// Terminal, for a position after which no earlier one can recur. ok is false
	// if the position is not covered.
	Final(p P) (low, high int, ok bool)
}

// Scores are in centi-seeds for the side to move. A win in n plies from the root
// scores Win-n, a loss -(Win-n), a draw by rule 0. Heuristic scores are within
// ±MaxHeuristic.
const (
	MaxHeuristic = 10_000
	Win          = 20_000
	MaxPly       = 512     // maximum depth of a search
	MaxNodes     = 1 << 50 // more positions than any search visits
)

// Proven reports whether a score is a forced win or loss.
func Proven(score int) bool { return score > MaxHeuristic || score < -MaxHeuristic }

// PliesToEnd returns the number of plies from the root to the end of a won or lost game. ok
// is false for other scores and for wins of unknown length, found by a [Prober].
func PliesToEnd(score int) (plies int, ok bool) {
	return Win - max(score, -score), countsPlies(score)
}

// Limits are the limits of a search; the first one reached ends it. Zero means no limit.
// Without any limit the search runs until its context is done or the outcome is proven.
// Searches limited only by Depth or Nodes are reproducible.
type Limits struct {
	Depth int           `json:"depth,omitempty"` // depth of the last iteration in plies
	Nodes int64         `json:"nodes,omitempty"` // positions visited
	Time  time.Duration `json:"time,omitempty"`  // wall clock
	// Soft is the time after which no new iteration starts. It is extended while
	// the best move changes or its score falls, and shortened if the best move
	// has been the same for some iterations. With a single legal move the search
	// ends immediately.
	Soft time.Duration `json:"soft,omitempty"`
}

// deepest returns the maximum depth.
func (l Limits) deepest() int {
	if l.Depth > 0 {
		return min(l.Depth, MaxPly)
	}
	return MaxPly
}

// Line is a root move with its score and its principal variation, which starts with the
// move.
type Line struct {
	Move  Move
	Score int
	// Exact reports whether Score is the value at Result.Depth. Otherwise it is an
	// upper bound, which suffices for moves that are not the best.
	Exact bool
	PV    []Move
}

// Result is the outcome of a search's last finished iteration or, if none finished, of the
// partial first iteration (Depth is then 0).
//
// Steady is a better estimate of the value than Score, because scores vary from one
// iteration to the next, in oware by 20 centi-seeds. The error of the mean of three is a
// tenth smaller, as small as with three times the nodes (docs/book.md). If one of the three
// scores is proven, Steady is Score.
type Result struct {
	Best     Move          // the best move; 0 if Terminal
	Score    int           // for the side to move at the root
	Steady   int           // mean Score of the last three iterations: see above
	Depth    int           // depth of the last finished iteration in plies
	Nodes    int64         // positions visited, root included
	Time     time.Duration // wall clock
	PV       []Move        // principal variation, Best first
	Lines    []Line        // every legal move, best first
	Terminal bool          // the game is over at the root
	Proven   bool          // Score is a proven win or loss, or the root is terminal
	Stopped  bool          // a limit or the context ended the search within an iteration
}
