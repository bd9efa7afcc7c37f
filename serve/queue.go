package serve

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// errBusy says that too many wait.
var errBusy = errors.New("too many requests are waiting: try again in a moment")

// queue hands out a number of seats. Those who wait are served in turn by client, one of
// each before the second of any: a client with a hundred requests does not keep the
// others waiting.
type queue struct {
	mu      sync.Mutex
	free    int
	most    int                        // that wait
	length  int                        // that wait now
	turn    []string                   // clients that wait, the next first
	waiting map[string][]chan struct{} // of each client, the oldest first
}

func newQueue(seats, most int) *queue {
	return &queue{free: seats, most: most, waiting: map[string][]chan struct{}{}}
}

// enter waits for a seat. The error is errBusy or the context's.
func (q *queue) enter(ctx context.Context, client string) error {
	q.mu.Lock()
	if q.free > 0 { // nobody waits
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

// asked reports whether anybody waits.
func (q *queue) asked() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.length > 0
}

// giveUp takes back a request, or the seat that it got meanwhile.
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

// leave gives a seat to the next in turn.
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
