// Package parallel runs jobs on worker goroutines. It starts jobs in order. A job gets the
// number of its worker, from 0, so that each worker can have state of its own.
//
//   - [For] runs jobs that cannot fail.
//   - [Do] runs jobs that can fail or be stopped.
//   - [Collect] runs the jobs of a stream, and passes on their results one by one.
//   - [Ordered] runs an endless sequence of jobs, and yields their results in order.
//
// [Progress] reports the progress of work.
//
// golang.org/x/sync/errgroup has neither worker numbers nor results.
//
// The number of workers affects only the order in which jobs finish. A caller of For, Do or
// Collect that needs an order must number its jobs.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns n if positive, or else one worker per processor ([runtime.GOMAXPROCS]).
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// For runs jobs 0 to n-1 on Workers(workers) goroutines and waits for them.
func For(workers, n int, job func(worker, i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for worker := range min(Workers(workers), n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				job(worker, int(i))
			}
		})
	}
	wait.Wait()
}

// Do is [For] with jobs that may fail. After the first error, or when ctx is done, it starts no
// more jobs, cancels the context of running jobs, and waits for them. It returns the first
// error, or ctx's error if it skipped a job.
func Do(ctx context.Context, workers, n int, job func(ctx context.Context, worker, i int) error) error {
	type none struct{}
	return Collect(ctx, workers, Numbers(n), func(ctx context.Context, worker, i int) (none, error) {
		return none{}, job(ctx, worker, i)
	}, func(int, none) error { return nil })
}
