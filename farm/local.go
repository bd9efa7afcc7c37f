package farm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kroo/engine/search"
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
	closed atomic.Bool
}

// NewLocal makes a pool of so many workers, or of [runtime.GOMAXPROCS] if
// workers is not positive. Each has a searcher of its own, and so a hash table:
// the table's size is part of the question, the number of workers is not. For an
// engine, newSearcher is its NewSearcher; close the pool before the engine.
func NewLocal[P search.Position[P]](newSearcher func() *search.Searcher[P], workers int) *Local[P] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	l := &Local[P]{make: func() searcher[P] { return newSearcher() }, idle: make(chan searcher[P], workers)}
	for range workers {
		l.idle <- l.make()
	}
	return l
}

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
		return errors.New("farm: the pool is closed")
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

// start sets the workers to the jobs; the last one to finish closes results.
func (l *Local[P]) start(ctx context.Context, jobs []Job[P], results chan<- []Result) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(l.Workers(), len(jobs)) {
		workers.Go(func() {
			var some []Result
			last := time.Now()
			for i := next.Add(1) - 1; i < int64(len(jobs)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				r := l.search(ctx, jobs[i])
				if ctx.Err() != nil { // perhaps cut short
					break
				}
				r.Index = int(i)
				some = append(some, r)
				if time.Since(last) >= handOver {
					results <- some
					some, last = nil, time.Now()
				}
			}
			if len(some) > 0 {
				results <- some
			}
		})
	}
	go func() {
		workers.Wait()
		close(results)
	}()
}

// search does one job on an idle searcher. A searcher that panicked may be in
// any state: a new one takes its place.
func (l *Local[P]) search(ctx context.Context, job Job[P]) (r Result) {
	s := <-l.idle
	defer func() {
		if p := recover(); p != nil {
			what := strings.Join(strings.Fields(fmt.Sprint(p)), " ") // one line
			r = Result{Err: fmt.Errorf("farm: position %v: the search panicked: %s", job.Position, what)}
			s = l.make()
		}
		l.idle <- s
	}()
	s.Clear()
	r.Search = s.Search(ctx, job.Position, nil, job.Limits, search.Query{AllMoves: job.AllMoves})
	return r
}
