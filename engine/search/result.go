package search

import (
	"slices"
	"time"
)

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
	Best     Move          // the best move; undefined if Terminal
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

// setLines initializes the list of root moves, in the order of their hints. Until a move
// has been searched, its score is the static value of the root.
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

// copyLines copies lines to dst, reusing the memory of dst.
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

// sortLines sorts by score, best first. The sort is stable.
func sortLines(lines []Line) {
	slices.SortStableFunc(lines, func(a, b Line) int { return b.Score - a.Score })
}

// toFront moves a line to the front; the others keep their order.
func toFront(lines []Line, i int) {
	l := lines[i]
	copy(lines[1:i+1], lines[:i])
	lines[0] = l
}
