package engine

import (
	"cmp"
	"context"
	"fmt"

	"kroo/engine/search"
	"kroo/internal/parallel"
	"kroo/internal/wording"
)

// Job asks for the search of one position with an empty history.
type Job[P any] struct {
	Number   int // for the caller; the search does not depend on it
	Position P
	Limits   search.Limits
	AllMoves bool // exact scores of all root moves, not only of the best
}

// Feed is a stream of jobs.
type Feed[P any] = parallel.Feed[Job[P]]

// Pool searches streams of positions: [Searchers] do so on this machine, the workers of a
// farm elsewhere. Jobs limited by nodes or depth have the same results whatever the
// number of workers: each starts from an empty hash table.
type Pool[P any] interface {
	// Search searches the jobs of a feed, which it asks for the next one when there is
	// room. It calls done once for each, in the order in which they finish, never two at
	// a time. It returns when all are done; or with the first error of the feed, of a
	// search or of done, or the context's, when the searches under way have been given
	// up. One that was cut short so is not handed over.
	Search(ctx context.Context, feed Feed[P], done func(Job[P], Answer) error) error
}

// Searchers is the pool of goroutines. Each search has a searcher, and so a hash
// table, to itself, emptied before the job: what a job answers depends on the
// job, the evaluation and the options alone, unless time limits it.
type Searchers[P search.Position[P]] struct {
	// Failed, if it is not nil, is called instead of done for each job whose search has
	// failed; returning nil continues with the others.
	Failed func(Job[P], error) error

	make func() Searcher[P]
	idle chan Searcher[P] // as many as there are workers
}

// NewSearchers makes a pool of a given number of workers, or of one a processor if workers is not
// positive. The size of a searcher's hash table is part of the question, the number of
// workers is not.
func NewSearchers[P search.Position[P]](newSearcher func() *search.Searcher[P], workers int) *Searchers[P] {
	return newPool(func() Searcher[P] { return Own(newSearcher()) }, workers)
}

func newPool[P search.Position[P]](newSearcher func() Searcher[P], workers int) *Searchers[P] {
	workers = parallel.Workers(workers)
	s := &Searchers[P]{make: newSearcher, idle: make(chan Searcher[P], workers)}
	for range workers {
		s.idle <- s.make()
	}
	return s
}

// Searchers is a pool that searches as the engine does, if there is memory for it. What
// it finds after a file of the engine was changed is an error.
func (e *Engine[P]) Searchers(workers int) (*Searchers[P], error) {
	if err := e.CheckMemory(parallel.Workers(workers)); err != nil {
		return nil, err
	}
	return newPool(e.NewSearcher, workers), nil
}

// Search is as [Pool] says. Several goroutines may call it at a time; their jobs share
// the searchers.
func (s *Searchers[P]) Search(ctx context.Context, feed Feed[P], done func(Job[P], Answer) error) error {
	type outcome struct {
		found Answer
		err   error // for Failed
	}
	return parallel.Collect(ctx, cap(s.idle), feed, func(ctx context.Context, _ int, j Job[P]) (o outcome, err error) {
		o.found, err = s.One(ctx, j)
		if err != nil && s.Failed != nil && ctx.Err() == nil {
			o.err, err = err, nil
		}
		return o, err
	}, func(j Job[P], o outcome) error {
		if o.err != nil {
			return s.Failed(j, o.err)
		}
		return done(j, o.found)
	})
}

// One does one job, when a searcher is idle. A search that panics is an error; its
// searcher may be in any state, and a new one takes its place.
func (s *Searchers[P]) One(ctx context.Context, j Job[P]) (a Answer, err error) {
	searcher := <-s.idle
	defer func() {
		if p := recover(); p != nil {
			a, err = Answer{}, fmt.Errorf("position %v: the search panicked: %s", j.Position, wording.Short(fmt.Sprint(p)))
			searcher.Close()
			searcher = s.make()
		}
		s.idle <- searcher
	}()
	searcher.Clear()
	r, err := searcher.Search(ctx, j.Position, nil, j.Limits, search.Query{AllMoves: j.AllMoves})
	if err != nil { // perhaps cut short
		return a, err
	}
	return AnswerOf(r, j.AllMoves), nil
}

// Searcher searches one position after the other: by the engine's own search ([Own]), or
// by another program in its place ([Spec.Program]). It is for one goroutine at a time.
type Searcher[P any] interface {
	// Clear makes it forget the searches before.
	Clear()
	// Search is that of [search.Searcher]. An error is the context's, whose result is what
	// was found so far; says that a file of the engine was changed; or is what the
	// program has done wrong, again and again.
	Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error)
	// Close ends what runs for it until its next search.
	Close()
}

// Own makes a Searcher of the engine's own search.
func Own[P search.Position[P]](s *search.Searcher[P]) Searcher[P] { return own[P]{s} }

type own[P search.Position[P]] struct{ *search.Searcher[P] }

func (s own[P]) Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error) {
	return s.Searcher.Search(ctx, p, history, lim, q), ctx.Err()
}

func (own[P]) Close() {}

// checked is a searcher of an engine whose files may be changed meanwhile.
type checked[P any] struct {
	Searcher[P]
	files func() error
}

func (s checked[P]) Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error) {
	r, err := s.Searcher.Search(ctx, p, history, lim, q)
	return r, cmp.Or(err, s.files())
}
