package search

// What makes the search selective: late moves are searched less deep, hopeless
// ones near the leaves not at all, and leaves go on while there is something to
// capture. Elo leads are at 20 000 nodes a move, 800 pairs each, with 95 % bars,
// fitted weights, each against the search without it:
//
//	quiescence on captures                     +37 ± 22 (400 pairs)
//	late moves, from the fourth, a ply less    +33 ± 15
//	from the third                             +18 ± 15 (from the second: -13 ± 15)
//	a ply more from the fifth and from depth 7 +44 ± 15
//	a ply more for every four of depth instead +25 ± 19 (448 pairs)
//	futility, 3 seeds a ply, last two plies    +30 ± 13 (5 seeds, three plies: +9 ± 13)
//	stand pat, 1.5 seeds a ply, last three     +36 ± 26 (252 pairs)
//
// None of them looks further ahead than the depth asked for except through
// captures, after which nothing can recur: what recurrence.go says holds. An
// extension for single replies was worth 15 ± 13, but lets a node see further
// than its depth says, which the key of the table does not know: it was left out.

// reduction is by how many plies less the i-th move, from 0, is searched at
// first, if it is a quiet one.
func reduction(i, depth int) int {
	if i < 2 || depth < 3 {
		return 0
	}
	r := 1 + depth/4
	if i >= 4 {
		r++
	}
	return min(r, depth-1)
}

const (
	futileDepth    = 2   // plies from the leaves
	futileMargin   = 300 // centi-seeds a ply
	standPatDepth  = 3
	standPatMargin = 150
)

// outlook is what a node near the leaves promises, as seen by its evaluation.
type outlook struct {
	most   int  // what quiet moves are taken to be worth at most
	futile bool // that is not more than alpha: they need not be searched
	least  int  // what the position is taken to be worth at least
	enough bool // that is beta or more: no move needs to be searched
}

// foresee gives the outlook of a node. Windows of width one alone are decided
// by it, and never for a proven score.
func (s *Searcher[P]) foresee(p P, depth, alpha, beta int) (o outlook) {
	if s.fullWidth || depth > standPatDepth || beta-alpha > 1 || Proven(alpha) || Proven(beta) {
		return o
	}
	static := clampHeuristic(s.eval.Evaluate(p))
	o.most = clampHeuristic(static + futileMargin*depth)
	o.futile = depth <= futileDepth && o.most <= alpha
	o.least = clampHeuristic(static - standPatMargin*depth)
	o.enough = o.least >= beta
	return o
}

// leaf is the value of a position where the search ends.
func (s *Searcher[P]) leaf(p P, alpha, beta, ply int) int {
	if s.fullWidth {
		return clampHeuristic(s.eval.Evaluate(p))
	}
	return s.quiesce(p, alpha, beta, ply)
}

// quiesce goes on with captures alone; the player to move may also leave it at
// what the position is worth as it stands.
func (s *Searcher[P]) quiesce(p P, alpha, beta, ply int) int {
	best := clampHeuristic(s.eval.Evaluate(p))
	if best >= beta || ply >= MaxPly {
		return best
	}
	alpha = max(alpha, best)
	moves, priority := s.captures(p, ply)
	for i := range moves {
		pick(moves, priority, i)
		s.count()
		if s.clock.stopped {
			return 0
		}
		child := p.Play(moves[i])
		score := 0
		if diff, over := child.Terminal(); over {
			score = -s.finalScore(diff, ply+1)
		} else if known, ok := s.known(child, -beta, -alpha, ply+1); ok {
			score = -known
		} else {
			score = -s.quiesce(child, -beta, -alpha, ply+1)
		}
		if s.clock.stopped {
			return 0
		}
		if score <= best {
			continue
		}
		best = score
		if score >= beta {
			break
		}
		alpha = max(alpha, score)
	}
	return best
}

// captures lists the moves with a Hint above 0.
func (s *Searcher[P]) captures(p P, ply int) ([]Move, []int32) {
	moves := p.AppendMoves(s.moves[ply][:0])
	priority := s.priority[ply][:0]
	n := 0
	for _, m := range moves {
		if h := p.Hint(m); h > 0 {
			moves[n] = m
			n++
			priority = append(priority, int32(min(h, hashPriority-1)))
		}
	}
	s.moves[ply], s.priority[ply] = moves, priority
	return moves[:n], priority
}
