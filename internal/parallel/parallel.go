// Package parallel runs numbered jobs on several goroutines, the workers. It starts
// jobs in order. A job gets the number of its worker, from 0, so that each worker can
// have state of its own.
//
//   - [For] runs jobs that cannot fail.
//   - [Do] runs jobs that can fail or be stopped.
//   - [Collect] also hands their results to one goroutine, as they come.
//   - [Ordered] yields the results of jobs without end, in order.
//
// golang.org/x/sync/errgroup has neither worker numbers nor results.
//
// The number of workers changes the order in which jobs finish, and nothing else. A
// caller of For, Do or Collect that needs an order uses the numbers of the jobs.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns n, or one worker a processor ([runtime.GOMAXPROCS]) if n is not
// positive.
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

// Do is [For] with jobs that may fail. After the first error, or when ctx is done, it
// starts no more jobs, cancels the context of those under way, and waits for them. It
// returns the first error, else ctx's error if it left out a job.
func Do(ctx context.Context, workers, n int, job func(ctx context.Context, worker, i int) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var once sync.Once
	var failed error
	var finished atomic.Int64
	For(workers, n, func(worker, i int) {
		if inner.Err() != nil {
			return
		}
		if err := job(inner, worker, i); err != nil {
			once.Do(func() { failed = err; cancel() })
			return
		}
		finished.Add(1)
	})
	if failed == nil && finished.Load() < int64(n) {
		return ctx.Err()
	}
	return failed
}

// Collect is [Do] with jobs that have results. It hands them to take, in the caller's
// goroutine and in the order in which jobs finish. A worker starts no other job until
// take has its result. After an error of a job, take still gets the results of the
// jobs under way; after an error of take, it gets none. When Collect returns or
// panics, no job is running.
func Collect[R any](ctx context.Context, workers, n int, job func(ctx context.Context, worker, i int) (R, error), take func(i int, result R) error) (err error) {
	type numbered struct {
		i      int
		result R
	}
	inner, cancel := context.WithCancel(ctx)
	results := make(chan numbered)
	var failed error // of a job; read when results is closed
	go func() {
		defer close(results)
		failed = Do(inner, workers, n, func(ctx context.Context, worker, i int) error {
			result, err := job(ctx, worker, i)
			if err == nil {
				results <- numbered{i, result}
			}
			return err
		})
	}()
	defer func() {
		cancel()
		for range results {
		}
	}()
	for r := range results {
		if err := take(r.i, r.result); err != nil {
			return err
		}
	}
	return failed
}
