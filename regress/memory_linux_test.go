package regress

// Only Linux reports how much memory is free.

import (
	"math"
	"testing"

	"kroo/internal/testkit"
)

func TestColumnsThatExceedMemoryAreRejected(t *testing.T) {
	rows := &sparseRows{labels: make([]float32, blockRows<<10), width: math.MaxInt32 - 1, read: func(int, *sparseRow) { t.Error("the rows are read") }}
	testkit.Refused(t, errorOf(prepare(t.Context(), rows, 1<<10)), "counting 2147483646 columns on 1024 workers: that takes", "a smaller set, or fewer workers")
}
