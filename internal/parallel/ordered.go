package parallel

import (
	"context"
	"iter"
	"sync"
)

// InOrder hands results over in the order of their numbers, in whatever order they come.
type InOrder[R any] struct {
	room chan struct{} // holds one for each result that is waited for
	take func(R) error

	mu      sync.Mutex
	next    int // number of the result to be handed over next
	waiting map[int]R
}

// NewInOrder hands results to take from the number first on. At most ahead of them are
// waited for at a time.
func NewInOrder[R any](first, ahead int, take func(R) error) *InOrder[R] {
	return &InOrder[R]{room: make(chan struct{}, ahead), take: take, next: first, waiting: map[int]R{}}
}

// Wait returns when there is room for another result to be waited for.
func (o *InOrder[R]) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case o.room <- struct{}{}:
		return nil
	}
}

// Put hands over the result of a number, and those that have waited for it.
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

// lookAhead is how many jobs a worker of [Ordered] may be ahead of the oldest one under
// way.
const lookAhead = 64

// Ordered runs the jobs from, from+1, and so on without end on Workers(workers)
// goroutines, and yields their results in the order of their numbers. It stops, and
// waits for the jobs under way, when the consumer does or when ctx is done; it does
// not yield what a job returned after that.
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
