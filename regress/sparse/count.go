package sparse

import (
	"context"
	"math"
	"slices"

	"kroo/internal/checksum"
	"kroo/internal/parallel"
)

// count reads all rows: counts of columns, labels, weights, and a hash of
// everything by which a later run knows the same rows.
func (m *Matrix) count(ctx context.Context) error {
	blocks, columns := m.rows.Blocks(), m.rows.Columns()
	workers := m.layout.Workers
	var (
		counts = make([][]uint32, workers) // fewer than 2³² ones are counted by a worker
		block  = make([]Block, workers)
		labels = make([][]float64, blocks)
		weight = make([][]float32, blocks)
		hashes = make([]uint64, blocks)
		done   = m.layout.Progress.Tally(0, int64(blocks))
	)
	err := parallel.Do(ctx, workers, blocks, func(_ context.Context, w, i int) error {
		if counts[w] == nil {
			counts[w] = make([]uint32, columns)
		}
		b := &block[w]
		if err := read(m.rows, columns, i, b); err != nil {
			return err
		}
		labels[i], weight[i] = slices.Clone(b.label), slices.Clone(b.weight)
		hashes[i] = b.tally(counts[w])
		done.Add(1)
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

// tally counts the block's columns and hashes everything in it.
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

// mix adds a number to a hash.
func mix(h, x uint64) uint64 { return checksum.Mix(h ^ x) }
