package search

import "slices"

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
