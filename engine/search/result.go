package search

import (
	"slices"
	"time"
)

// Scores are in centi-seeds for the side to move. A win in n plies from the
// root scores Win-n, a loss -(Win-n), a draw by rule 0. Heuristic scores lie
// within ±MaxHeuristic.
const (
	MaxHeuristic = 10_000
	Win          = 20_000
	MaxPly       = 512     // deepest ply the search looks at
	MaxNodes     = 1 << 50 // more positions than any search visits
)

// Proven reports whether a score is that of a forced win or loss.
func Proven(score int) bool { return score > MaxHeuristic || score < -MaxHeuristic }

// PliesToEnd is how many plies from the root a won or lost game ends, if the score
// tells. Wins that come from a [Prober] do not.
func PliesToEnd(score int) (plies int, ok bool) {
	return Win - max(score, -score), countsPlies(score)
}

// Limits bound a search; the first one reached ends it. Zero fields do not
// bound. With all zero the search runs until its context is done or the game
// is proven. Searches bounded by Depth or Nodes alone are reproducible.
type Limits struct {
	Depth int           `json:"depth,omitempty"` // plies of the last iteration
	Nodes int64         `json:"nodes,omitempty"` // positions visited
	Time  time.Duration `json:"time,omitempty"`  // nanoseconds of wall clock
	// Soft is the time after which no new iteration begins. The search makes it
	// longer while the best move changes or its score falls, and shorter when
	// the best move has been the same for some iterations. If there is a single
	// legal move, the search ends at once.
	Soft time.Duration `json:"soft,omitempty"`
	// Mate asks for a win in that number of moves of the side to move, and so bounds
	// the depth. Longer wins do not end the search. If it finds none, there is
	// none for certain only with FullWidth and without a Prober, whose wins have
	// no known length.
	Mate int `json:"mate,omitempty"`
}

// matePlies is the most plies that a win in Mate moves takes.
func (l Limits) matePlies() int { return 2*min(l.Mate, MaxPly/2) - 1 }

// deepest is the depth of the last iteration.
func (l Limits) deepest() int {
	depth := MaxPly
	if l.Depth > 0 {
		depth = min(l.Depth, depth)
	}
	if l.Mate > 0 {
		depth = min(l.matePlies(), depth)
	}
	return depth
}

// Line is a root move with its score and its principal variation, which begins
// with the move itself.
type Line struct {
	Move  Move
	Score int
	// Exact says that Score is the value at Result.Depth. Else it is an upper
	// bound: a search for the best move needs no more of the other moves.
	Exact bool
	PV    []Move
}

// Result is the outcome of a search: that of its last finished iteration or, if
// none finished, what the search saw so far (Depth is then 0).
//
// Steady estimates the value better than Score does, because scores jump from one
// iteration to the next, in oware by 20 centi-seeds. The error of the mean of three is a
// tenth smaller, as small as after three times as many nodes (docs/book.md). If one of
// the three scores is proven, Steady is Score.
type Result struct {
	Best     Move          // the move to play; meaningless if Terminal
	Score    int           // for the side to move at the root
	Steady   int           // mean of Score and of the two iterations before: see above
	Depth    int           // plies of the last finished iteration
	Nodes    int64         // positions visited, root included
	Time     time.Duration // wall clock
	PV       []Move        // principal variation, Best first
	Lines    []Line        // every legal move, best first
	Terminal bool          // the root position ends the game: no move
	Proven   bool          // Score is a proven win, loss or (by terminal root) draw
	Stopped  bool          // a limit or the context ended the search inside an iteration
}

// setLines starts the list of root moves in the order of their hints. Until a
// move has a score of its own it has the static value of the root.
func (s *Searcher[P]) setLines(root P, only []Move) {
	moves := root.AppendMoves(s.moves[0][:0])
	hints := root.AppendHints(s.priority[0][:0], moves)
	s.moves[0], s.priority[0] = moves, hints
	s.lines = s.lines[:0]
	restricted := slices.ContainsFunc(only, func(m Move) bool { return slices.Contains(moves, m) })
	for i, m := range moves {
		if restricted && !slices.Contains(only, m) {
			continue
		}
		if len(s.lines) < cap(s.lines) {
			s.lines = s.lines[:len(s.lines)+1]
		} else {
			s.lines = append(s.lines, Line{})
		}
		l := &s.lines[len(s.lines)-1]
		*l = Line{Move: m, Score: int(hints[i]), PV: append(l.PV[:0], m)}
	}
	sortLines(s.lines)
	static := s.evaluate(root)
	for i := range s.lines {
		s.lines[i].Score = static
	}
}

// copyLines copies lines to dst. It allocates only what the memory of dst lacks.
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

// sortLines sorts by score, best first, and leaves equals in place.
func sortLines(lines []Line) {
	slices.SortStableFunc(lines, func(a, b Line) int { return b.Score - a.Score })
}

// toFront moves a line to the front; the others keep their order.
func toFront(lines []Line, i int) {
	l := lines[i]
	copy(lines[1:i+1], lines[:i])
	lines[0] = l
}
