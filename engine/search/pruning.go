package search

// Selectivity: late moves are searched to a reduced depth, hopeless ones near
// the leaves not at all, and quiescence continues while there are tactical moves.
// The table has the lead in Elo of each feature against the search without it, with its
// 95 % interval: fitted weights, 20 000 nodes per move, 800 pairs of games if not said:
//
//	quiescence on captures                        +37 ± 22 (400 pairs)
//	late moves, from the fourth, a ply less       +33 ± 15
//	from the third                                +18 ± 15 (from the second: -13 ± 15)
//	a ply more from the fifth and from depth 7    +44 ± 15
//	a ply more for every four of depth instead    +25 ± 19 (448 pairs)
//	futility, 3 seeds a ply, last two plies       +30 ± 13 (5 seeds, three plies: +9 ± 13)
//	reverse futility, 1.5 seeds a ply, last three +36 ± 26 (252 pairs)
//
// A search of depth d never looks further than d plies ahead, except along tactical
// moves, after which no earlier position can recur. The path hash in the key of the
// hash table relies on that (repetition.go). An extension would break it: a search
// that goes deeper where there is a single legal move gained 15 ± 13, but reaches
// repetitions that its key does not cover. So there are no extensions.

// The plies from the leaves where static pruning applies.
const (
	futilityDepth        = 2
	reverseFutilityDepth = 3
)

// centi are the hundredths of a ply, in which reductions add up.
const centi = 100

// lateReduction is how many plies less deep than depth the i-th move, from 0, is
// searched. Tactical moves are not reduced. A move whose static value is known to be far
// below alpha is reduced by more.
func (s *Searcher[P]) lateReduction(i, depth, alpha int, priority int32) int {
	if s.fullWidth || !quiet(priority) {
		return 0
	}
	r := s.tuning.reduction(i, depth)
	if depth >= s.tuning.RankDepth && rankedValue(priority) <= alpha-s.tuning.ReduceBelow {
		r += s.tuning.LateBelow
	}
	return min(r/centi, depth-1)
}

// reduction is by how many hundredths of a ply the i-th move, from 0, is reduced if it
// is quiet.
func (t *Tuning) reduction(i, depth int) int {
	if i < 2 || depth < 3 {
		return 0
	}
	r := t.Late + t.LateDepth*depth
	switch {
	case i >= 4:
		r += t.LateFifth
	case i == 3:
		r += t.LateFourth
	}
	return r
}

// pruning is what the static value of a node near the leaves decides.
type pruning struct {
	most     int  // what a quiet move is expected to reach at most
	futile   bool // most is not above alpha: skip quiet moves
	least    int  // what the node is expected to be worth at least
	failHigh bool // least is beta or more: search no move
}

// staticPruning decides what to skip at a node (futility pruning, reverse
// futility pruning). It applies to null windows without proven scores only.
func (s *Searcher[P]) staticPruning(p P, depth, alpha, beta int) (r pruning) {
	if s.fullWidth || depth > reverseFutilityDepth || beta-alpha > 1 || Proven(alpha) || Proven(beta) || s.mustMove(p) {
		return r
	}
	static := s.staticValue(p)
	r.most = clampHeuristic(static + s.tuning.Futility*depth)
	r.futile = depth <= futilityDepth && r.most <= alpha
	r.least = clampHeuristic(static - s.tuning.ReverseFutility*depth)
	r.failHigh = r.least >= beta
	return r
}

// evaluate is the static value of a position.
func (s *Searcher[P]) evaluate(p P) int { return clampHeuristic(s.eval.Evaluate(p)) }

// valued is a position with its static value; ok is false if there is none.
type valued[P any] struct {
	position P
	value    int
	ok       bool
}

// staticValue evaluates a position, unless its parent has just done so to rank it.
func (s *Searcher[P]) staticValue(p P) int {
	if s.known.ok && s.known.position == p {
		return s.known.value
	}
	return s.evaluate(p)
}

// evaluateAll lists the values of positions, which it does not clamp. The list is good until
// the next call.
func (s *Searcher[P]) evaluateAll(ps []P) []int32 {
	s.values = s.values[:0]
	if s.evalAll != nil {
		s.values = s.evalAll.AppendValues(s.values, ps)
		return s.values
	}
	for _, p := range ps {
		s.values = append(s.values, int32(s.eval.Evaluate(p)))
	}
	return s.values
}

// mustMove reports whether the side to move may not stand pat.
func (s *Searcher[P]) mustMove(p P) bool { return s.inCheck != nil && s.inCheck(p) }

// leaf is the value of a position at the end of the given depth.
func (s *Searcher[P]) leaf(p P, alpha, beta, ply int) int {
	if s.fullWidth {
		return s.evaluate(p)
	}
	return s.quiesce(p, alpha, beta, ply)
}

// quiesce searches tactical moves alone (quiescence). The side to move may also
// stand pat, which is worth the static value. In check it may not, and quiesce
// searches all its moves. The quiet ones among these can repeat positions; quiesce does
// not notice that, and ends at MaxPly.
func (s *Searcher[P]) quiesce(p P, alpha, beta, ply int) int {
	best := -Win
	var moves []Move
	var priority []int32
	if s.mustMove(p) && ply < MaxPly {
		if moves, priority = s.orderMoves(p, noMove, ply); len(moves) == 0 {
			return s.finalScore(p.NoMoves(), ply)
		}
	} else {
		best = s.staticValue(p)
		if best >= beta || ply >= MaxPly {
			return best
		}
		moves, priority = s.tacticalMoves(p, ply)
	}
	alpha = max(alpha, best)
	for i := range moves {
		s.count()
		if s.clock.stopped {
			return 0
		}
		score := -s.quiesceChild(p.Play(moves[i]), !quiet(priority[i]), -beta, -alpha, ply+1)
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

// quiesceChild is the value of a position after a move of quiescence. Only
// after a tactical move, which is irreversible, may it come from the Prober.
func (s *Searcher[P]) quiesceChild(p P, tactical bool, alpha, beta, ply int) int {
	if diff, over := p.Terminal(); over {
		return s.finalScore(diff, ply)
	}
	if ply >= s.end {
		return s.finalScore(s.atLimit(p, ply), ply)
	}
	if tactical && s.prober != nil {
		if score, ok := s.probe(p, alpha, beta, ply); ok {
			return score
		}
	}
	return s.quiesce(p, alpha, beta, ply)
}
