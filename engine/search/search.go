package search

import (
	"cmp"
	"kroo/internal/memory"
)

// previewDepth is the minimum depth at which a full-width node without a hash move is
// first searched two plies shallower to find one (internal iterative deepening). Without
// it depth 20 takes a twelfth longer. It does not help the selective search.
const previewDepth = 7

// iterate searches the root moves to the given depth and puts the best line first. If the
// clock stops it, it returns false, and only the lines searched before have new scores.
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

// searchLine searches a root move. Unless full is true, it uses a null window above alpha
// first, and searches for the exact score only on fail-high.
func (s *Searcher[P]) searchLine(root P, m Move, depth, alpha int, full bool) (score int, exact bool) {
	child := root.Play(m)
	reversible := reversibleAfter(root, child, s.root)
	if full {
		return -s.search(child, depth-1, -Win, Win, 1, reversible), true
	}
	score = -s.search(child, depth-1, -alpha-1, -alpha, 1, reversible)
	if score > alpha {
		return -s.search(child, depth-1, -Win, -alpha, 1, reversible), true
	}
	return score, false
}

// count counts a node and checks the limits if that is due.
func (s *Searcher[P]) count() {
	s.clock.nodes++
	if s.clock.nodes >= s.clock.next {
		s.clock.check()
	}
}

