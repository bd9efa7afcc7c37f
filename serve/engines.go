package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kroo/engine"
	"kroo/games/oware"
)

type (
	owareEngine   = engine.Engine[oware.Position]
	owareSearcher = engine.Searcher[oware.Position]
)

// sharedEngines are the engines for the rule sets, and a number of searchers in a queue. Their hash
// tables are the only memory that searches need.
type sharedEngines struct {
	queue *queue
	open  func(rules string) (*owareEngine, error)

	mu      sync.Mutex
	engines map[string]*openEngine // by rule set; guarded by mu
}

// openEngine is an engine that is open or that a request, the first for its rules, is opening. Other
// requests for the rules wait for it; those for other rules do not.
type openEngine struct {
	ready  chan struct{} // closed when the other fields are set
	engine *owareEngine
	err    error
}

// newSharedEngines opens the weights, the book and the program for the first rule set that they serve.
func newSharedEngines(c Config) (*sharedEngines, error) {
	spec := c.Spec
	spec.Search = c.hints()
	spec.OwnBook = true
	s := &sharedEngines{
		queue:   newQueue(c.Searches, maxWaiting),
		open:    func(rules string) (*owareEngine, error) { return openFor(spec, rules) },
		engines: map[string]*openEngine{},
	}
	var failed error
	for _, rules := range kit.Game.Rules {
		e, err := engine.Open(context.Background(), kit, spec, rules)
		if err == nil {
			ready := make(chan struct{})
			close(ready)
			s.engines[rules] = &openEngine{ready: ready, engine: e}
			return s, nil
		}
		failed = cmp.Or(failed, err)
	}
	return nil, failed
}

// openFor opens the engine for rules. Weights, a book or tables that cannot be used under them are replaced by
// the embedded ones.
func openFor(spec engine.Spec, rules string) (*owareEngine, error) {
	e, err := engine.Open(context.Background(), kit, spec, rules)
	if err == nil {
		return e, nil
	}
	usable := spec
	usable.Weights = ""
	if usable.Book != engine.NoBook {
		usable.Book = ""
	}
	if usable.Search.Tables != engine.NoTables {
		usable.Search.Tables = ""
	}
	for _, set := range []func(s *engine.Spec){
		func(s *engine.Spec) { s.Weights = spec.Weights },
		func(s *engine.Spec) { s.Book = spec.Book },
		func(s *engine.Spec) { s.Search.Tables = spec.Search.Tables },
	} {
		more := usable
		set(&more)
		e, err := engine.Open(context.Background(), kit, more, rules)
		if err == nil {
			usable = more
			e.Close()
		}
	}
	return engine.Open(context.Background(), kit, usable, rules)
}

// engine returns the engine for rules, and opens it at its first use. A failure is not kept: the next
// request tries again.
func (s *sharedEngines) engine(ctx context.Context, rules string) (*owareEngine, error) {
	if err := kit.Game.CheckRules(rules); err != nil {
		return nil, err
	}
	s.mu.Lock()
	e, known := s.engines[rules]
	if !known {
		e = &openEngine{ready: make(chan struct{})}
		s.engines[rules] = e
	}
	s.mu.Unlock()
	if !known {
		s.openInto(e, rules)
	}
	select {
	case <-e.ready:
		return e.engine, e.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// errNotOpened is the error of requests that wait for an engine whose opening panics.
var errNotOpened = errors.New("the engine cannot be opened")

// openInto opens an engine without the lock, which other rules need.
func (s *sharedEngines) openInto(e *openEngine, rules string) {
	e.err = errNotOpened
	defer func() {
		if e.err != nil {
			s.forget(rules)
		}
		close(e.ready)
	}()
	e.engine, e.err = s.open(rules)
}

// forget removes an engine that could not be opened.
func (s *sharedEngines) forget(rules string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.engines, rules)
}

// close closes the engines. No request may be in progress.
func (s *sharedEngines) close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.engines {
		err = errors.Join(err, e.engine.Close())
	}
	clear(s.engines)
	return err
}

// Time limits of a request in a seat.
const (
	maxSearchTime = 30 * time.Second
	maxReviewTime = 10 * time.Minute
)

// turn is a request's turn to search.
type turn struct {
	client, rules string
	atMost        time.Duration
	waits         func() // called when no seat is free
}

// tooLong returns the error of a turn that takes longer than it may.
func (t turn) tooLong() error { return fmt.Errorf("stopped after %s: %w", t.atMost, errTooLong) }

// searching searches with the engine for the rules of a turn and a cleared searcher. If the context ends
// before the search does, it returns an error; otherwise giving way would count as finished.
type searching func(ctx context.Context, e *owareEngine, s owareSearcher) error

// search waits for a seat and searches in it, for at most the time of the turn.
func (s *sharedEngines) search(ctx context.Context, t turn, use searching) error {
	e, at, err := s.enter(ctx, t)
	if err != nil {
		return err
	}
	defer s.queue.leave(at)
	return at.search(ctx, e, t, use)
}

// errGivesWay is the cause of the end of an infinite search whose seat another request gets.
var errGivesWay = errors.New("gives its seat to another request")

// searchInfinitely is search for a search without an end. It hands its seat over to a request that waits
// for one, waits until another is free, and starts again. The time of the turn includes the waiting.
func (s *sharedEngines) searchInfinitely(ctx context.Context, t turn, use searching) error {
	ctx, cancel := context.WithTimeoutCause(ctx, t.atMost, t.tooLong())
	defer cancel()
	e, at, err := s.enter(ctx, t)
	for err == nil {
		err = s.searchUntilAsked(ctx, e, at, t, use)
		if !errors.Is(err, errGivesWay) {
			return err
		}
		t.waits()
		at, err = s.queue.reenter(ctx)
	}
	return err
}

// enter returns the engine for the rules of a turn, and a seat.
func (s *sharedEngines) enter(ctx context.Context, t turn) (*owareEngine, *seat, error) {
	e, err := s.engine(ctx, t.rules)
	if err != nil {
		return nil, nil, err
	}
	if at := s.queue.tryEnter(); at != nil {
		return e, at, nil
	}
	t.waits()
	at, err := s.queue.enter(ctx, t.client)
	return e, at, err
}

// searchUntilAsked searches in a seat until another request asks for it: then the error is errGivesWay.
// The seat is free, or the other request's, when it returns.
func (s *sharedEngines) searchUntilAsked(ctx context.Context, e *owareEngine, at *seat, t turn, use searching) error {
	ctx, cancel := context.WithCancelCause(ctx)
	next := make(chan chan<- *seat, 1) // to which the seat goes
	go func() {
		select {
		case to := <-s.queue.asks:
			next <- to
			cancel(errGivesWay)
		case <-ctx.Done():
			next <- s.queue.seats
		}
	}()
	defer func() {
		cancel(nil)
		to := <-next
		to <- at
	}()
	return at.search(ctx, e, t, use)
}

// search searches with the searcher of a seat.
func (at *seat) search(ctx context.Context, e *owareEngine, t turn, use searching) error {
	if at.rules == t.rules {
		at.searcher.Clear()
	} else {
		if at.searcher != nil {
			at.searcher.Close()
		}
		at.searcher = nil // free its memory first
		at.searcher = e.NewSearcher()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.atMost, t.tooLong())
	defer cancel()
	at.rules = "" // so that a searcher that panics is not used again
	err := use(ctx, e, at.searcher)
	at.rules = t.rules
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
