package engine

// iterate searches all root moves to the given depth. It leaves s.lines sorted
// with the best first; if the clock stops it inside, what it leaves is only
// good for s.lines[0].Move when nothing better is known.
func (s *Searcher[P]) iterate(depth int, all bool) {
	root := s.path[s.root]
	s.count()
	alpha := -Win
	best := 0
	for i := range s.lines {
		if s.clock.stopped {
			return
		}
		l := &s.lines[i]
		child := root.Play(l.Move)
		quiet := 0
		if child.Progress() == root.Progress() {
			quiet = s.root + 1
		}
		var score int
		exact := true
		switch {
		case all || i == 0:
			score = -s.search(child, depth-1, -Win, Win, 1, quiet)
		default:
			score = -s.search(child, depth-1, -alpha-1, -alpha, 1, quiet)
			if exact = score > alpha; exact && !s.clock.stopped {
				score = -s.search(child, depth-1, -Win, -alpha, 1, quiet)
			}
		}
		if s.clock.stopped {
			return
		}
		l.Score, l.Exact = score, exact
		l.PV = append(l.PV[:0], l.Move)
		if exact {
			l.PV = append(l.PV, s.pv[1]...)
		}
		if score > alpha {
			alpha, best = score, i
		}
	}
	// The best goes first even among upper bounds of the same score.
	l := s.lines[best]
	copy(s.lines[1:best+1], s.lines[:best])
	s.lines[0] = l
	sortLines(s.lines[1:])
}

// count counts a node.
func (s *Searcher[P]) count() {
	if s.clock.nodes++; s.clock.nodes >= s.clock.next {
		s.clock.look()
	}
}

// search returns the score of p, ply plies from the root, searched depth plies
// deep, if it lies between alpha and beta; else a bound of it on the same side
// of the window (fail-soft). quiet is the number of positions in the line that
// p can repeat: those since the last irreversible move.
func (s *Searcher[P]) search(p P, depth, alpha, beta, ply, quiet int) int {
	s.count()
	if s.clock.stopped {
		return 0
	}
	s.pv[ply] = s.pv[ply][:0]
	if diff, over := p.Terminal(); over {
		return finalScore(diff, ply)
	}
	at := s.root + ply
	if quiet >= s.minCycle {
		if times := s.times(p, at, quiet); times > 1 {
			if diff, over := p.Repetition(times); over {
				return finalScore(diff, ply)
			}
		}
	}
	if depth <= 0 {
		return clampHeuristic(s.eval.Evaluate(p))
	}
	// No game that goes on from here is won or lost before the next ply.
	if alpha = max(alpha, ply+1-Win); alpha >= beta {
		return alpha
	}
	if beta = min(beta, Win-ply-1); alpha >= beta {
		return beta
	}
	s.path[at] = p

	key := p.Key()
	hit, found := s.table.probe(key)
	hashMove := noMove
	free := quiet+depth < s.minCycle // no repetition can happen below: the value has no history
	if found {
		hashMove = hit.move()
		if free && beta-alpha == 1 {
			if score, ok := s.cutoff(hit, depth, alpha, beta, ply); ok {
				return score
			}
		}
	}

	moves := p.AppendMoves(s.moves[ply][:0])
	s.moves[ply] = moves
	var priority [maxOrdered]int32
	for i, m := range moves[:min(len(moves), maxOrdered)] {
		if m == hashMove {
			priority[i] = hashPriority
		} else if h := p.Hint(m); h > 0 {
			priority[i] = int32(min(h, 100)) * hintPriority
		} else {
			priority[i] = s.order.quiet(m, ply)
		}
	}
	_ = priority
	progress := p.Progress()
	best, bestMove, bound := -Win, noMove, boundUpper
	for i := range moves {
		if i < maxOrdered {
			pick(moves, priority[:min(len(moves), maxOrdered)], i)
		}
		m := moves[i]
		child := p.Play(m)
		q := 0
		if child.Progress() == progress {
			q = quiet + 1
		}
		var score int
		if i == 0 {
			score = -s.search(child, depth-1, -beta, -alpha, ply+1, q)
		} else {
			score = -s.search(child, depth-1, -alpha-1, -alpha, ply+1, q)
			if score > alpha && score < beta {
				score = -s.search(child, depth-1, -beta, -alpha, ply+1, q)
			}
		}
		if s.clock.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best, bestMove = score, m
		if score <= alpha {
			continue
		}
		alpha, bound = score, boundExact
		if alpha >= beta {
			bound = boundLower
			if p.Hint(m) == 0 {
				s.order.refuted(m, ply, depth)
			}
			break
		}
		s.pv[ply] = append(append(s.pv[ply][:0], m), s.pv[ply+1]...)
	}
	if !free {
		bound = boundNone
	}
	s.table.store(key, bestMove, toTable(best, ply), depth, bound)
	return best
}

const maxOrdered = 64

// pick moves the move of highest priority among those from i on to place i,
// the first of equals.
func pick(moves []Move, priority []int32, i int) {
	at := i
	for j := i + 1; j < len(priority); j++ {
		if priority[j] > priority[at] {
			at = j
		}
	}
	m, v := moves[at], priority[at]
	copy(moves[i+1:at+1], moves[i:at])
	copy(priority[i+1:at+1], priority[i:at])
	moves[i], priority[i] = m, v
}

// times counts how often p stands in the line at index at, itself included.
func (s *Searcher[P]) times(p P, at, quiet int) int {
	n := 1
	for i := at - s.minCycle; i >= at-quiet; i-- {
		if s.path[i] == p {
			n++
			s.depends = min(s.depends, i)
		}
	}
	return n
}

// cutoff gives the score of an entry if it decides the node.
func (s *Searcher[P]) cutoff(e entry, depth, alpha, beta, ply int) (score int, ok bool) {
	if e.depth() < depth || s.strict && e.depth() != depth {
		return 0, false
	}
	score = fromTable(e.score(), ply)
	switch e.bound() {
	case boundExact:
		return score, true
	case boundLower:
		return score, score >= beta
	case boundUpper:
		return score, score <= alpha
	}
	return 0, false
}

// Proven scores count plies from the root in the search and from the position
// itself in the table.
func toTable(score, ply int) int {
	switch {
	case score > MaxHeuristic:
		return score + ply
	case score < -MaxHeuristic:
		return score - ply
	}
	return score
}

func fromTable(score, ply int) int {
	switch {
	case score > MaxHeuristic:
		return score - ply
	case score < -MaxHeuristic:
		return score + ply
	}
	return score
}
