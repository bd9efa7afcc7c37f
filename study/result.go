package study

import (
	"context"

	"kroo/internal/parallel"
	"kroo/report"
)

// Result is what every study returns.
type Result interface {
	// Rows are a header and the lines below it, all of the same length.
	Rows() [][]string
	// Chart is the figure of the study.
	Chart() report.Chart
	// Note says how to read the table, and what the literature has in its place.
	Note() string
}

// note is what a result says below its table: how to read it, and what the
// literature has, if it has anything.
func note(text, published string) string {
	if published == "" {
		return text
	}
	return text + "\n" + published
}

// forEach calls f for 0 to n-1, from several workers (0 is one a processor),
// and stops at the first error or when the context is done.
func forEach(ctx context.Context, n, workers int, progress parallel.Progress, f func(i int) error) error {
	done := int64(0)
	progress.At(0, int64(n))
	return parallel.Collect(ctx, workers, parallel.Numbers(n),
		func(_ context.Context, _, i int) (struct{}, error) { return struct{}{}, f(i) },
		func(int, struct{}) error {
			done++
			progress.At(done, int64(n))
			return nil
		})
}
