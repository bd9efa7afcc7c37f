// Package parallel runs jobs on worker goroutines. It starts jobs in order. A job gets the
// number of its worker, from 0, so that each worker can have state of its own.
//
//   - [For] runs jobs that cannot fail.
//   - [Do] runs jobs that can fail or be stopped.
//   - [Collect] runs the jobs of a stream, and passes on their results one by one.
//   - [RunInOrder] runs an endless sequence of jobs, and yields their results in order.
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
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"slices"
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

// Feed is a stream of jobs. It calls ask for each job; ask blocks until there is room for it.
// After an error of ask, the feed must return that error. A feed must not block after ctx is
// done.
type Feed[J any] func(ctx context.Context, ask func(J) error) error

func each[J any](jobs iter.Seq[J]) Feed[J] {
	return func(_ context.Context, ask func(J) error) error {
		for j := range jobs {
			if err := ask(j); err != nil {
				return err
			}
		}
		return nil
	}
}

// List returns a feed of the jobs in a slice.
func List[J any](jobs []J) Feed[J] { return each(slices.Values(jobs)) }

// Numbers returns a feed of the jobs 0 to n-1.
func Numbers(n int) Feed[int] {
	return each(func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	})
}

// Collect runs the jobs of a feed on Workers(workers) goroutines, and calls take with each job
// and its result: one at a time, in the order of completion, from any goroutine. A worker starts
// its next job when take has returned.
//
// After the first error of a job or of the feed, or when ctx is done, Collect starts no more
// jobs, cancels the context of running jobs and of the feed, and waits for them; take still gets
// their results. After an error of take, it gets no more results. Collect returns the first
// error, or ctx's error if it skipped a job. When it returns or panics, no job is running.
func Collect[J, R any](
	ctx context.Context, workers int, feed Feed[J], job func(ctx context.Context, worker int, j J) (R,
		error), take func(j J, result R) error,
) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	workers = Workers(workers)
	jobs := make(chan J, workers*lookAhead) // buffered, so that small jobs do not wake a worker each
	c := collector[J, R]{turn: make(chan struct{}, 1), take: take, cancel: cancel}
	var wait sync.WaitGroup
	wait.Go(func() {
		defer close(jobs)
		defer c.catch()
		c.note(feed(inner, func(j J) error {
			select {
			case <-inner.Done():
				return inner.Err()
			case jobs <- j:
				return nil
			}
		}))
	})
	for worker := range workers {
		wait.Go(func() {
			defer c.catch()
			for j := range jobs {
				if err := inner.Err(); err != nil {
					c.note(err)
					continue // skip the rest of the queue
				}
				if r, err := job(inner, worker, j); err != nil {
					c.note(err)
				} else {
					c.hand(j, r)
				}
			}
		})
	}
	wait.Wait()
	if c.panicked != nil {
		panic(c.panicked)
	}
	return c.err
}

// collector is the state that the workers of a [Collect] share.
type collector[J, R any] struct {
	turn     chan struct{} // mutex of the other fields
	take     func(J, R) error
	cancel   context.CancelFunc
	err      error // the first error
	refused  bool  // take gets no more results
	panicked any   // panic value of take, a job or the feed
}

// note records an error. The first one ends all work.
func (c *collector[J, R]) note(err error) {
	if err == nil {
		return
	}
	c.turn <- struct{}{}
	c.fail(err)
	<-c.turn
}

func (c *collector[J, R]) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.cancel()
}

// catch forwards a panic of a job or of the feed to the caller of Collect, with the job's stack
// trace.
func (c *collector[J, R]) catch() {
	if p := recover(); p != nil {
		c.turn <- struct{}{}
		c.panicked, c.refused = fmt.Sprintf("%v\n\n%s", p, debug.Stack()), true
		c.cancel()
		<-c.turn
	}
}

// hand calls take with a result. It forwards a panic of take to the caller of Collect.
func (c *collector[J, R]) hand(j J, r R) {
	c.turn <- struct{}{}
	defer func() {
		if p := recover(); p != nil {
			c.panicked, c.refused = p, true
			c.cancel()
		}
		<-c.turn
	}()
	if c.refused {
		return
	}
	if err := c.take(j, r); err != nil {
		c.refused = true
		c.fail(err)
	}
}

// InOrder passes results on in the order of their numbers, regardless of the order of arrival.
type InOrder[R any] struct {
	room chan struct{} // one element per expected result
	take func(R) error

	mu      sync.Mutex
	next    int // number of the next result to pass on
	waiting map[int]R
}

// NewInOrder returns an InOrder that passes results to take, starting with number first. At most
// ahead results are expected at a time.
func NewInOrder[R any](first, ahead int, take func(R) error) *InOrder[R] {
	return &InOrder[R]{room: make(chan struct{}, ahead), take: take, next: first, waiting: map[int]R{}}
}

// Wait blocks until one more result may be expected.
func (o *InOrder[R]) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case o.room <- struct{}{}:
		return nil
	}
}

// Put adds the result with a number, and passes on all results that are now in order.
func (o *InOrder[R]) Put(number int, r R) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[number] = r
	for r, there := o.waiting[o.next]; there; r, there = o.waiting[o.next] {
		delete(o.waiting, o.next)
		o.next++
		if err := o.take(r); err != nil {
			return err
		}
		<-o.room
	}
	return nil
}

// lookAhead is the number of jobs per worker that [RunInOrder] may be ahead of the oldest running
// job.
const lookAhead = 64

// RunInOrder runs the endless sequence of jobs from, from+1, … on Workers(workers) goroutines, and
// yields their results in order. It stops when the consumer does or when ctx is done, and waits
// for running jobs, whose results it does not yield.
func RunInOrder[R any](ctx context.Context, workers, from int, job func(ctx context.Context, worker, i int) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		inner, cancel := context.WithCancel(ctx)
		results := make(chan R)
		order := NewInOrder(from, Workers(workers)*lookAhead, func(r R) error {
			if inner.Err() == nil {
				select {
				case results <- r:
				case <-inner.Done():
				}
			}
			return inner.Err()
		})
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		wait.Go(func() {
			defer close(results)
			Collect(inner, workers, func(ctx context.Context, ask func(int) error) (err error) {
				for i := from; err == nil; i++ {
					if err = order.Wait(ctx); err == nil {
						err = ask(i)
					}
				}
				return err
			}, func(ctx context.Context, worker, i int) (R, error) { return job(ctx, worker, i), nil }, order.Put)
		})
		for r := range results {
			if !yield(r) {
				return
			}
		}
	}
}
