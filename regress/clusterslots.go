package regress

import (
	"math/bits"

	"kroo/internal/splitmix"
)

// clusterMemory is how many bytes the sums of clusters may take at a time. Tests lower it.
var clusterMemory int64 = 24 << 20

// clusterBytes are those of the sums of a cluster.
func clusterBytes(columns int) int64 { return int64(8*columns + 64) }

// clusterSlots finds clusters of one row, which need no sum, where the sums of all clusters would
// take too much memory. A cluster has one of many slots, which others may share.
type clusterSlots struct {
	once, again []uint64 // bits: slots that a row has, and those that a second one has
}

// newClusterSlots are those for at most so many rows and columns, nil if all sums may be in memory.
func newClusterSlots(rows int64, columns int) *clusterSlots {
	if rows*clusterBytes(columns) <= clusterMemory {
		return nil
	}
	const slotsPerRow = 16 // so few rows share one by chance
	words := 1 << bits.Len64(uint64(rows*slotsPerRow/64))
	return &clusterSlots{make([]uint64, words), make([]uint64, words)}
}

func (s *clusterSlots) at(cluster uint64) (word int, bit uint64) {
	h := splitmix.Mix(cluster)
	return int(h>>6) & (len(s.once) - 1), 1 << (h & 63)
}

// alone reports whether no other row can be of a cluster.
func (s *clusterSlots) alone(cluster uint64) bool {
	if s == nil {
		return false
	}
	word, bit := s.at(cluster)
	return s.again[word]&bit == 0
}

// parts is into how many parts the other clusters are to be divided, so that the sums of each fit
// into memory.
func (s *clusterSlots) parts(bytes int64) uint64 {
	if s == nil {
		return 1
	}
	taken := int64(0)
	for _, word := range s.again {
		taken += int64(bits.OnesCount64(word))
	}
	return uint64(1 + taken*bytes/clusterMemory)
}

// tally takes rows' slots.
func (s *clusterSlots) tally() tally {
	if s == nil {
		return tallies{}
	}
	return &slotTally{s: s}
}

type slotTally struct {
	s    *clusterSlots
	rows []uint64 // their clusters
}

func (t *slotTally) add(b *block) error {
	for i, c := range b.c {
		if weightOf(b.w, i) > 0 {
			t.rows = append(t.rows, c)
		}
	}
	return nil
}

func (t *slotTally) end() error {
	for _, c := range t.rows {
		word, bit := t.s.at(c)
		t.s.again[word] |= t.s.once[word] & bit
		t.s.once[word] |= bit
	}
	return nil
}
