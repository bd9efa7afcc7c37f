package datasets

import (
	"iter"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

// BenchmarkScan reads labels: rows per second, by format.
func BenchmarkScan(b *testing.B) {
	benchmarkRows(b, 1<<16, func(path string) iter.Seq2[tableRow, error] { return scanned(b.Context(), path, "") })
}

// BenchmarkWrite writes labels: rows per second.
func BenchmarkWrite(b *testing.B) {
	const n = 1 << 16
	path := filepath.Join(b.TempDir(), "labels.parquet")
	for b.Loop() {
		testkit.NoError(b, Write(game, path, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, labelStream(n)))
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkForeign reads the same as another program's tables.
func BenchmarkForeign(b *testing.B) {
	benchmarkRows(b, 1<<15, func(path string) iter.Seq2[tableRow, error] {
		return foreignRows(b.Context(), path, Foreign{}, new(Rejected))
	})
}

// benchmarkRows reads rows from a file of each format.
func benchmarkRows(b *testing.B, rows int, scan func(path string) iter.Seq2[tableRow, error]) {
	labels := randomLabels(newRand(), rows)
	for _, ext := range extensions {
		b.Run(ext[1:], func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "labels"+ext)
			testkit.NoError(b, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, labels))
			total := 0
			for b.Loop() {
				for _, err := range scan(path) {
					testkit.NoError(b, err)
					total++
				}
			}
			b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
