package farm

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"kroo/engine/search"
	"kroo/internal/oneline"
	"kroo/internal/parallel"
)

// searcher is what a worker needs of [search.Searcher].
type searcher[P any] interface {
	Search(ctx context.Context, root P, history []P, lim search.Limits, q search.Query) search.Result
	Clear()
}

// Local is the pool of goroutines. Each search has a searcher, and so a hash
// table, to itself, emptied before the job: what a job answers depends on the
// job, the evaluation and the options alone, unless time limits it.
//
// Several goroutines may call Run at a time; their jobs share the searchers.
type Local[P any] struct {
	make   func() searcher[P]
	idle   chan searcher[P] // as many as there are workers
	check  func() error     // after each search
	closed atomic.Bool
}

// NewLocal makes a pool of so many workers, or of one a processor if
// workers is not positive. Each has a searcher of its own, and so a hash table:
// the table's size is part of the question, the number of workers is not. For an
// engine, newSearcher is its NewSearcher; close the pool before the engine.
func NewLocal[P search.Position[P]](newSearcher func() *search.Searcher[P], workers int) *Local[P] {
	workers = parallel.Workers(workers)
	l := &Local[P]{make: func() searcher[P] { return newSearcher() }, idle: make(chan searcher[P], workers)}
	for range workers {
		l.idle <- l.make()
	}
	return l
}

// CheckWith asks check after every search; its error is that of the result. An engine
// whose tables were changed under it, for example, has searched in vain. Call it before
// Run.
func (l *Local[P]) CheckWith(check func() error) { l.check = check }

// Workers is how many jobs are searched at a time.
func (l *Local[P]) Workers() int { return cap(l.idle) }

// Close lets go of the hash tables. Closing twice does no harm.
func (l *Local[P]) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	for range cap(l.idle) {
		<-l.idle
	}
	return nil
}

// Run is as [Pool] says. It calls done in the goroutine of its caller. A search
// that panics becomes the Err of its result.
func (l *Local[P]) Run(ctx context.Context, jobs []Job[P], done func(Result) error) error {
	if l.closed.Load() {
		return errors.New("the pool is closed")
	}
	run, cancel := context.WithCancel(ctx)
	results := make(chan []Result)
	l.start(run, jobs, results)
	defer func() { // on every way out, a panic of done included
		cancel()
		for range results {
		}
	}()
	reported := 0
	for some := range results {
		for _, r := range some {
			if err := done(r); err != nil {
				return err
			}
		}
		reported += len(some)
	}
	if reported < len(jobs) {
		return ctx.Err()
	}
	return nil
}

// handOver is how long a worker may keep results to itself: a search of 500
// nodes takes about as long as waking the goroutine that wants its result.
const handOver = 2 * time.Millisecond

// start sets the workers to the jobs, and closes results when all have finished.
// [parallel.Collect] hands over every result alone, which costs as much as a small
// search.
func (l *Local[P]) start(ctx context.Context, jobs []Job[P], results chan<- []Result) {
	type pending struct {
		results []Result
		since   time.Duration // begin of the run to when results were empty
	}
	kept := make([]pending, l.Workers())
	begin := time.Now()
	go func() {
		defer close(results)
		parallel.For(l.Workers(), len(jobs), func(worker, i int) {
			if ctx.Err() != nil {
				return
			}
			r := l.search(ctx, jobs[i])
			if ctx.Err() != nil { // perhaps cut short
				return
			}
			r.Index = i
			k := &kept[worker]
			k.results = append(k.results, r)
			if now := time.Now(); now.Sub(begin)-k.since >= handOver {
				results <- k.results
				*k = pending{since: now.Sub(begin)}
			}
		})
		for _, k := range kept {
			if len(k.results) > 0 {
				results <- k.results
			}
		}
	}()
}

// search does one job on an idle searcher. A searcher that panicked may be in
// any state: a new one takes its place.
func (l *Local[P]) search(ctx context.Context, job Job[P]) (r Result) {
	s := <-l.idle
	defer func() {
		if p := recover(); p != nil {
			what := oneline.Short(fmt.Sprint(p))
			r = Result{Err: fmt.Errorf("position %v: the search panicked: %s", job.Position, what)}
			s = l.make()
		}
		l.idle <- s
	}()
	s.Clear()
	r.Search = s.Search(ctx, job.Position, nil, job.Limits, search.Query{AllMoves: job.AllMoves})
	if l.check != nil {
		r.Err = l.check()
	}
	return r
}
