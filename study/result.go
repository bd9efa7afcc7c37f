package study

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"kroo/report"
)

// Result is what every study returns.
type Result interface {
	// Rows are a header and the lines below it, all of the same length.
	Rows() [][]string
	// Chart is the figure of the study.
	Chart() report.Chart
	// Note says how to read the table, and what the literature has in its place.
	Note() string
}

// Progress is told how much of a study is done.
type Progress func(done, total int64)

// forEach calls f for 0 to n-1, from several workers (0 is one a processor),
// and stops at the first error or when the context is done.
func forEach(ctx context.Context, n, workers int, progress Progress, f func(i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := int64(0)
	for range min(workers, n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := f(int(i)); err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				if done++; progress != nil {
					progress(done, int64(n))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// seconds is a time as tables have it.
func seconds(d time.Duration) float64 { return d.Seconds() }
