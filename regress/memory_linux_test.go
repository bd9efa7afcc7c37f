package regress

// Only Linux reports how much memory is free.

import (
	"context"
	"iter"
	"math"
	"testing"

	"kroo/internal/testkit"
)

func TestColumnsThatExceedMemoryAreRejected(t *testing.T) {
	rows := &sparseRows{width: math.MaxInt32 - 1, batches: func(context.Context, func(int) int) iter.Seq2[*sparseBatch, error] {
		t.Error("the rows are read")
		return func(func(*sparseBatch, error) bool) {}
	}}
	testkit.ErrorContains(t, errorOf(prepare(t.Context(), rows, 1<<10, inMemoryOnly)), "counting 2147483646 columns on 1024 workers: that takes", "a smaller set, or fewer workers")
}
