// Package parallel does numbered jobs on a few goroutines. Jobs are begun in
// order, and each finishes on the goroutine that began it; "worker" numbers
// that goroutine from 0, for state that each keeps to itself.
//
// [For] is for work in memory that cannot fail; [Do] for jobs that can fail or
// be stopped; [Collect] for jobs whose results one goroutine takes.
// golang.org/x/sync/errgroup has neither worker numbers nor results.
//
// Whatever the number of workers, the same jobs are done; what depends on the
// order in which they finish is up to the caller, who has their numbers.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is n, or one a processor ([runtime.GOMAXPROCS]) if n is not positive.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// For does jobs 0 to n-1 on so many workers, of which there are [Workers].
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

// Do is [For] with jobs that may fail. After the first error, or when ctx is
// done, no job is begun; the context of those in hand is done, and Do waits for
// them. It returns the first error, else ctx's if jobs were left out.
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

// Collect is [Do] with jobs that have results. It hands them to take, in the
// goroutine of the caller and in the order in which they finish; a worker whose
// result is not taken yet begins no other job. After an error of a job, results
// that are finished are still taken; after one of take, none is. On every way
// out, a panic of take included, no job is running any more.
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
