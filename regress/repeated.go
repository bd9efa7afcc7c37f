package regress

import (
	"slices"

	"kroo/internal/checksum"
)

// clusterMemory is how many bytes the sums of clusters may take at a time. Tests lower it.
var clusterMemory int64 = 24 << 20

// clusterBytes are those of the sums of a cluster.
func clusterBytes(columns int) int64 { return int64(8*columns + 64) }

// repeated finds the clusters of several rows, where the sums of all clusters would take too much
// memory: a cluster of one row needs no sum. Clusters are told apart by 32 bits of a hash, so that
// a few of one row pass for others.
type repeated struct {
	prints []uint32 // of the rows, until all are read; then of clusters of several rows, ascending
	begin  []uint32 // of the prints with the same first bits, the first
}

// printShift leaves the bits of a print that begin divides them by.
const printShift = 16

// newRepeated is for at most a given number of rows and columns, nil if the sums of all may be in memory.
func newRepeated(rows int64, columns int) *repeated {
	if rows*clusterBytes(columns) <= clusterMemory {
		return nil
	}
	return &repeated{prints: make([]uint32, 0, rows)}
}

func printOf(cluster uint64) uint32 { return uint32(checksum.Mix(cluster)) }

// close is called when the prints of all rows are there.
func (r *repeated) close() {
	if r == nil {
		return
	}
	slices.Sort(r.prints)
	var several []uint32
	for i, p := range r.prints {
		if i > 0 && p == r.prints[i-1] && (len(several) == 0 || several[len(several)-1] != p) {
			several = append(several, p)
		}
	}
	r.prints, r.begin = several, make([]uint32, 1<<(32-printShift)+1)
	for _, p := range several {
		r.begin[p>>printShift+1]++
	}
	for i := range r.begin[1:] {
		r.begin[i+1] += r.begin[i]
	}
}

// alone reports whether no other row can be of a cluster.
func (r *repeated) alone(cluster uint64) bool {
	if r == nil {
		return false
	}
	p := printOf(cluster)
	_, there := slices.BinarySearch(r.prints[r.begin[p>>printShift]:r.begin[p>>printShift+1]], p)
	return !there
}

// parts is into how many parts the clusters of several rows are to be divided, so that the sums of
// each fit into memory.
func (r *repeated) parts(bytes int64) uint64 {
	if r == nil {
		return 1
	}
	return uint64(1 + int64(len(r.prints))*bytes/clusterMemory)
}

// tally takes the prints of rows that count.
func (r *repeated) tally() tally {
	if r == nil {
		return tallies{}
	}
	return &printTally{to: r}
}

type printTally struct {
	to     *repeated
	prints []uint32
}

func (t *printTally) add(b *block) error {
	for i, c := range b.c {
		if weightOf(b.w, i) > 0 {
			t.prints = append(t.prints, printOf(c))
		}
	}
	return nil
}

func (t *printTally) end() error {
	t.to.prints = append(t.to.prints, t.prints...)
	return nil
}
