package search

import "kroo/internal/memory"

// previewDepth is the least depth at which a full-width node without a hash
// move is first searched two plies shallower to find one (internal iterative
// deepening). Without it depth 20 takes a twelfth longer. The selective search
// gains nothing from it.
const previewDepth = 7

// iterate searches the root moves to the given depth and puts the best line
// first. It returns false if the clock stops it; then only the lines searched
// so far have their scores.
func (s *Searcher[P]) iterate(depth int, all bool) bool {
	root := s.path[s.root]
	s.count()
	alpha, best := -Win, 0
	for i := range s.lines {
		if s.clock.stopped {
			break
		}
		l := &s.lines[i]
		score, exact := s.searchLine(root, l.Move, depth, alpha, all || i == 0)
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
	toFront(s.lines, best) // before others with the same score as upper bound
	if !s.clock.stopped {
		sortLines(s.lines[1:])
	}
	return !s.clock.stopped
}

// searchLine searches a root move: for its exact score, or first with a null
// window above alpha, and for its exact score on fail-high.
func (s *Searcher[P]) searchLine(root P, m Move, depth, alpha int, wanted bool) (score int, exact bool) {
	child := root.Play(m)
	reversible := 0
	if child.Progress() == root.Progress() {
		reversible = s.root + 1
	}
	if wanted {
		return -s.search(child, depth-1, -Win, Win, 1, reversible), true
	}
	score = -s.search(child, depth-1, -alpha-1, -alpha, 1, reversible)
	if score > alpha {
		return -s.search(child, depth-1, -Win, -alpha, 1, reversible), true
	}
	return score, false
}

// count counts a node.
func (s *Searcher[P]) count() {
	if s.clock.nodes++; s.clock.nodes >= s.clock.next {
		s.clock.check()
	}
}

// search returns the score of p, ply plies from the root, searched depth plies
// deep, if it lies between alpha and beta; else a bound of it on the same side
// of the window (fail-soft). reversible is the number of reversible plies before
// p, which is how many positions of the line it can repeat.
func (s *Searcher[P]) search(p P, depth, alpha, beta, ply, reversible int) int {
	s.count()
	if s.clock.stopped {
		return 0
	}
	if beta-alpha > 1 { // nobody wants the variation of a null window
		s.pv[ply] = s.pv[ply][:0]
	}
	if diff, over := p.Terminal(); over {
		return s.finalScore(diff, ply)
	}
	if ply >= s.end {
		return s.finalScore(s.atLimit(p, ply), ply)
	}
	if reversible >= s.minCycle {
		if diff, over := s.drawn(p, ply, reversible); over {
			return s.finalScore(diff, ply)
		}
	}
	if reversible == 0 {
		if score, ok := s.probe(p, alpha, beta, ply); ok {
			return score
		}
	}
	if depth <= 0 {
		return s.leaf(p, alpha, beta, ply)
	}
	// A game that continues from here is not won or lost before the next ply.
	if first := Win - ply - 1; alpha >= first {
		return first
	} else if beta <= -first {
		return -first
	}
	if depth == 1 && s.lastPly != nil && ply+1 < s.end {
		if score, ok := s.lastPlyScore(p, alpha, beta, reversible); ok {
			return score
		}
	}
	s.path[s.root+ply] = p
	if depth < s.tuning.TableDepth {
		score, _ := s.tryMoves(p, noMove, depth, alpha, beta, ply, reversible)
		return score
	}
	return s.lookUp(p, depth, alpha, beta, ply, reversible)
}

// lastPlyScore scores a node of depth 1 without making its moves, which count
// as visited. It needs moves that repeat no position and that no Prober knows,
// and a null window, for which nobody wants the variation.
func (s *Searcher[P]) lastPlyScore(p P, alpha, beta, reversible int) (score int, ok bool) {
	if beta-alpha > 1 || reversible+1 >= s.minCycle || s.prober != nil {
		return 0, false
	}
	score, moves, sure := s.lastPly.BestReply(p, beta)
	nodes := s.clock.nodes + int64(moves)
	if !sure || nodes >= s.clock.next { // close to a limit nodes count one by one
		return 0, false
	}
	s.clock.nodes = nodes
	return clampHeuristic(score), true
}

// prefetch asks for the hash table's bucket of a position that is soon searched depth
// plies deep. Most probes would wait for memory: a search takes 5 to 10 % less time.
func (s *Searcher[P]) prefetch(p P, depth int) {
	if depth >= s.tuning.TableDepth {
		memory.Prefetch(s.table.bucket(p.Key()))
	}
}

// lookUp answers from the hash table, or else searches the moves and stores the
// result. Nodes of the principal variation it always searches, so that the variation is
// complete.
func (s *Searcher[P]) lookUp(p P, depth, alpha, beta, ply, reversible int) int {
	at := s.root + ply
	place := p.Key()
	s.extendPath(place, at, reversible)
	path := s.pathKey(at, depth, reversible)
	key := place ^ path

	hashMove := noMove
	hit, found := s.table.probe(place, key)
	if found {
		hashMove = hit.move()
		// A deeper value must not depend on more of the path than this one.
		if beta-alpha == 1 && s.pathKey(at, hit.depth(), reversible) == path {
			if score, ok := s.cutoff(hit, depth, alpha, beta, ply); ok {
				return score
			}
		}
	} else if before := s.pathKey(at, depth-1, reversible); before != path {
		// The iteration before came here with a ply less of path and depth.
		if hit, found = s.table.probe(place, place^before); found {
			hashMove = hit.move()
		}
	}

	plies := depth
	if hashMove == noMove {
		if s.fullWidth && depth >= previewDepth {
			_, hashMove = s.tryMoves(p, noMove, depth-2, alpha, beta, ply, reversible)
		} else if depth >= s.tuning.UnseenDepth {
			plies--
		}
	}
	score, move := s.tryMoves(p, hashMove, plies, alpha, beta, ply, reversible)
	if s.clock.stopped {
		return 0
	}
	s.table.store(place, key, entryOf(move, toTable(score, ply), depth, boundOf(score, alpha, beta)))
	return score
}

// cutoff gives the score of an entry if it decides a node with a null window.
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

// tryMoves searches the moves in order and returns the best score and its
// move. It leaves the principal variation in s.pv[ply].
func (s *Searcher[P]) tryMoves(p P, hashMove Move, depth, alpha, beta, ply, reversible int) (best int, bestMove Move) {
	prune := s.staticPruning(p, depth, alpha, beta)
	if prune.failHigh {
		return prune.least, noMove
	}
	moves, priority := s.orderMoves(p, hashMove, ply)
	if len(moves) == 0 {
		return s.finalScore(p.NoMoves(), ply), noMove
	}
	progress := p.Progress()
	best, bestMove = -Win, noMove
	late := 0 // moves deferred
	ranked := false
	for i := 0; i < len(moves); i++ {
		if !ranked && depth >= s.tuning.RankDepth && priority[i] != hashPriority { // the hash move alone often suffices
			s.rank(p, moves[i:], priority[i:], depth)
			ranked = true
		}
		if prune.futile && i > 0 && quiet(priority[i]) {
			best = max(best, prune.most)
			continue
		}
		m := moves[i]
		child := p.Play(m)
		if ranked {
			s.known = valued[P]{child, -rankedValue(priority[i]), true}
		} else { // rank has asked for the others' buckets
			s.prefetch(child, depth-1)
		}
		after := 0
		if child.Progress() == progress {
			after = reversible + 1
		}
		var score int
		if i == 0 {
			score = -s.search(child, depth-1, -beta, -alpha, ply+1, after)
		} else {
			hash, later := s.mark(child, depth, priority[i])
			if later {
				postpone(moves, priority, i)
				late++
				i-- // another move takes its place
				continue
			}
			less := s.lateReduction(min(i+late, len(moves)-1), depth, alpha, priority[i])
			score = -s.scout(child, depth-1, less, alpha, beta, ply+1, after)
			s.unmark(hash)
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

// scout searches a move with a null window, reduced at first, and re-searches
// it on fail-high.
func (s *Searcher[P]) scout(child P, depth, less, alpha, beta, ply, reversible int) int {
	score := s.search(child, depth-less, -alpha-1, -alpha, ply, reversible)
	if less > 0 && -score > alpha && !s.clock.stopped {
		score = s.search(child, depth, -alpha-1, -alpha, ply, reversible)
	}
	if -score > alpha && -score < beta && !s.clock.stopped {
		score = s.search(child, depth, -beta, -alpha, ply, reversible)
	}
	return score
}

// Proven scores count plies from the root in the search, and from the position
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

func fromTable(score, ply int) int { return toTable(score, -ply) }
