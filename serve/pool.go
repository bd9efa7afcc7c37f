package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"kroo/engine"
	"kroo/games/oware"
)

type (
	owareEngine   = engine.Engine[oware.Position]
	owareSearcher = engine.Searcher[oware.Position]
)

// pool is the engines for the rule sets, and a number of searchers in a queue. Their hash tables are the
// only memory that searches need.
type pool struct {
	spec  engine.Spec
	mu    sync.Mutex
	open  map[string]*owareEngine // by rule set, opened at first use
	queue *queue
	time  time.Duration // guaranteed to a search that gives way
}

// maxWaiting is the number of requests that may wait in a queue.
const maxWaiting = 256

// newPool opens the weights, the book and the program for the first rule set that they serve.
func newPool(c Config) (*pool, error) {
	p := &pool{spec: c.Spec, open: map[string]*owareEngine{}, queue: newQueue(c.Searches, maxWaiting), time: maxSearchTime}
	p.spec.Search, p.spec.OwnBook = c.hints(), true
	var failed error
	for _, rules := range kit.Game.Rules {
		e, err := engine.Open(context.Background(), kit, p.spec, rules)
		if err == nil {
			p.open[rules] = e
			return p, nil
		}
		failed = cmp.Or(failed, err)
	}
	return nil, failed
}

// engine returns the engine for rules. If the weights or the book are for other rules, it has the
// embedded ones.
func (p *pool) engine(rules string) (*owareEngine, error) {
	if err := kit.Game.CheckRules(rules); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.open[rules]; e != nil {
		return e, nil
	}
	e, err := engine.Open(context.Background(), kit, p.spec, rules)
	if err != nil {
		own := p.spec
		if own.Weights = ""; own.Book != engine.NoBook {
			own.Book = ""
		}
		if own.Search.Tables != engine.NoTables {
			own.Search.Tables = ""
		}
		e, err = engine.Open(context.Background(), kit, own, rules)
	}
	if err == nil {
		p.open[rules] = e
	}
	return e, err
}

func (p *pool) close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.open {
		err = errors.Join(err, e.Close())
	}
	clear(p.open)
	return err
}

// seat is a searcher for the rules of its last search. In a queue of readers it has none.
type seat struct {
	rules    string
	searcher owareSearcher
}

// errBusy is the error if the queue is full.
var errBusy = errors.New("too many requests are waiting: try again in a moment")

// queue grants seats in the order of the requests, but a client has only one request in line: the next
// joins at the end when that one is served. So a client with a hundred requests does not delay the others.
type queue struct {
	seats   chan *seat // free ones
	most    int32      // requests that may wait
	waiting atomic.Int32
	clients [1024]chan struct{} // full while a request is in line; by a hash, so a few clients share one
}

func newQueue(seats int, most int32) *queue {
	q := &queue{seats: make(chan *seat, seats), most: most}
	for range seats {
		q.leave(&seat{})
	}
	for i := range q.clients {
		q.clients[i] = make(chan struct{}, 1)
	}
	return q
}

// enter waits for a seat. The error is errBusy or the cause of the context's end.
func (q *queue) enter(ctx context.Context, client string) (*seat, error) {
	select {
	case at := <-q.seats: // then no request is in line
		return at, nil
	default:
	}
	defer q.waiting.Add(-1)
	if q.waiting.Add(1) > q.most {
		return nil, errBusy
	}
	mine := q.clients[crc32.ChecksumIEEE([]byte(client))%uint32(len(q.clients))]
	select {
	case mine <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-mine }()
	select {
	case at := <-q.seats:
		return at, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// leave returns a seat.
func (q *queue) leave(at *seat) { q.seats <- at }

// asked reports whether a request waits.
func (q *queue) asked() bool { return q.waiting.Load() > 0 }

// Time limits of a request in a seat.
const (
	maxSearchTime = 30 * time.Second
	maxReviewTime = 10 * time.Minute
)

// search waits for a seat and calls use with the engine for the rules and a cleared searcher. The
// context of use ends after the time atMost.
func (p *pool) search(ctx context.Context, client, rules string, atMost time.Duration, use func(ctx context.Context, e *owareEngine, s owareSearcher) error) error {
	e, err := p.engine(rules)
	if err != nil {
		return err
	}
	at, err := p.queue.enter(ctx, client)
	if err != nil {
		return err
	}
	defer p.queue.leave(at)
	if at.rules == rules {
		at.searcher.Clear()
	} else {
		if at.searcher != nil {
			at.searcher.Close()
		}
		at.searcher = nil // free its memory first
		at.searcher = e.NewSearcher()
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
