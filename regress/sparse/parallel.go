package sparse

import "kroo/internal/parallel"

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
