package dropout

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// fakePool answers with captures plus a number drawn from the position. With
// delays its workers take random times, so that answers come in any order.
type fakePool struct {
	workers int
	delay   time.Duration // the longest
	stop    int           // fail after this many answers in total, unless 0
	change  func(*engine.Answer) error
	noise   int // spread of the drawn number, in centi-seeds

	mutex    sync.Mutex
	order    *rand.Rand
	searches int // answered so far
	seen     map[int64]bool
}

var errStop = errors.New("stopped by the test")

func newFakePool(seed uint64) *fakePool {
	return &fakePool{workers: 1, order: rand.New(rand.NewPCG(seed, 0)), seen: map[int64]bool{}, noise: 300}
}

func (f *fakePool) Search(ctx context.Context, feed engine.Feed[oware.Position], done func(engine.Job[oware.Position], engine.Answer) error) error {
	return parallel.Collect(ctx, f.workers, feed, func(ctx context.Context, _ int, j engine.Job[oware.Position]) (engine.Answer, error) {
		if f.delay > 0 {
			f.mutex.Lock()
			pause := time.Duration(f.order.Int64N(int64(f.delay)))
			f.mutex.Unlock()
			time.Sleep(pause)
		}
		if err := ctx.Err(); err != nil {
			return engine.Answer{}, err
		}
		return f.answer(j.Position)
	}, done)
}

func (f *fakePool) answer(p oware.Position) (r engine.Answer, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.stop > 0 && f.searches >= f.stop {
		return r, errStop
	}
	f.searches++
	f.seen[p.BookKey()] = true
	r = f.search(p)
	if f.change != nil {
		err = f.change(&r)
	}
	return r, err
}

func (f *fakePool) search(p oware.Position) engine.Answer {
	r := engine.Answer{Depth: 3, Nodes: 10, Score: 100 * (p.Store() - p.OpponentStore())}
	draw := int(p.Key()>>8&0xffff) + int(p.ToMove()) // the two sides' books differ
	r.Score += draw%(2*f.noise+1) - f.noise
	if p.Store() >= 23 && draw%5 == 0 {
		r.Score, r.Proven = search.Win-1-draw%9, true
	}
	if p.OpponentStore() >= 23 && draw%5 == 1 {
		r.Score, r.Proven = -search.Win+2+draw%9, true
	}
	r.Steady = r.Score
	return r
}

// fakeTables have bounds for positions with few seeds.
type fakeTables struct{}

func (fakeTables) Final(p oware.Position) (low, high int, ok bool) {
	if p.SeedsInPlay() > 12 {
		return 0, 0, false
	}
	diff := p.Store() - p.OpponentStore()
	draw := int(p.Key() >> 20 % 5)
	return diff - draw, diff + draw, true
}

// capturesPool makes a pool of small searchers that count captures.
func capturesPool(t *testing.T, workers int) *engine.Searchers[oware.Position] {
	t.Helper()
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: engine.NoTables}}, "abapa"))(t)
	return testkit.Must(e.Searchers(workers))(t)
}
