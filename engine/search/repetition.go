package search

import "math/bits"

// Repetitions make the value of a position depend on its history, which a hash
// table does not store. The search stays exact by this argument.
//
// Take a node N whose subtree is searched d plies deep. The result depends on
// the history only through positions that can recur in the subtree. A position
// j plies before N, with reversible moves between, can recur at the earliest
// MinCycle plies after its appearance. That is inside the subtree only
// if MinCycle-j <= d. So the value is a function of N, d and the multiset of the
// positions at least MinCycle-d plies before N, back to the last irreversible
// move. The table key includes a hash of that multiset, the path hash. In
// midgames it is empty for most nodes, and the same for all nodes below one long
// quiet line.
//
// Positions at even and at odd distances enter the hash differently: the keys
// of two positions that differ only by an exchange of the players may be equal,
// but only an equal position is a repetition.
//
// A draw clock adds a dependence: if it can run out within d plies, the path
// hash also includes its count.
//
// So does a ply limit, but there quiescence continues beyond d. So the path hash
// always includes the number of plies left. This costs little: transpositions are
// nearly always equally far from the end.

// pathHash is a sum of hashed keys of the positions from the last irreversible
// move to an index of the line, separate for even and odd indices.
type pathHash [2]uint64

func (h pathHash) with(key uint64, at int) pathHash {
	key *= 0x9e37_79b9_7f4a_7c15
	key ^= key >> 32
	h[at&1] += key * 0xd6e8_feb8_6659_fd93
	return h
}

// seenFrom returns the hash of these positions for a node at the given index.
func (h pathHash) seenFrom(at int) uint64 {
	return h[at&1] + bits.RotateLeft64(h[at&1^1], 32)
}

// extendPath records the key of the position at an index of the line.
// reversible is the number of reversible plies before it.
func (s *Searcher[P]) extendPath(key uint64, at, reversible int) {
	var before pathHash
	if reversible > 0 {
		before = s.pathHashes[at-1]
	}
	s.pathHashes[at] = before.with(key, at)
}

// pathKey returns the path hash of the node at an index of the line, searched to the
// given depth; 0 if its history cannot matter.
func (s *Searcher[P]) pathKey(at, depth, reversible int) (h uint64) {
	if last := min(at+depth-s.minCycle, at-1); last >= at-reversible {
		h = s.pathHashes[last].seenFrom(at)
	}
	if s.drawClock > 0 && reversible > 0 && reversible+depth >= s.drawClock {
		h += pathHash{}.with(uint64(reversible), 0)[0]
	}
	if s.end != noEnd {
		h += pathHash{}.with(uint64(s.end-(at-s.root)), 1)[1]
	}
	return h
}

// noEnd is a ply that no search reaches.
const noEnd = 1 << 30

// atLimit returns the diff of a position that is not terminal, where the ply limit ends the
// game. Lack of moves takes precedence.
func (s *Searcher[P]) atLimit(p P, ply int) (diff int) {
	s.moves[ply] = p.AppendMoves(s.moves[ply][:0])
	if len(s.moves[ply]) == 0 {
		return p.NoMoves()
	}
	_, diff = p.PlyLimit()
	return diff
}

// times counts the occurrences of p, which is at the given index of the line, in the line,
// itself included.
func (s *Searcher[P]) times(p P, at, reversible int) int {
	n := 1
	for i := at - s.minCycle; i >= at-reversible; i-- {
		if s.path[i] == p {
			n++
		}
	}
	return n
}

// endedByHistory reports whether the game ends at p by a repetition or by its draw clock.
func (s *Searcher[P]) endedByHistory(p P, ply, reversible int) (diff int, over bool) {
	if times := s.times(p, s.root+ply, reversible); times > 1 {
		if diff, over := p.Repetition(times); over {
			return diff, true
		}
	}
	if s.drawClock == 0 || reversible < s.drawClock {
		return 0, false
	}
	// Lack of moves takes precedence over the draw.
	s.moves[ply] = p.AppendMoves(s.moves[ply][:0])
	if len(s.moves[ply]) == 0 {
		return p.NoMoves(), true
	}
	return 0, true
}
