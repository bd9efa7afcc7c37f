package farm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

var _ Pool = (*Local)(nil)

// searcher is what a worker needs of [search.Searcher].
type searcher interface {
	Search(ctx context.Context, root oware.Position, history []oware.Position, lim search.Limits, q search.Query) search.Result
	Clear()
}

// Local is the pool of goroutines. Each search has a searcher, and so a hash
// table, to itself, emptied before the job: what a job answers depends on the
// job, the evaluation and the options alone, unless it is limited by time.
//
// Several goroutines may call Run at a time; their jobs share the searchers.
type Local struct {
	make   func() searcher
	idle   chan searcher // as many as there are workers
	closed atomic.Bool
}

// NewLocal makes a pool of that many workers, or of [runtime.GOMAXPROCS] if
// workers is not positive. They share what k holds. Each has a hash table of its
// own of the size that the options give: the table's size is part of the
// question, the number of workers is not.
func NewLocal(k search.Knowledge[oware.Position], opts search.Options, workers int) *Local {
	return newLocal(func() searcher { return search.NewSearcher(k, opts) }, workers)
}

func newLocal(newSearcher func() searcher, workers int) *Local {
	workers = parallel.Workers(workers)
	l := &Local{make: newSearcher, idle: make(chan searcher, workers)}
	for range workers {
		l.idle <- newSearcher()
	}
	return l
}

// Workers is how many jobs are searched at a time.
func (l *Local) Workers() int { return cap(l.idle) }

// Close lets go of the hash tables. Closing twice does no harm.
func (l *Local) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	for range cap(l.idle) {
		<-l.idle
	}
	return nil
}

// Run is as [Pool] says. It calls done in the goroutine of its caller, and a
// worker whose result done has not taken yet starts no other job. A search
// that panics, and a position that is none, become the Err of their result.
func (l *Local) Run(ctx context.Context, jobs []Job, done func(Result) error) error {
	if l.closed.Load() {
		return errors.New("farm: the pool is closed")
	}
	return parallel.Collect(ctx, l.Workers(), len(jobs), func(ctx context.Context, _, i int) (Result, error) {
		r := l.search(ctx, jobs[i])
		r.Index = i
		return r, ctx.Err() // if done, the search was perhaps cut short
	}, func(_ int, r Result) error { return done(r) })
}

// search does one job on an idle searcher. A searcher that panicked may be in
// any state: a new one takes its place.
func (l *Local) search(ctx context.Context, job Job) (r Result) {
	if own, opp := job.Position.SideSeeds(); own+opp != job.Position.SeedsInPlay() {
		r.Err = fmt.Errorf("farm: not a position: %d seeds in its houses, expected %d", own+opp, job.Position.SeedsInPlay())
		return r
	}
	s := <-l.idle
	defer func() {
		if p := recover(); p != nil {
			what := strings.Join(strings.Fields(fmt.Sprint(p)), " ") // one line
			r = Result{Err: fmt.Errorf("farm: position %s: the search panicked: %s", job.Position, what)}
			s = l.make()
		}
		l.idle <- s
	}()
	s.Clear()
	r.Search = s.Search(ctx, job.Position, nil, job.Limits, search.Query{AllMoves: job.AllMoves})
	return r
}
