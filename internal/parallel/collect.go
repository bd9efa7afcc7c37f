package parallel

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync"
)

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
func Collect[J, R any](ctx context.Context, workers int, feed Feed[J], job func(ctx context.Context, worker int, j J) (R, error), take func(j J, result R) error) error {
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
