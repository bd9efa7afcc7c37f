package serve

import (
	"context"
	"errors"
	"hash/crc32"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
)

// maxWaiting is the number of requests that may wait in a queue.
const maxWaiting = 256

// seat is a searcher for the rules of its last search. In a queue of readers it has none.
type seat struct {
	rules    string
	searcher owareSearcher
}

// errBusy is the error if the queue is full.
var errBusy = errors.New("too many requests are waiting: try again in a moment")

// queue grants seats in the order of the requests: Go serves blocked receivers of a channel first come,
// first served. But a client has only one request in line: the next
// joins at the end when that one is served. So a client with a hundred requests does not delay the others.
//
// A request in line also asks infinite searches for their seats. The first that gets the request gives
// way, and no other: it hands its seat over to this request.
type queue struct {
	seats      chan *seat        // free ones
	asks       chan chan<- *seat // each from a request in line, to which the seat goes
	maxWaiting int32             // requests that may wait
	waiting    atomic.Int32
	clients    [1024]chan struct{} // full while a request is in line; by a hash, so a few clients share one
}

func newQueue(seats int, maxWaiting int32) *queue {
	q := &queue{seats: make(chan *seat, seats), asks: make(chan chan<- *seat), maxWaiting: maxWaiting}
	for range seats {
		q.leave(&seat{})
	}
	for i := range q.clients {
		q.clients[i] = make(chan struct{}, 1)
	}
	return q
}

// tryEnter returns a seat if one is free, and otherwise nil.
func (q *queue) tryEnter() *seat {
	select {
	case at := <-q.seats: // no request waits: a seat that is returned goes straight to the first that does
		return at
	default:
		return nil
	}
}

// enter waits for a seat. The error is errBusy or the cause of the context's end.
func (q *queue) enter(ctx context.Context, client string) (*seat, error) {
	if at := q.tryEnter(); at != nil {
		return at, nil
	}
	if err := q.joinLine(); err != nil {
		return nil, err
	}
	defer q.leaveLine()
	mine := q.clients[crc32.ChecksumIEEE([]byte(client))%uint32(len(q.clients))]
	select {
	case mine <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-mine }()
	handed := make(chan *seat, 1)
	select {
	case at := <-q.seats:
		return at, nil
	case q.asks <- handed:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case at := <-handed:
		return at, nil
	case <-ctx.Done():
		q.leave(<-handed) // an infinite search stops at once
		return nil, context.Cause(ctx)
	}
}

// reenter waits for a free seat, after a search that gave way. It asks no other search for its seat, and
// is in nobody's way in the line of its client.
func (q *queue) reenter(ctx context.Context) (*seat, error) {
	if err := q.joinLine(); err != nil {
		return nil, err
	}
	defer q.leaveLine()
	select {
	case at := <-q.seats:
		return at, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// joinLine counts a request that waits; errBusy if the line is full.
func (q *queue) joinLine() error {
	if q.waiting.Add(1) > q.maxWaiting {
		q.leaveLine()
		return errBusy
	}
	return nil
}

// leaveLine counts a request that waits no longer.
func (q *queue) leaveLine() { q.waiting.Add(-1) }

// leave returns a seat.
func (q *queue) leave(at *seat) { q.seats <- at }

// clientOf returns the client of a request for a queue: the address of another machine, or the
// connection from this one.
func clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if a, bad := netip.ParseAddr(host); err != nil || bad != nil || a.IsLoopback() {
		return r.RemoteAddr
	}
	return host
}
