package sampler

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// window is how many jobs a worker may be ahead of the oldest unfinished one.
const window = 64

// ordered does the jobs from, from+1, … on so many workers, or one a processor,
// and yields their results in order until the consumer has enough or the context
// ends. worker is called once a worker, in its goroutine.
func ordered[T any](ctx context.Context, workers, from int, worker func() func(ctx context.Context, i int) T) iter.Seq[T] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(yield func(T) bool) {
		type numbered struct {
			i      int
			result T
		}
		ctx, cancel := context.WithCancel(ctx)
		jobs := make(chan int, workers*window) // not taken by a worker yet
		results := make(chan numbered, workers*window)
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		for range workers {
			wait.Go(func() {
				do := worker()
				for {
					select {
					case <-ctx.Done():
						return
					case i := <-jobs:
						r := do(ctx, i)
						if ctx.Err() != nil { // perhaps cut short
							return
						}
						results <- numbered{i, r} // has room: jobs under way are at most its length
					}
				}
			})
		}
		next, issued := from, from
		finished := map[int]T{}
		for {
			for ; issued < next+workers*window; issued++ {
				jobs <- issued
			}
			select {
			case <-ctx.Done():
				return
			case r := <-results:
				finished[r.i] = r.result
			}
			for r, ok := finished[next]; ok; r, ok = finished[next] {
				delete(finished, next)
				next++
				if !yield(r) {
					return
				}
			}
		}
	}
}
