package parallel

import (
	"context"
	"iter"
	"sync"
)

// lookAhead is how many jobs a worker of [Ordered] may be ahead of the oldest one under
// way.
const lookAhead = 64

// Ordered runs the jobs from, from+1, and so on without end on Workers(workers)
// goroutines, and yields their results in the order of their numbers. It stops, and
// waits for the jobs under way, when the consumer does or when ctx is done; it does
// not yield what a job returned after that.
func Ordered[R any](ctx context.Context, workers, from int, job func(ctx context.Context, worker, i int) R) iter.Seq[R] {
	type numbered struct {
		i      int
		result R
	}
	workers = Workers(workers)
	return func(yield func(R) bool) {
		inner, cancel := context.WithCancel(ctx)
		jobs := make(chan int, workers*lookAhead)
		results := make(chan numbered, workers*lookAhead) // has room for all jobs that were handed out
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		for worker := range workers {
			wait.Go(func() {
				for inner.Err() == nil {
					select {
					case <-inner.Done():
					case i := <-jobs:
						results <- numbered{i, job(inner, worker, i)}
					}
				}
			})
		}
		next, issued := from, from
		finished := map[int]R{}
		for {
			for ; issued < next+workers*lookAhead; issued++ {
				jobs <- issued
			}
			select {
			case <-inner.Done():
				return
			case r := <-results:
				finished[r.i] = r.result
			}
			for r, ok := finished[next]; ok; r, ok = finished[next] {
				if ctx.Err() != nil || !yield(r) {
					return
				}
				delete(finished, next)
				next++
			}
		}
	}
}
