package dropout

import (
	"context"
	"errors"
	"math/rand/v2"

	"kroo/engine/search"
	"kroo/farm"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// fakePool answers at once, with captures plus a number drawn from the
// position. It answers in an order of its own.
type fakePool struct {
	order    *rand.Rand // nil: as asked
	searches int        // answered so far
	stop     int        // fail after this many answers in total, unless 0
	seen     map[int64]bool
	change   func(*farm.Result) // spoils results
	noise    int                // spread of the drawn number, in centi-seeds
}

var errStop = errors.New("stopped by the test")

func newFakePool(seed uint64) *fakePool {
	return &fakePool{order: rand.New(rand.NewPCG(seed, 0)), seen: map[int64]bool{}, noise: 300}
}

func (f *fakePool) Workers() int { return 1 }
func (f *fakePool) Close() error { return nil }

func (f *fakePool) Run(ctx context.Context, jobs []farm.Job[oware.Position], done func(farm.Result) error) error {
	at := make([]int, len(jobs))
	for i := range at {
		at[i] = i
	}
	if f.order != nil {
		f.order.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	}
	for _, i := range at {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.stop > 0 && f.searches == f.stop {
			return errStop
		}
		f.searches++
		f.seen[jobs[i].Position.BookKey()] = true
		r := farm.Result{Index: i, Search: f.search(jobs[i].Position)}
		if f.change != nil {
			f.change(&r)
		}
		if err := done(r); err != nil {
			return err
		}
	}
	return nil
}

func (f *fakePool) search(p oware.Position) search.Result {
	r := search.Result{Depth: 3, Nodes: 10, Score: 100 * (p.Store() - p.OpponentStore())}
	draw := int(p.Key()>>8&0xffff) + int(p.ToMove()) // the two sides' books differ
	r.Score += draw%(2*f.noise+1) - f.noise
	if p.Store() >= 23 && draw%5 == 0 {
		r.Score, r.Proven = search.Win-1-draw%9, true
	}
	if p.OpponentStore() >= 23 && draw%5 == 1 {
		r.Score, r.Proven = -search.Win+2+draw%9, true
	}
	return r
}

// capturesSearcher makes a small searcher that counts captures.
func capturesSearcher() *search.Searcher[oware.Position] {
	return search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
}
