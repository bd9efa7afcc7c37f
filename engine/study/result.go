package study

import (
	"context"
	"slices"

	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// Result is the result of a study: its document has a table, a chart, and notes on how to read them.
type Result interface{ Doc() *doc.Doc }

// docOf returns the document of a result. Notes explain the table and cite the published figures.
func docOf(result Result, t *doc.Table, c report.Chart, notes ...string) *doc.Doc {
	notes = slices.DeleteFunc(notes, func(s string) bool { return s == "" })
	return &doc.Doc{Title: c.Title, Value: result, Sections: []doc.Section{{Text: notes, Table: t, Figures: []doc.Drawing{c}}}}
}

// forEach calls f for 0 to n-1 from several workers (0 means one per processor), and stops at the
// first error or when the context is done.
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
