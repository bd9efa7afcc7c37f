package parallel

import (
	"context"
	"iter"
	"sync"
)

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

// lookAhead is the number of jobs per worker that [Ordered] may be ahead of the oldest running
// job.
const lookAhead = 64

// Ordered runs the endless sequence of jobs from, from+1, … on Workers(workers) goroutines, and
// yields their results in order. It stops when the consumer does or when ctx is done, and waits
// for running jobs, whose results it does not yield.
func Ordered[R any](ctx context.Context, workers, from int, job func(ctx context.Context, worker, i int) R) iter.Seq[R] {
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
