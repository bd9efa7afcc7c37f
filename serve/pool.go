package serve

import (
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
	config Config
	mu     sync.Mutex
	open   map[string]*owareEngine
}

// newEngines checks that the weights and the book can be opened for at least one rule set.
func newEngines(c Config) (*engines, error) {
	all := &engines{config: c, open: map[string]*owareEngine{}}
	if _, err := kit.Serving(kit.Game.Rules[0], c.Weights); err != nil && !slices.ContainsFunc(kit.Game.Rules[1:], func(rules string) bool {
		_, err := kit.Serving(rules, c.Weights)
		return err == nil
	}) {
		return nil, err
	}
	if c.Book != "" && c.Book != engine.NoBook {
		b, err := kit.Book(c.Book, "")
		if err != nil {
			return nil, err
		}
		if err := b.Close(); err != nil {
			return nil, err
		}
	}
	if c.Program.Path != "" { // check now that it works
		if _, err := all.of(kit.Game.Rules[0]); err != nil {
			return nil, err
		}
	}
	return all, nil
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
	spec := a.config.Spec
	spec.Search, spec.Book = a.config.hints(), ""
	if _, err := kit.Serving(rules, spec.Weights); err != nil {
		spec.Weights = ""
	}
	e, err := engine.Open(context.Background(), kit, spec, rules)
	if err != nil {
		return nil, err
	}
	if b, err := kit.PlayingBook(a.config.Book, rules); err == nil { // an error means that the book is for other rules
		e.Book = b
	}
	a.open[rules] = e
	return e, nil
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
