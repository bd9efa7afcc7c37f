package search

// The least depth at which the table is asked. Nearer to the leaves looking
// costs more than it saves (Sala Soler 2014 found the same). Where the last ply
// is cheap that goes for more of them: full width to depth 20, asking from 5 on
// takes 3 % more nodes than from 4 on and a tenth less time. A selective search
// is quickest from 4 on.
const (
	selectiveTableDepth = 4
	fullWidthTableDepth = 5
)

// previewDepth is the least depth at which a node of a search to full width
// that has no hash move is searched two plies less deep before, to find one
// (internal iterative deepening). Without it depth 20 takes a twelfth longer.
// It did nothing for the selective search.
const previewDepth = 7

// iterate searches the root moves to the given depth and puts the best line
// first. When the clock stops it, it returns false and only the lines searched
// before have got their scores.
func (s *Searcher[P]) iterate(depth int, all bool) bool {
	root := s.path[s.root]
	s.count()
	alpha, best := -Win, 0
	for i := range s.lines {
		if s.clock.stopped {
			break
		}
		l := &s.lines[i]
		child := root.Play(l.Move)
		quiet := 0
		if child.Progress() == root.Progress() {
			quiet = s.root + 1
		}
		score, exact := 0, true
		if all || i == 0 {
			score = -s.search(child, depth-1, -Win, Win, 1, quiet)
		} else {
			score = -s.search(child, depth-1, -alpha-1, -alpha, 1, quiet)
			if exact = score > alpha; exact {
				score = -s.search(child, depth-1, -Win, -alpha, 1, quiet)
			}
		}
		if s.clock.stopped {
			break
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
	if !s.clock.stopped {
		sortLines(s.lines[1:])
	}
	return !s.clock.stopped
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
		return s.finalScore(diff, ply)
	}
	if quiet >= s.minCycle {
		if times := s.times(p, s.root+ply, quiet); times > 1 {
			if diff, over := p.Repetition(times); over {
				return s.finalScore(diff, ply)
			}
		}
	}
	if quiet == 0 {
		if score, ok := s.known(p, alpha, beta, ply); ok {
			return score
		}
	}
	if depth <= 0 {
		return s.leaf(p, alpha, beta, ply)
	}
	// A game that goes on from here is not won or lost before the next ply.
	if first := Win - ply - 1; alpha >= first {
		return first
	} else if beta <= -first {
		return -first
	}
	if depth == 1 && s.lastPly != nil {
		if score, ok := s.lastPlyScore(p, alpha, beta, quiet); ok {
			return score
		}
	}
	s.path[s.root+ply] = p
	if depth < s.tableDepth {
		score, _ := s.tryMoves(p, noMove, depth, alpha, beta, ply, quiet)
		return score
	}
	return s.lookUp(p, depth, alpha, beta, ply, quiet)
}

// lastPlyScore is the score of a node of depth 1 without its moves being made,
// which count as visited. That takes an evaluator that can do it, moves that
// repeat no position and that no Prober knows of, and a window of width one,
// for which nobody wants the variation.
func (s *Searcher[P]) lastPlyScore(p P, alpha, beta, quiet int) (score int, ok bool) {
	if beta-alpha > 1 || quiet+1 >= s.minCycle || s.prober != nil {
		return 0, false
	}
	score, moves, sure := s.lastPly.BestReply(p, beta)
	nodes := s.clock.nodes + int64(moves)
	if !sure || nodes >= s.clock.next { // then they are counted one by one
		return 0, false
	}
	s.clock.nodes = nodes
	return clampHeuristic(score), true
}

// lookUp answers from the table or else searches the moves and records the
// result. Nodes of the principal variation are always searched, to have it
// whole.
func (s *Searcher[P]) lookUp(p P, depth, alpha, beta, ply, quiet int) int {
	at := s.root + ply
	place := p.Key()
	s.extendStem(place, at, quiet)
	past := s.past(at, depth, quiet)
	key := place ^ past

	hashMove := noMove
	hit, found := s.table.probe(place, key)
	if found {
		hashMove = hit.move()
		// A deeper value must not depend on more of the past than this one.
		if beta-alpha == 1 && s.past(at, hit.depth(), quiet) == past {
			if score, ok := s.cutoff(hit, depth, alpha, beta, ply); ok {
				return score
			}
		}
	} else if past != 0 {
		// The iteration before came here with a ply less of past and depth.
		if hit, found = s.table.probe(place, place^s.past(at, depth-1, quiet)); found {
			hashMove = hit.move()
		}
	}

	if hashMove == noMove && s.fullWidth && depth >= previewDepth {
		_, hashMove = s.tryMoves(p, noMove, depth-2, alpha, beta, ply, quiet)
	}
	score, move := s.tryMoves(p, hashMove, depth, alpha, beta, ply, quiet)
	if s.clock.stopped {
		return 0
	}
	bound := boundExact
	switch {
	case score <= alpha:
		bound = boundUpper
	case score >= beta:
		bound = boundLower
	}
	s.table.store(place, key, entryOf(move, toTable(score, ply), depth, bound))
	return score
}

// cutoff gives the score of an entry if it decides a node with a window of
// width one.
func (s *Searcher[P]) cutoff(e entry, depth, alpha, beta, ply int) (score int, ok bool) {
	if e.depth() < depth || s.strict && e.depth() != depth {
		return 0, false
	}
	score = fromTable(e.score(), ply)
	switch e.bound() {
	case boundLower:
		return score, score >= beta
	case boundUpper:
		return score, score <= alpha
	}
	return score, true
}

// tryMoves searches the moves, the most promising first, and returns the best
// score and its move. It leaves the principal variation in s.pv[ply].
func (s *Searcher[P]) tryMoves(p P, hashMove Move, depth, alpha, beta, ply, quiet int) (best int, bestMove Move) {
	out := s.foresee(p, depth, alpha, beta)
	if out.enough {
		return out.least, noMove
	}
	moves, priority := s.orderMoves(p, hashMove, ply)
	progress := p.Progress()
	best, bestMove = -Win, noMove
	behind := 0 // moves put off
	for i := 0; i < len(moves); i++ {
		pick(moves, priority, i)
		m := moves[i]
		child := p.Play(m)
		q := 0
		if child.Progress() == progress {
			q = quiet + 1
		}
		if out.futile && i > 0 && q > 0 {
			best = max(best, out.most)
			continue
		}
		var score int
		if i == 0 {
			score = -s.search(child, depth-1, -beta, -alpha, ply+1, q)
		} else {
			hash, later := s.announce(child, depth, &priority[i])
			if later {
				behind++
				i-- // the next one comes in its place
				continue
			}
			less := 0
			if q > 0 && !s.fullWidth {
				less = reduction(min(i+behind, len(moves)-1), depth)
			}
			score = -s.scout(child, depth-1, less, alpha, beta, ply+1, q)
			s.over(hash)
		}
		if s.clock.stopped {
			return 0, noMove
		}
		if score <= best {
			continue
		}
		best, bestMove = score, m
		if score <= alpha {
			continue
		}
		if score >= beta {
			break
		}
		alpha = score
		s.pv[ply] = append(append(s.pv[ply][:0], m), s.pv[ply+1]...)
	}
	return best, bestMove
}

// scout asks of a move whether it is better than alpha, less deep by a
// reduction at first if there is one, and only if it seems to be for how much.
func (s *Searcher[P]) scout(child P, depth, less, alpha, beta, ply, quiet int) int {
	score := s.search(child, depth-less, -alpha-1, -alpha, ply, quiet)
	if less > 0 && -score > alpha && !s.clock.stopped {
		score = s.search(child, depth, -alpha-1, -alpha, ply, quiet)
	}
	if -score > alpha && -score < beta && !s.clock.stopped {
		score = s.search(child, depth, -beta, -alpha, ply, quiet)
	}
	return score
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
