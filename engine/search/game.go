package search

// Move is a move of a game: a small number whose meaning the game defines.
type Move = uint16

// Position is what a game must offer to be searched. Games satisfy it
// structurally, without importing this package. P is the game's own position
// type, a comparable value that is always seen from the side to move.
//
// Two positions recur if they are equal. So P must not include the clock of a draw
// rule: the search counts the reversible plies itself and asks for DrawClock.
type Position[P any] interface {
	comparable

	// AppendMoves appends the legal moves in their natural order to dst. A
	// position without any ends the game.
	AppendMoves(dst []Move) []Move
	// Play returns the position after a legal move, seen by the opponent.
	Play(Move) P
	// Terminal reports whether the position itself ends the game. diff is then
	// positive, zero or negative for a win, draw or loss of the side to move.
	//
	// A game in which finding out that there is no legal move costs as much as
	// listing the moves may leave such positions to NoMoves. The search then
	// finds them when it lists the moves, and evaluates them at depth 0.
	Terminal() (diff int, over bool)
	// NoMoves is the diff of a position without legal moves.
	NoMoves() (diff int)
	// Repetition reports whether the game ends when the position appears for the
	// given time, 2 for its first repetition. diff is as for Terminal.
	Repetition(times int) (diff int, over bool)
	// Progress never decreases during a game. A move is reversible if it leaves
	// Progress unchanged. A position can recur only after reversible moves.
	Progress() int
	// MinCycle is a lower bound on the plies between two occurrences of a
	// position. It is the same for all positions of a game.
	MinCycle() int
	// DrawClock is the number of reversible plies in a row that draw the game,
	// 0 for no such rule, and at least MinCycle. It is the same for all
	// positions of a game.
	DrawClock() int
	// PlyLimit is the number of plies after which a game ends, 0 for no such rule, and
	// the diff then, as for Terminal. The number is the same for all positions of a game.
	PlyLimit() (plies, diff int)
	// Key is a hash of the position, well mixed in all its bits. Positions
	// whose values differ, by their rules for example, have different keys.
	Key() uint64
	// AppendHints appends a hint for each of the moves to dst, within ±maxHint.
	// Hints order moves: larger is tried first. A move with a hint above 0 is
	// tactical: quiescence searches it, and reductions and pruning leave it
	// alone. Tactical moves must be irreversible. All others are quiet; a quiet
	// move may well be irreversible.
	AppendHints(dst []int32, moves []Move) []int32
}

// Knowledge is what a searcher knows of a game besides its rules. Only Eval is
// needed. Threads and searchers may share it, so all of it must be
// deterministic and safe for concurrent use.
type Knowledge[P any] struct {
	Eval    Evaluator[P]
	LastPly LastPly[P] // must agree with Eval; full-width searches use it
	Prober  Prober[P]
	// InCheck reports whether the side to move may not stand pat. Quiescence then
	// searches all its moves, and static pruning leaves the position alone.
	InCheck func(P) bool
	// Tuning suits the search to Eval.
	Tuning Tuning
}

// Evaluator gives a heuristic value of a position that is not terminal, in
// centi-seeds for the side to move. The search clamps it to ±MaxHeuristic. If it has
// AppendValues as well, which takes several positions at once, the search calls that for
// the moves it ranks.
type Evaluator[P any] interface {
	Evaluate(P) int
}

// evaluatorOfAll may be an Evaluator that takes less time for several positions at once.
type evaluatorOfAll[P any] interface {
	// AppendValues appends Evaluate of each of the positions to dst.
	AppendValues(dst []int32, ps []P) []int32
}

// EvaluatorFunc makes an Evaluator of a function.
type EvaluatorFunc[P any] func(P) int

// Evaluate calls f.
func (f EvaluatorFunc[P]) Evaluate(p P) int { return f(p) }

// LastPly evaluates the moves of a position without making them. A
// full-width search spends most of its time on its last ply.
type LastPly[P any] interface {
	// BestReply returns the largest of -Evaluate(p.Play(m)) over the legal moves
	// m of a position that is not terminal. It may stop at the first move worth
	// enough or more; moves is how many it looked at. If a move leads to a
	// terminal position, sure is false and the score means nothing. Repetitions
	// are the caller's business.
	BestReply(p P, enough int) (score, moves int, sure bool)
}

// Prober knows how some games end, as an endgame table does.
type Prober[P any] interface {
	// Final gives bounds of the final difference for the side to move, as of
	// Terminal, in a position to which no earlier one can return. ok is false
	// if it knows nothing.
	Final(p P) (low, high int, ok bool)
}

// A win that comes from a Prober has no known number of plies. It scores
// tableWin, plus marginScore a seed of the sure final difference, less the
// plies from the root to the probe: above every heuristic score, below every win
// that the search sees to its end.
const (
	tableWin    = 15_000
	marginScore = 10
)

// countsPlies reports whether a score is a win or loss in a known number of plies. A win
// that a Prober knows is proven too, but does not say how to get there.
func countsPlies(score int) bool { return score > Win-MaxPly-1 || score < -(Win-MaxPly-1) }

// probe scores a position after an irreversible move, if the Prober knows who
// wins or bounds the score out of the window.
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

// Decided is the score of a game whose final difference lies between two
// bounds, if they decide it: a win or loss of unknown length, or 0.
func Decided(low, high int) (score int, ok bool) {
	switch {
	case low > 0:
		return tableWin + marginScore*low, true
	case high < 0:
		return -tableWin + marginScore*high, true
	}
	return 0, low == 0 && high == 0
}
