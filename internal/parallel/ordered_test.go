package parallel

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kroo/internal/testkit"
)

// Results come in order regardless of the duration of jobs, and no worker gets too far ahead.
func TestOrderedIsInOrder(t *testing.T) {
	for _, workers := range []int{1, 3, 8} {
		synctest.Test(t, func(t *testing.T) {
			var started atomic.Int64
			took := func(i int) time.Duration {
				return time.Duration(rand.New(rand.NewPCG(uint64(i), 1)).IntN(1000)) * time.Millisecond
			}
			next := 5
			for got := range Ordered(t.Context(), workers, 5, func(_ context.Context, _, i int) int {
				started.Add(1)
				time.Sleep(took(i))
				return 10 * i
			}) {
				if got != 10*next {
					t.Fatalf("%d workers: result %d: want %d", workers, got, 10*next)
				}
				next++
				if ahead := int(started.Load()) - (next - 5); ahead > workers*lookAhead {
					t.Fatalf("%d workers: %d jobs ahead", workers, ahead)
				}
				if next == 300 {
					break
				}
			}
		})
	}
}

// The counters have no locks: the race detector reports a worker number used by two goroutines.
func TestOrderedWorkerNumbersAreExclusive(t *testing.T) {
	counts, sum := make([]int, 3), 0
	for range Ordered(t.Context(), 3, 0, func(_ context.Context, worker, _ int) int { counts[worker]++; return 0 }) {
		if sum++; sum == 1000 {
			break
		}
	}
	if all := counts[0] + counts[1] + counts[2]; all < 1000 || all > 1000+3*lookAhead {
		t.Errorf("%d jobs for 1000 results", all)
	}
}

// When Ordered returns, no job is running; results of aborted jobs are not yielded.
func TestOrderedStopsWithItsContext(t *testing.T) { synctest.Test(t, orderedStops) }

// A goroutine left running fails the synctest bubble.
func orderedStops(t *testing.T) {
	var running atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	yielded := 0
	for r := range Ordered(ctx, 2, 0, func(ctx context.Context, _, i int) bool {
		running.Add(1)
		defer running.Add(-1)
		if i == 20 {
			cancel()
		}
		return ctx.Err() != nil
	}) {
		yielded++
		if r {
			t.Error("the result of an aborted job was yielded")
		}
	}
	if yielded > 20 {
		t.Errorf("%d results after the context ended at job 20", yielded)
	}
	testkit.Equal(t, running.Load(), 0, "running.Load")
}
