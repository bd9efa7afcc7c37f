package sparse

import (
	"sync"

	"kroo/internal/parallel"
)

// segment is the length of the pieces into which vectors are cut, so that a
// sum over a vector has the same rounding whatever the number of workers.
const segment = 1 << 13

// sum adds what f returns for the pieces [lo, hi) of n elements, in order.
func sum(workers, n int, f func(lo, hi int) float64) float64 {
	pieces := (n + segment - 1) / segment
	parts := make([]float64, pieces)
	parallel.For(workers, pieces, func(_, i int) { parts[i] = f(i*segment, min(n, (i+1)*segment)) })
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

// one counts a piece, and reports it. Calls of report do not overlap.
func (p *progress) one() {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.report(p.done, p.total)
}
