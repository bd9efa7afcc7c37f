package parallel

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync"
)

// Feed is a stream of jobs: it calls ask for one after the other. ask returns when
// there is room for the job. After an error of ask no more jobs are wanted: the feed
// returns that error. A feed that waits for something else must not do so after its
// context has ended.
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

// List returns the feed of the jobs of a list.
func List[J any](jobs []J) Feed[J] { return each(slices.Values(jobs)) }

// Numbers returns the feed of the jobs 0 to n-1.
func Numbers(n int) Feed[int] {
	return each(func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	})
}

// Collect runs the jobs of a feed on Workers(workers) goroutines, and hands each with
// its result to take: one at a time, in the order in which they finish, from any
// goroutine. A worker starts no other job until take has its result. After the first
// error of a job or of the feed, or when ctx is done, it starts no more jobs, cancels the
// context of those under way and of the feed, and waits for them; take still gets the
// results of the jobs under way. After an error of take, it gets none. Collect returns
// the first error, else ctx's error if it left out a job. When it returns or panics, no
// job is running.
func Collect[J, R any](ctx context.Context, workers int, feed Feed[J], job func(ctx context.Context, worker int, j J) (R, error), take func(j J, result R) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	workers = Workers(workers)
	jobs := make(chan J, workers*lookAhead) // filled while the workers are busy: small jobs cost no wake-up each
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
					continue // nobody wants it
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

// collector is what the workers of a [Collect] share.
type collector[J, R any] struct {
	turn     chan struct{} // full while somebody uses the rest
	take     func(J, R) error
	cancel   context.CancelFunc
	err      error // the first
	refused  bool  // take wants no more
	panicked any   // by take, a job or the feed
}

// note keeps the first error, which ends all.
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

// catch has a panic of a job, or of the feed, panic in the caller of Collect, who can
// catch it. The trace is that of the job.
func (c *collector[J, R]) catch() {
	if p := recover(); p != nil {
		c.turn <- struct{}{}
		c.panicked, c.refused = fmt.Sprintf("%v\n\n%s", p, debug.Stack()), true
		c.cancel()
		<-c.turn
	}
}

// hand gives a result to take. What panics there panics in the caller of Collect.
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
