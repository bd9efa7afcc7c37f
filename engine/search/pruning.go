package search

// Selectivity: late moves are searched to a reduced depth, hopeless ones near the leaves
// not at all, and quiescence continues while there are tactical moves. The table has the
// Elo gain of each feature over the search without it, with its 95 % interval (fitted
// weights, 20 000 nodes per move, 800 pairs of games unless noted):
//
//	quiescence on captures                          +37 ± 22 (400 pairs)
//	reduction by a ply from the fourth move on      +33 ± 15
//	the same from the third move on                 +18 ± 15 (from the second: -13 ± 15)
//	another ply from the fifth move and depth 7 on  +44 ± 15
//	another ply per four of depth instead           +25 ± 19 (448 pairs)
//	futility, 3 seeds per ply, last two plies       +30 ± 13 (5 seeds, three plies: +9 ± 13)
//	reverse futility, 1.5 seeds per ply, last three +36 ± 26 (252 pairs)
//
// A search of depth d never looks further than d plies ahead, except along tactical
// moves, after which no earlier position can recur. The path hash in the key of the
// hash table relies on that (repetition.go). Extensions would break it: a search that
// extended single legal moves gained 15 ± 13, but reached repetitions that its key does
// not cover. So there are no extensions.

// The maximum depths at which static pruning applies.
const (
	futilityDepth        = 2
	reverseFutilityDepth = 3
)

// centi is the number of units of a reduction per ply.
const centi = 100

// lateReduction returns the reduction of the i-th move, from 0, in plies. Tactical moves
// are not reduced. A ranked move with a static value far below alpha is reduced more.
func (s *Searcher[P]) lateReduction(i, depth, alpha int, priority int32) int {
	if s.fullWidth || !isQuiet(priority) {
		return 0
	}
	r := s.tuning.reduction(i, depth)
	if depth >= s.tuning.RankDepth && rankedValue(priority) <= alpha-s.tuning.ReduceBelow {
		r += s.tuning.LateBelow
	}
	return min(r/centi, depth-1)
}

// reduction returns the reduction of the i-th move, from 0, in hundredths of a ply, if it
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

// pruning is the decision of staticPruning for a node.
type pruning struct {
	most     int  // expected maximum score of quiet moves
	futile   bool // most <= alpha: skip quiet moves
	least    int  // expected minimum score of the node
	failHigh bool // least >= beta: search no move
}

// staticPruning decides what to skip at a node by futility and reverse futility pruning.
// It applies only to null windows without proven scores.
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

// evaluate returns the static value of a position.
func (s *Searcher[P]) evaluate(p P) int { return clampHeuristic(s.eval.Evaluate(p)) }

// valued is a position with its static value, if ok.
type valued[P any] struct {
	position P
	value    int
	ok       bool
}

// staticValue returns the static value of a position, which its parent may have computed
// already to rank it.
func (s *Searcher[P]) staticValue(p P) int {
	if s.childValue.ok && s.childValue.position == p {
		return s.childValue.value
	}
	return s.evaluate(p)
}

// evaluateAll returns the values of positions, not clamped. The slice is valid until the
// next call.
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

// leaf returns the value of a position at depth 0.
func (s *Searcher[P]) leaf(p P, alpha, beta, ply int) int {
	if s.fullWidth {
		return s.evaluate(p)
	}
	return s.quiesce(p, alpha, beta, ply)
}

