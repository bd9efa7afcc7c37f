package serve

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// errBusy is the error if the queue is full.
var errBusy = errors.New("too many requests are waiting: try again in a moment")

// queue grants a number of seats. Waiting requests are served round-robin by client, so that a client
// with a hundred requests does not delay the others.
type queue struct {
	mu      sync.Mutex
	free    int
	most    int      // requests that may wait
	waiting []waiter // oldest first
	round   int      // of the request that was served last
}

// waiter is a request that waits. A client has at most one request in a round.
type waiter struct {
	client  string
	round   int
	granted chan struct{}
}

func newQueue(seats, most int) *queue { return &queue{free: seats, most: most} }

// enter waits for a seat. The error is errBusy or the cause of the context's end.
func (q *queue) enter(ctx context.Context, client string) error {
	q.mu.Lock()
	if q.free > 0 { // then no request waits
		q.free--
		q.mu.Unlock()
		return nil
	}
	if len(q.waiting) == q.most {
		q.mu.Unlock()
		return errBusy
	}
	w := waiter{client, q.round + 1, make(chan struct{})}
	for _, other := range q.waiting {
		if other.client == client {
			w.round = max(w.round, other.round+1)
		}
	}
	q.waiting = append(q.waiting, w)
	q.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
		q.giveUp(w)
		return context.Cause(ctx)
	}
}

// asked reports whether a request waits.
func (q *queue) asked() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) > 0
}

// giveUp withdraws a request, or returns the seat that it has been granted meanwhile.
func (q *queue) giveUp(w waiter) {
	q.mu.Lock()
	at := slices.Index(q.waiting, w)
	if at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	}
	q.mu.Unlock()
	if at < 0 {
		q.leave()
	}
}

// leave returns a seat, which the oldest request of the earliest round gets.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.free++
		return
	}
	next := 0
	for i, w := range q.waiting {
		if w.round < q.waiting[next].round {
			next = i
		}
	}
	q.round = q.waiting[next].round
	close(q.waiting[next].granted)
	q.waiting = slices.Delete(q.waiting, next, next+1)
}
