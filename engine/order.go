package engine

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
