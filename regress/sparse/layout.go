package sparse

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kroo/internal/parallel"
)

// Layout says which columns get a weight of their own and how rows are kept.
// The zero value keeps every column that is seen, and up to 2 GiB of rows.
type Layout struct {
	// MinCount is how often a column must be seen to get a weight of its own.
	// One seen less often is merged into its Parent; without one it is left
	// out and its weight is 0. Columns never seen are always left out.
	MinCount int64
	// Parent[j] is the coarser column that represents column j if that is
	// rare, -1 for none. A parent that is rare even with what was merged into
	// it is merged into its own parent. nil is no parents at all.
	Parent []int32
	// CacheBytes is how much memory packed rows may take (2 to 4 bytes a
	// one). Rows beyond are read and packed again in every pass, which costs
	// time and changes no bit of a result. 0 is 2 GiB or, if that is less, half
	// of the memory that is free; negative is nothing.
	CacheBytes int64
	// Workers is the number of goroutines; 0 is one a processor. It changes
	// no bit of a result.
	Workers int
	// Progress is called with the blocks read and all blocks. May be nil.
	Progress parallel.Progress
}

const defaultCache = 2 << 30

// columnMap is which columns of the rows have which slots of the vectors.
type columnMap struct {
	slots []int32 // of a column; several for merged ones, -1 for left out
	order []int32 // the columns with a weight of their own, most frequent first
	parts int     // parts of partSize slots
	width int     // slots in use, padding included
}

// newColumnMap gives slots to the columns with the given counts.
func newColumnMap(counts []int64, l Layout) (*columnMap, error) {
	into, total, err := merge(counts, l)
	if err != nil {
		return nil, err
	}
	m := &columnMap{slots: make([]int32, len(counts))}
	for j, to := range into {
		if to == int32(j) {
			m.order = append(m.order, to)
		}
	}
	if len(m.order) == 0 {
		return nil, fmt.Errorf("none of %d columns is seen %d times: expected a lower MinCount or more rows", len(counts), max(1, l.MinCount))
	}
	slices.SortFunc(m.order, func(a, b int32) int { // equal counts by column
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b))
	})
	for rank, j := range m.order {
		m.slots[j] = int32(slot(rank))
	}
	for j, to := range into {
		if to < 0 {
			m.slots[j] = -1
		} else {
			m.slots[j] = m.slots[to]
		}
	}
	m.width = slot(len(m.order)-1) + 1
	m.parts = (m.width + partSize - 1) / partSize
	return m, nil
}

// merge says for each column into which it goes (itself, another, or -1) and
// counts what ends up in each.
func merge(counts []int64, l Layout) (into []int32, total []int64, err error) {
	order, err := childrenFirst(len(counts), l.Parent)
	if err != nil {
		return nil, nil, err
	}
	into, total = make([]int32, len(counts)), slices.Clone(counts)
	enough := max(1, l.MinCount)
	for _, j := range order {
		switch {
		case total[j] >= enough:
			into[j] = j
		case l.Parent != nil && l.Parent[j] >= 0 && total[j] > 0:
			into[j] = l.Parent[j]
			total[l.Parent[j]] += total[j]
			total[j] = 0
		default:
			into[j] = -1
		}
	}
	for _, j := range slices.Backward(order) { // parents first: follow chains
		if to := into[j]; to >= 0 && to != j {
			into[j] = into[to]
		}
	}
	return into, total, nil
}

// childrenFirst orders columns so that each comes before its parent.
func childrenFirst(columns int, parent []int32) ([]int32, error) {
	order := make([]int32, 0, columns)
	if parent == nil {
		for j := range columns {
			order = append(order, int32(j))
		}
		return order, nil
	}
	if len(parent) != columns {
		return nil, fmt.Errorf("%d parents for %d columns: expected as many", len(parent), columns)
	}
	children := make([]int32, columns)
	for j, p := range parent {
		if p < -1 || int(p) >= columns {
			return nil, fmt.Errorf("column %d has parent %d: expected -1 to %d", j, p, columns-1)
		}
		if p >= 0 {
			children[p]++
		}
	}
	for j := range columns {
		if children[j] == 0 {
			order = append(order, int32(j))
		}
	}
	for i := 0; i < len(order); i++ {
		if p := parent[order[i]]; p >= 0 {
			if children[p]--; children[p] == 0 {
				order = append(order, p)
			}
		}
	}
	if len(order) < columns {
		return nil, errors.New("parents run in a circle: expected each to be coarser than its children")
	}
	return order, nil
}

// spread gives every column the value of its slot, 0 to those left out.
func (m *columnMap) spread(v []float64) []float64 {
	out := make([]float64, len(m.slots))
	for j, s := range m.slots {
		if s >= 0 {
			out[j] = v[s]
		}
	}
	return out
}

// length is that of vectors, whole parts.
func (m *columnMap) length() int { return m.parts * partSize }
