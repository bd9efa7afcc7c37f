package sparse

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kroo/internal/checksum"
	"kroo/internal/parallel"
)

// columnMap maps columns to slots of the vectors.
type columnMap struct {
	slots []int32 // slot of each column, -1 if no row has it
	order []int32 // columns with a weight, most frequent first
	parts int     // number of parts, of partSize slots each
	width int     // slots in use, including padding
}

// newColumnMap assigns slots to the columns with the given counts.
func newColumnMap(counts []int64) *columnMap {
	m := &columnMap{slots: make([]int32, len(counts))}
	for j, n := range counts {
		if m.slots[j] = -1; n > 0 {
			m.order = append(m.order, int32(j))
		}
	}
	slices.SortFunc(m.order, func(a, b int32) int { // ties by column
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for rank, j := range m.order {
		m.slots[j] = int32(slot(rank))
	}
	m.width = slot(len(m.order)-1) + 1
	m.parts = (m.width + partSize - 1) / partSize
	return m
}

// spread returns the values by column, 0 for columns without a slot.
func (m *columnMap) spread(v []float64) []float64 {
	out := make([]float64, len(m.slots))
	for j, s := range m.slots {
		if s >= 0 {
			out[j] = v[s]
		}
	}
	return out
}

// length returns the length of vectors: whole parts.
func (m *columnMap) length() int { return m.parts * partSize }

// count reads all rows: column counts, labels, weights, and a hash that identifies the rows.
func (m *Matrix) count(ctx context.Context) error {
	blocks, columns := m.rows.Blocks(), m.rows.Columns()
	workers := m.layout.Workers
	var (
		counts = make([][]uint32, workers) // a worker counts fewer than 2³² ones
		block  = make([]Block, workers)
		labels = make([][]float64, blocks)
		weight = make([][]float32, blocks)
		hashes = make([]uint64, blocks)
	)
	err := parallel.Do(ctx, workers, blocks, func(_ context.Context, w, i int) error {
		if counts[w] == nil {
			counts[w] = make([]uint32, columns)
		}
		b := &block[w]
		b.read(m.rows, i)
		labels[i], weight[i] = slices.Clone(b.label), slices.Clone(b.weight)
		hashes[i] = b.tally(counts[w])
		return nil
	})
	if err != nil {
		return err
	}
	m.counts = make([]int64, columns)
	for _, c := range counts {
		for j, n := range c {
			m.counts[j] += int64(n)
		}
	}
	m.first = make([]int, 1, blocks+1)
	for i := range labels {
		m.label = append(m.label, labels[i]...)
		m.weight = append(m.weight, weight[i]...)
		m.first = append(m.first, len(m.label))
		m.hash = mix(m.hash, hashes[i])
	}
	return nil
}

// tally counts the block's columns and hashes its content.
func (b *Block) tally(counts []uint32) uint64 {
	h := uint64(len(b.label))
	for _, j := range b.ones {
		counts[j]++
		h = (h ^ uint64(j)) * 0x9e37_79b9_7f4a_7c15
	}
	for k, j := range b.col {
		counts[j]++
		h = mix(h, uint64(j)<<32|uint64(math.Float32bits(b.val[k])))
	}
	for r := range b.label {
		h = mix(h, math.Float64bits(b.label[r]))
		h = mix(h, uint64(math.Float32bits(b.weight[r]))<<32|uint64(b.oneEnd[r]))
		h = mix(h, uint64(b.valEnd[r]))
	}
	return h
}

// mix combines a number with a hash.
func mix(h, x uint64) uint64 { return checksum.Mix(h ^ x) }
