package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"kroo/engine"
	"kroo/games/oware"
)

type (
	owareEngine   = engine.Engine[oware.Position]
	owareSearcher = engine.Searcher[oware.Position]
)

// engines opens an engine for each rule set at first use.
type engines struct {
	spec engine.Spec
	mu   sync.Mutex
	open map[string]*owareEngine
}

// newEngines opens the weights, the book and the program for the first rule set that they serve.
func newEngines(c Config) (*engines, error) {
	all := &engines{spec: c.Spec, open: map[string]*owareEngine{}}
	all.spec.Search, all.spec.OwnBook = c.hints(), true
	var failed error
	for _, rules := range kit.Game.Rules {
		e, err := engine.Open(context.Background(), kit, all.spec, rules)
		if err == nil {
			all.open[rules] = e
			return all, nil
		}
		failed = cmp.Or(failed, err)
	}
	return nil, failed
}

// of returns the engine for rules. If the weights or the book are for other rules, it has the embedded
// ones.
func (a *engines) of(rules string) (*owareEngine, error) {
	if err := kit.Game.CheckRules(rules); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if e := a.open[rules]; e != nil {
		return e, nil
	}
	e, err := engine.Open(context.Background(), kit, a.spec, rules)
	if err != nil {
		own := a.spec
		if own.Weights = ""; own.Book != engine.NoBook {
			own.Book = ""
		}
		if own.Search.Tables != engine.NoTables {
			own.Search.Tables = ""
		}
		e, err = engine.Open(context.Background(), kit, own, rules)
	}
	if err == nil {
		a.open[rules] = e
	}
	return e, err
}

func (a *engines) close() (err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range a.open {
		err = errors.Join(err, e.Close())
	}
	clear(a.open)
	return err
}

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

// pool is a number of searchers with a queue. Their hash tables are the only memory that searches
// need.
type pool struct {
	engines *engines
	queue   *queue
	seats   chan *seat
	time    time.Duration // guaranteed to a search that gives way
}

// seat is a searcher for the rules of its last search.
type seat struct {
	rules    string
	searcher owareSearcher
}

// maxWaiting is the number of requests that may wait in a queue.
const maxWaiting = 256

func newPool(e *engines, seats int) *pool {
	p := &pool{engines: e, queue: newQueue(seats, maxWaiting), seats: make(chan *seat, seats), time: maxSearchTime}
	for range seats {
		p.seats <- &seat{}
	}
	return p
}

// Time limits of a request in a seat.
const (
	maxSearchTime = 30 * time.Second
	maxReviewTime = 10 * time.Minute
)

// search waits for a seat and calls use with the engine for the rules and a cleared searcher. The
// context of use ends after the time atMost.
func (p *pool) search(ctx context.Context, client, rules string, atMost time.Duration, use func(ctx context.Context, e *owareEngine, s owareSearcher) error) error {
	e, err := p.engines.of(rules)
	if err != nil {
		return err
	}
	if err := p.queue.enter(ctx, client); err != nil {
		return err
	}
	defer p.queue.leave()
	at := <-p.seats
	defer func() { p.seats <- at }()
	if at.rules != rules {
		if at.searcher != nil {
			at.searcher.Close()
		}
		at.searcher = nil // free its memory first
		at.searcher = e.NewSearcher()
	} else {
		at.searcher.Clear()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, atMost, fmt.Errorf("stopped after %s: %w", atMost, errTooLong))
	defer cancel()
	at.rules = "" // so that a searcher that panics is not used again
	err = use(ctx, e, at.searcher)
	at.rules = rules
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// errGivesWay is the error of a search that gave way to others.
var errGivesWay = errors.New("the engine is busy: try again in a moment")

// waitsAsked is the interval at which a search that gives way checks whether others wait.
const waitsAsked = time.Second

// givesWay returns a context that ends when others wait for a seat, but not before the time of a search
// has passed. stop frees it.
func (p *pool) givesWay(ctx context.Context) (mine context.Context, stop func()) {
	mine, cancel := context.WithCancelCause(ctx)
	go func() {
		for wait := p.time; ; wait = waitsAsked {
			select {
			case <-mine.Done():
				return
			case <-time.After(wait):
			}
			if p.queue.asked() {
				cancel(errGivesWay)
				return
			}
		}
	}()
	return mine, func() { cancel(nil) }
}

// clientOf returns the client of a request for a queue: the address of another machine, or the
// connection from this one.
func clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if a, bad := netip.ParseAddr(host); err != nil || bad != nil || a.IsLoopback() {
		return r.RemoteAddr
	}
	return host
}
