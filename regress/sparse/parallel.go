package sparse

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// workerCount is the number of goroutines that an option asks for.
func workerCount(option int) int {
	if option > 0 {
		return option
	}
	return runtime.GOMAXPROCS(0)
}

// each calls f(worker, i) for every i below n, on that many workers, until one
// fails or the context ends. Of several errors that of the least i is returned.
func each(ctx context.Context, workers, n int, f func(worker, i int) error) error {
	var (
		next   atomic.Int64
		failed atomic.Bool
		mu     sync.Mutex
		first  error
		at     = n
		wait   sync.WaitGroup
	)
	for w := range min(workers, n) {
		wait.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := f(w, i); err != nil {
					failed.Store(true)
					mu.Lock()
					if i < at {
						first, at = err, i
					}
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	if first != nil {
		return first
	}
	return ctx.Err()
}

// segment is the length of the pieces into which vectors are cut, so that a
// sum over a vector has the same rounding whatever the number of workers.
const segment = 1 << 13

// sum adds what f returns for the pieces [lo, hi) of n elements, in order.
func sum(workers, n int, f func(lo, hi int) float64) float64 {
	pieces := (n + segment - 1) / segment
	parts := make([]float64, pieces)
	_ = each(context.Background(), workers, pieces, func(_, i int) error {
		parts[i] = f(i*segment, min(n, (i+1)*segment))
		return nil
	})
	total := 0.0
	for _, p := range parts {
		total += p
	}
	return total
}

// progress counts finished pieces of work for a caller who wants to know.
type progress struct {
	report func(done, total int64) // may be nil
	total  int64
	mu     sync.Mutex
	done   int64
}

// one counts a piece; the caller hears of one at a time, in order.
func (p *progress) one() {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.report(p.done, p.total)
}
