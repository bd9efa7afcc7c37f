package search

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
	// when it lists the moves, but evaluates them at depth 0.
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

// A win found by a Prober has no known length. It scores tableWin, plus marginScore per
// seed of the guaranteed final difference, minus the plies from the root to the probe:
// above all heuristic scores, below all wins of known length.
const (
	tableWin    = 15_000
	marginScore = 10
)

// countsPlies reports whether a score is a win or loss in a known number of plies. A win
// found by a Prober is proven too, but its length is unknown.
func countsPlies(score int) bool { return score > Win-MaxPly-1 || score < -(Win-MaxPly-1) }

// probe scores a position after an irreversible move, if the Prober's bounds decide the
// game or are outside the window.
func (s *Searcher[P]) probe(p P, alpha, beta, ply int) (score int, ok bool) {
	if s.prober == nil {
		return 0, false
	}
	low, high, ok := s.prober.Final(p)
	if !ok {
		return 0, false
	}
	draw := s.draw[ply&1]
	if score, ok := Decided(low, high); ok {
		switch {
		case score > 0:
			return score - ply, true
		case score < 0:
			return score + ply, true
		}
		return draw, true
	}
	switch {
	case low == 0:
		return draw, draw >= beta
	case high == 0:
		return draw, draw <= alpha
	}
	return 0, false
}

// Decided returns the score of a game whose final difference is between low and high, if
// that decides it: a win or loss of unknown length, or 0.
func Decided(low, high int) (score int, ok bool) {
	switch {
	case low > 0:
		return tableWin + marginScore*low, true
	case high < 0:
		return -tableWin + marginScore*high, true
	}
	return 0, low == 0 && high == 0
}
