package engine

// orderMoves lists the legal moves of p with their priorities.
func (s *Searcher[P]) orderMoves(p P, hashMove Move, ply int) ([]Move, []int32) {
	moves := p.AppendMoves(s.moves[ply][:0])
	priority := s.priority[ply][:0]
	for _, m := range moves {
		v := int32(hashPriority)
		if m != hashMove { // a hash move that is not legal is never met here
			if h := p.Hint(m); h > 0 {
				v = int32(min(h, maxHint)) * hintPriority
			} else {
				v = s.order.quiet(m, ply)
			}
		}
		priority = append(priority, v)
	}
	s.moves[ply], s.priority[ply] = moves, priority
	return moves, priority
}

// pick moves the move of highest priority among those from i on to place i,
// the first of equals; the others keep their order.
func pick(moves []Move, priority []int32, i int) {
	at := i
	for j := i + 1; j < len(priority); j++ {
		if priority[j] > priority[at] {
			at = j
		}
	}
	m, v := moves[at], priority[at]
	for ; at > i; at-- {
		moves[at], priority[at] = moves[at-1], priority[at-1]
	}
	moves[i], priority[i] = m, v
}

// ordering remembers which quiet moves refuted others: two killers a ply, and
// a history count a move for each of the players.
type ordering struct {
	killers [MaxPly + 1][2]Move
	history [2][historyMoves]int32
}

const (
	historyMoves = 4096    // a power of two; larger moves share
	historyLimit = 1 << 20 // counts are halved when one passes this
)

// Priorities of moves: the hash move, then captures by size, then the killers,
// then quiet moves by history.
const (
	hashPriority   = 1 << 30
	hintPriority   = 1 << 23 // a unit of Hint
	killerPriority = 1 << 22
	maxHint        = 100 // larger Hints count as this
)

func (o *ordering) reset() { *o = ordering{} }

// quiet is the priority of a move without a Hint.
func (o *ordering) quiet(m Move, ply int) int32 {
	switch k := &o.killers[ply]; m + 1 { // killers are stored plus one: 0 is none
	case k[0]:
		return killerPriority + 1
	case k[1]:
		return killerPriority
	}
	return o.history[ply&1][m%historyMoves]
}

// refuted notes that a quiet move caused a cutoff.
func (o *ordering) refuted(m Move, ply, depth int) {
	k := &o.killers[ply]
	if k[0] != m+1 {
		k[1], k[0] = k[0], m+1
	}
	h := &o.history[ply&1][m%historyMoves]
	if *h += int32(depth * depth); *h > historyLimit {
		for side := range o.history {
			for i := range o.history[side] {
				o.history[side][i] /= 2
			}
		}
	}
}