// search searches p, which is ply plies from the root, to the given depth. It returns the
// score if it is between alpha and beta, else a bound on the same side of the window
// (fail-soft). reversible is the number of reversible plies before p: only positions since
// then can be repeated.
func (s *Searcher[P]) search(p P, depth, alpha, beta, ply, reversible int) int {
	s.count()
	if s.clock.stopped {
		return 0
	}
	if beta-alpha > 1 { // the variation of a null window is not used
		s.pv[ply] = s.pv[ply][:0]
	}
	if diff, over := p.Terminal(); over {
		return s.finalScore(diff, ply)
	}
	if ply >= s.end {
		return s.finalScore(s.atLimit(p, ply), ply)
	}
	if reversible >= s.minCycle {
		if diff, over := s.endedByHistory(p, ply, reversible); over {
			return s.finalScore(diff, ply)
		}
	}
	if reversible == 0 {
		if score, ok := s.probeEndgame(p, alpha, beta, ply); ok {
			return score
		}
	}
	if depth <= 0 {
		return s.leaf(p, alpha, beta, ply)
	}
	// A game that is not over here is won or lost at the next ply at the earliest.
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

// lastPlyScore scores a node of depth 1 without making its moves, which count as visited.
// It applies only if the moves cannot repeat a position, there is no Prober, and the
// window is null, so that no variation is needed.
func (s *Searcher[P]) lastPlyScore(p P, alpha, beta, reversible int) (score int, ok bool) {
	if beta-alpha > 1 || reversible+1 >= s.minCycle || s.prober != nil {
		return 0, false
	}
	score, moves, sure := s.lastPly.BestReply(p, beta)
	nodes := s.clock.nodes + int64(moves)
	if !sure || nodes >= s.clock.next { // near a limit nodes are counted one by one
		return 0, false
	}
	s.clock.nodes = nodes
	return clampHeuristic(score), true
}

// prefetch prefetches the hash table's bucket for a position that is about to be searched
// to the given depth. It makes a search 5 to 10 % faster, because most probes miss the
// processor's cache.
func (s *Searcher[P]) prefetch(p P, depth int) {
	if depth >= s.tuning.TableDepth {
		memory.Prefetch(s.table.bucket(p.Key()))
	}
}

// lookUp returns the score from the hash table, or searches the moves and stores the result.
// Nodes of the principal variation are always searched, so that the variation is complete.
func (s *Searcher[P]) lookUp(p P, depth, alpha, beta, ply, reversible int) int {
	at := s.root + ply
	bucketKey := p.Key()
	s.extendPath(bucketKey, at, reversible)
	path := s.pathKey(at, depth, reversible)
	key := bucketKey ^ path

	hashMove := noMove
	hit, found := s.table.probe(bucketKey, key)
	if found {
		hashMove = hit.move()
		// The value of a deeper search is usable only if its path hash is the same.
		if beta-alpha == 1 && s.pathKey(at, hit.depth(), reversible) == path {
			if score, ok := s.cutoff(hit, depth, alpha, beta, ply); ok {
				return score
			}
		}
	} else if before := s.pathKey(at, depth-1, reversible); before != path {
		// The previous iteration stored it with a path hash and depth of a ply less.
		hit, found = s.table.probe(bucketKey, bucketKey^before)
		if found {
			hashMove = hit.move()
		}
	}

	plies := depth
	if hashMove == noMove {
		if s.fullWidth && depth >= previewDepth {
			_, hashMove = s.tryMoves(p, noMove, depth-2, alpha, beta, ply, reversible)
		} else if depth >= s.tuning.UnseenDepth {
			plies-- // the result is stored as one of the whole depth all the same
		}
	}
	score, move := s.tryMoves(p, hashMove, plies, alpha, beta, ply, reversible)
	if s.clock.stopped {
		return 0
	}
	s.table.store(bucketKey, key, entryOf(move, toTable(score, ply), depth, boundOf(score, alpha, beta)))
	return score
}

// cutoff returns the score of an entry if it decides a node with a null window.
func (s *Searcher[P]) cutoff(e entry, depth, alpha, beta, ply int) (score int, ok bool) {
	if e.depth() < depth || s.strict && e.depth() != depth {
		return 0, false
	}
	score = fromTable(e.score(), ply)
	return score, e.decides(score, alpha, beta)
}

// tryMoves searches the moves in order and returns the best score and move. It stores the
// principal variation in s.pv[ply].
func (s *Searcher[P]) tryMoves(p P, hashMove Move, depth, alpha, beta, ply, reversible int) (best int, bestMove Move) {
	prune := s.staticPruning(p, depth, alpha, beta)
	if prune.failHigh {
		return prune.least, noMove
	}
	moves, priority := s.orderMoves(p, hashMove, ply)
	if len(moves) == 0 {
		return s.finalScore(p.NoMoves(), ply), noMove
	}
	best, bestMove = -Win, noMove
	ranked := false
	postponed := 0
	for i := 0; i < len(moves); i++ {
		// The hash move alone often suffices, so the others are ranked after it.
		if !ranked && depth >= s.tuning.RankDepth && priority[i] != hashPriority {
			s.rank(p, moves[i:], priority[i:], depth)
			ranked = true
		}
		if prune.futile && i > 0 && isQuiet(priority[i]) {
			best = max(best, prune.most)
			continue
		}
		child := p.Play(moves[i])
		if ranked {
			s.childValue = valued[P]{child, -rankedValue(priority[i]), true}
		} else { // rank prefetches the others
			s.prefetch(child, depth-1)
		}
		mark, busy := s.mark(child, depth, i, priority[i])
		if busy {
			postpone(moves, priority, i)
			postponed++
			i-- // the next move is at i now
			continue
		}
		score := 0
		after := reversibleAfter(p, child, reversible)
		if i == 0 {
			score = -s.search(child, depth-1, -beta, -alpha, ply+1, after)
		} else {
			moveNumber := min(i+postponed, len(moves)-1) // as if none were postponed
			reduction := s.lateReduction(moveNumber, depth, alpha, priority[i])
			score = -s.scout(child, depth-1, reduction, alpha, beta, ply+1, after)
		}
		s.unmark(mark)
		if s.clock.stopped {
			return 0, noMove
		}
		if score <= best {
			continue
		}
		best, bestMove = score, moves[i]
		if score >= beta {
			break
		}
		if score > alpha {
			alpha = score
			s.pv[ply] = append(append(s.pv[ply][:0], bestMove), s.pv[ply+1]...)
		}
	}
	return best, bestMove
}

// reversibleAfter returns the number of reversible plies before child, which follows p. A move
// that makes progress, such as a capture, starts at 0 again.
func reversibleAfter[P Position[P]](p, child P, reversible int) int {
	if child.Progress() != p.Progress() {
		return 0
	}
	return reversible + 1
}

// scout searches a move with a null window and a reduced depth, and re-searches it on
// fail-high.
func (s *Searcher[P]) scout(child P, depth, reduction, alpha, beta, ply, reversible int) int {
	score := s.search(child, depth-reduction, -alpha-1, -alpha, ply, reversible)
	if reduction > 0 && -score > alpha && !s.clock.stopped {
		score = s.search(child, depth, -alpha-1, -alpha, ply, reversible)
	}
	if -score > alpha && -score < beta && !s.clock.stopped {
		score = s.search(child, depth, -beta, -alpha, ply, reversible)
	}
	return score
}

// toTable converts a score: proven scores count plies from the root in the search, but from
// the position itself in the table.
func toTable(score, ply int) int {
	switch {
	case score > MaxHeuristic:
		return score + ply
	case score < -MaxHeuristic:
		return score - ply
	}
	return score
}

// fromTable is the inverse of toTable.
func fromTable(score, ply int) int { return toTable(score, -ply) }

// finalScore returns the score of a game that ends ply plies after the root.
func finalScore(diff, ply int) int {
	return (Win - ply) * cmp.Compare(diff, 0)
}

func clampHeuristic(score int) int {
	return min(max(score, -MaxHeuristic), MaxHeuristic)
}
