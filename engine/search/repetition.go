package search

import "math/bits"

// Repetitions make the value of a position depend on how it was reached, which
// is poison for a table of results. The search stays exact by this argument.
//
// Let a node N have its subtree searched d plies deep. The outcome depends on
// the history only through those positions of it that can come up again in the
// subtree. A position j plies before N, with no irreversible move between, can
// come up again at the earliest MinCycle plies after it stood on the board,
// which is inside the subtree only if MinCycle-j <= d. So the value is a
// function of N, d and the collection of positions that stand MinCycle-d or
// more plies before N, counted back to the last irreversible move; and not of
// the order they came in. A hash of that collection is made part of the table
// key. It is empty for most nodes of a midgame search, and the same for all
// nodes under a common stem of a long quiet line.
//
// Positions at even and at odd distances go into the hash differently: the
// keys of two positions that are one situation with the players exchanged may
// be equal, and a repetition has to be of the position itself.

// stem is a sum of hashed keys over the positions from the last irreversible
// move to an index of the line, those at even and at odd indices apart.
type stem [2]uint64

func (t stem) with(key uint64, at int) stem {
	key *= 0x9e37_79b9_7f4a_7c15
	key ^= key >> 32
	t[at&1] += key * 0xd6e8_feb8_6659_fd93
	return t
}

// seenFrom hashes a stem as a node at the given index has it behind itself.
func (t stem) seenFrom(at int) uint64 {
	return t[at&1] + bits.RotateLeft64(t[at&1^1], 32)
}

// extendStem records the key of the position at an index of the line.
func (s *Searcher[P]) extendStem(key uint64, at, quiet int) {
	var before stem
	if quiet > 0 {
		before = s.stems[at-1]
	}
	s.stems[at] = before.with(key, at)
}

// past is the hash of the positions that can recur within depth plies after
// the one at an index of the line; 0 if there are none.
func (s *Searcher[P]) past(at, depth, quiet int) uint64 {
	last := min(at+depth-s.minCycle, at-1)
	if last < at-quiet {
		return 0
	}
	return s.stems[last].seenFrom(at)
}

// times counts how often p, at an index of the line, stands in it, itself
// included.
func (s *Searcher[P]) times(p P, at, quiet int) int {
	n := 1
	for i := at - s.minCycle; i >= at-quiet; i-- {
		if s.path[i] == p {
			n++
		}
	}
	return n
}
