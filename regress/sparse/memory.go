package sparse

import (
	"fmt"

	"kroo/internal/memory"
)

// What a fit takes, in bytes. It only has to be about right: it serves to refuse fits
// that cannot fit into memory.
const (
	columnBytes = 8 + 4*6   // a column: its count, and what gives it a slot
	vectorBytes = 8*10 + 4  // a slot: the vectors of a fit
	stateBytes  = 2 * 4 * 8 // and a State of them, as it is and as it is written
	foldBytes   = 8 + 8 + 9 // a slot and fold of a choice: weights, Trials of them, and their file
	rowBytes    = 2*12 + 4  // a row: label and weight, twice while they are read, and curvature
	packedRow   = 16        // a packed row: its ends, the padding of its words and a value
	packedHot   = 2         // a one of a packed row in a hot column
	packedCold  = 4         // and in a cold one
	least       = 64 << 20  // of a cache that nobody has asked for
)

// checkCounting refuses columns and rows that do not fit into memory.
func checkCounting(rows Rows, workers int) error {
	workers = min(workers, rows.Blocks())
	bytes := int64(rows.Columns()) * int64(columnBytes+4*workers)
	return refusal(memory.Check(fmt.Sprintf("counting %d columns on %d workers", rows.Columns(), workers), bytes), "a smaller set, or fewer workers")
}

// checkFit refuses fits that do not fit into memory, and limits a cache of the default
// size to half of what they leave.
func (m *Matrix) checkFit() error {
	own := int64(m.columns.length())*int64(vectorBytes+stateBytes+8*m.accumulators()) + rowBytes*int64(len(m.label))
	cache := min(m.room.Load(), m.packedBytes())
	if free, known := memory.Free(); known && m.layout.CacheBytes == 0 {
		cache = min(cache, max(least, (free-own)/2))
		m.room.Store(min(m.room.Load(), cache))
	}
	what := fmt.Sprintf("a fit of %d weights to %d rows, with %d MiB of rows made ready", m.Weights(), len(m.label), cache>>20)
	return refusal(memory.Check(what, own+cache), "a smaller cache, or a smaller set")
}

// checkFolds refuses choices whose weights of every fold do not fit into memory.
func (m *Matrix) checkFolds(count int) error {
	bytes := int64(m.columns.length()) * int64(vectorBytes+foldBytes*count)
	what := fmt.Sprintf("%d weights in %d folds", m.Weights(), count)
	return refusal(memory.Check(what, bytes), "fewer folds, or a smaller set")
}

// packedBytes is about what all rows take when they are packed.
func (m *Matrix) packedBytes() int64 {
	bytes := packedRow * int64(len(m.label))
	for j, n := range m.counts {
		switch s := m.columns.slots[j]; {
		case s >= partSize:
			bytes += packedCold * n
		case s >= 0:
			bytes += packedHot * n
		}
	}
	return bytes
}

func refusal(err error, instead string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: take %s", err, instead)
}
