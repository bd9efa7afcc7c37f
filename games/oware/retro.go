package oware

// FromWords returns the position with the given [Position.Words] and South to move, for endgame
// tables. It checks nothing: the seeds must add up to 48, and r must be valid.
func FromWords(r Rules, own, opp uint64) Position {
	return fromWords(r, [2]uint64{own & seedBits, opp & seedBits}, South)
}

// AppendQuietPredecessors appends the positions from which a legal move without capture leads to
// p, each once. (Two moves of a position never lead to the same position: each empties its own
// house, and the other does not.) It does not check whether the game was over there.
func (p Position) AppendQuietPredecessors(dst []Position) []Position {
	mover, other := p.opp, p.own // of the move to undo
	tags := mover &^ seedBits
	for h := range Houses {
		shift := 8 * h
		if mover>>shift&0xff != 0 { // a move leaves its house empty
			continue
		}
		for n := 1; n <= Seeds; n++ {
			s := &sowings[h<<6|n]
			if !contains(mover, s.own) || !contains(other, s.opp) {
				break // a longer sowing needs at least these seeds
			}
			own, opp := (mover&seedBits)-s.own+uint64(n)<<shift, other-s.opp
			taken := captures(other, s.reach)
			if taken != 0 && (other&^taken&houseBits != 0 || tags&sowBits != 0) {
				continue // it would have captured
			}
			q := Position{own: own | tags, opp: opp}
			if q.wasLegal(Move(h), s) {
				dst = append(dst, q)
			}
		}
	}
	return dst
}

// contains reports whether each house of a has at least the seeds of b.
func contains(a, b uint64) bool {
	return ((a&houseBits|houseHighs)-b)&houseHighs == houseHighs
}

// wasLegal is IsLegal for a move that sows s and captures nothing.
func (p Position) wasLegal(m Move, s *sowing) bool {
	switch p.Rules() {
	case Abapa, Arena:
		return p.opp&houseBits != 0 || s.opp != 0
	case Awari:
		return (p.opp+s.opp)&houseBits != 0 || p.IsLegal(m)
	}
	return true
}
