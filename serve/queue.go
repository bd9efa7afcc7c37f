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
	most    int                        // requests that may wait
	length  int                        // requests that wait
	turn    []string                   // waiting clients, the next first
	waiting map[string][]chan struct{} // requests of each client, oldest first
}

func newQueue(seats, most int) *queue {
	return &queue{free: seats, most: most, waiting: map[string][]chan struct{}{}}
}

// enter waits for a seat. The error is errBusy or the cause of the context's end.
func (q *queue) enter(ctx context.Context, client string) error {
	q.mu.Lock()
	if q.free > 0 { // then no request waits
		q.free--
		q.mu.Unlock()
		return nil
	}
	if q.length == q.most {
		q.mu.Unlock()
		return errBusy
	}
	granted := make(chan struct{})
	if len(q.waiting[client]) == 0 {
		q.turn = append(q.turn, client)
	}
	q.waiting[client] = append(q.waiting[client], granted)
	q.length++
	q.mu.Unlock()
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
		q.giveUp(client, granted)
		return context.Cause(ctx)
	}
}

// asked reports whether a request waits.
func (q *queue) asked() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.length > 0
}

// giveUp withdraws a request, or returns the seat that it has been granted meanwhile.
func (q *queue) giveUp(client string, granted chan struct{}) {
	q.mu.Lock()
	at := slices.Index(q.waiting[client], granted)
	if at < 0 {
		q.mu.Unlock()
		q.leave()
		return
	}
	defer q.mu.Unlock()
	q.length--
	if q.waiting[client] = slices.Delete(q.waiting[client], at, at+1); len(q.waiting[client]) == 0 {
		delete(q.waiting, client)
		q.turn = slices.DeleteFunc(q.turn, func(c string) bool { return c == client })
	}
}

// leave returns a seat, which the next request gets.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.turn) == 0 {
		q.free++
		return
	}
	client := q.turn[0]
	q.turn = q.turn[1:]
	list := q.waiting[client]
	close(list[0])
	q.length--
	if len(list) > 1 {
		q.waiting[client] = list[1:]
		q.turn = append(q.turn, client)
	} else {
		delete(q.waiting, client)
	}
}