// quiesce is the quiescence search: only tactical moves, or standing pat, which is worth
// the static value. In check the side to move may not stand pat, and all moves are
// searched. Quiet ones among these can repeat positions, which quiesce does not notice:
// it ends at MaxPly.
func (s *Searcher[P]) quiesce(p P, alpha, beta, ply int) int {
	best := -Win
	var moves []Move
	var priority []int32
	if s.mustMove(p) && ply < MaxPly {
		moves, priority = s.orderMoves(p, noMove, ply)
		if len(moves) == 0 {
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
		score := -s.quiesceChild(p.Play(moves[i]), !isQuiet(priority[i]), -beta, -alpha, ply+1)
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

// quiesceChild returns the value of a position after a move of quiesce. It probes only
// after a tactical move, which is irreversible.
func (s *Searcher[P]) quiesceChild(p P, tactical bool, alpha, beta, ply int) int {
	if diff, over := p.Terminal(); over {
		return s.finalScore(diff, ply)
	}
	if ply >= s.end {
		return s.finalScore(s.atLimit(p, ply), ply)
	}
	if tactical && s.prober != nil {
		if score, ok := s.probeEndgame(p, alpha, beta, ply); ok {
			return score
		}
	}
	return s.quiesce(p, alpha, beta, ply)
}

// maxHint is the maximum absolute value of a game's hint for a move.
const maxHint = 1 << 28

// The priority of a move is its hint, or one of these. The three ranges do not overlap.
const (
	hashPriority = 1 << 30 // priority of the hash move
	postponement = 1 << 30 // subtracted from the priority of a postponed move
)

// isPostponed reports whether postpone has moved a move to the end of the list.
func isPostponed(priority int32) bool { return priority < -maxHint }

// isQuiet reports whether a move, postponed or not, is quiet. The hash move never is.
func isQuiet(priority int32) bool {
	if isPostponed(priority) {
		priority += postponement
	}
	return priority <= 0
}

// orderMoves returns the legal moves of p and their priorities: the hash move first, then
// by hint (in oware larger captures first), ties in natural order.
//
// Common additions do harm: on the positions of Bench, killer moves enlarge the tree by
// 28 %, a history of cutoffs by 5 to 17 %, both together by 38 %. The natural order of
// oware, from the left, is already good: from the right the tree is twice as large.
func (s *Searcher[P]) orderMoves(p P, hashMove Move, ply int) ([]Move, []int32) {
	moves := p.AppendMoves(s.moves[ply][:0])
	priority := p.AppendHints(s.priority[ply][:0], moves)
	s.moves[ply], s.priority[ply] = moves, priority
	for i, m := range moves {
		if m == hashMove { // an illegal hash move matches no move
			priority[i] = hashPriority
		}
		insert(moves, priority, i)
	}
	return moves, priority
}

// rank orders moves, none of them the hash move, by the static values of the positions
// they lead to: tactical moves before quiet ones, each kind best first. With pattern
// weights this makes the tree of a selective search to depth 18 a third smaller. depth is
// the depth of p. The sort counts the moves that precede each one, because branches that
// depend on the values would be unpredictable.
func (s *Searcher[P]) rank(p P, moves []Move, priority []int32, depth int) {
	s.children, s.keys = s.children[:0], s.keys[:0]
	for _, m := range moves {
		child := p.Play(m)
		s.prefetch(child, depth-1)
		s.children = append(s.children, child)
	}
	for i, v := range s.evaluateAll(s.children) {
		v := int64(-clampHeuristic(int(v))) // less than Win
		if priority[i] > 0 {
			v += Win
		} else {
			v -= Win
		}
		s.keys = append(s.keys, v<<32|int64(noMove-Move(i))<<16|int64(moves[i])) // ties: the first move is largest
	}
	for _, k := range s.keys {
		at := 0
		for _, other := range s.keys {
			if other > k {
				at++
			}
		}
		moves[at], priority[at] = Move(k), int32(k>>32)
	}
}

// rankedValue returns the static value of a ranked move, postponed or not.
func rankedValue(priority int32) int {
	if isPostponed(priority) {
		priority += postponement
	}
	if priority > 0 {
		return int(priority) - Win
	}
	return int(priority) + Win
}

// tacticalMoves returns the tactical moves and their priorities in order.
func (s *Searcher[P]) tacticalMoves(p P, ply int) ([]Move, []int32) {
	moves := p.AppendMoves(s.moves[ply][:0])
	priority := p.AppendHints(s.priority[ply][:0], moves)
	s.moves[ply], s.priority[ply] = moves, priority
	n := 0
	for i, h := range priority {
		if h > 0 {
			moves[n], priority[n] = moves[i], h
			insert(moves, priority, n)
			n++
		}
	}
	return moves[:n], priority[:n]
}

// insert moves the i-th move to its place among those before it, which are in order;
// after its equals.
func insert(moves []Move, priority []int32, i int) {
	m, v := moves[i], priority[i]
	for ; i > 0 && priority[i-1] < v; i-- {
		moves[i], priority[i] = moves[i-1], priority[i-1]
	}
	moves[i], priority[i] = m, v
}

// postpone moves the i-th move to the end of the list and marks it as postponed.
func postpone(moves []Move, priority []int32, i int) {
	m, v := moves[i], priority[i]
	copy(moves[i:], moves[i+1:])
	copy(priority[i:], priority[i+1:])
	moves[len(moves)-1], priority[len(moves)-1] = m, v-postponement
}
