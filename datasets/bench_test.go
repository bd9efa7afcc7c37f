package datasets

import (
	"path/filepath"
	"testing"
)

// BenchmarkScan reads labels: rows a second, by format.
func BenchmarkScan(b *testing.B) {
	rows := randomLabels(newRand(), 1<<16)
	for _, ext := range extensions {
		b.Run(ext[1:], func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "labels"+ext)
			if err := writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, rows); err != nil {
				b.Fatal(err)
			}
			benchmarkRows(b, func() (n int, err error) {
				for _, err := range Scan[labelRow](game, path) {
					if err != nil {
						return n, err
					}
					n++
				}
				return n, nil
			})
		})
	}
}

// BenchmarkForeign reads the same as tables of another program.
func BenchmarkForeign(b *testing.B) {
	rows := randomLabels(newRand(), 1<<15)
	for _, ext := range extensions {
		b.Run(ext[1:], func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "labels"+ext)
			if err := writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, rows); err != nil {
				b.Fatal(err)
			}
			benchmarkRows(b, func() (n int, err error) {
				for _, err := range ScanForeign[labelRow](game, path, Foreign{}, new(Strays)) {
					if err != nil {
						return n, err
					}
					n++
				}
				return n, nil
			})
		})
	}
}

func benchmarkRows(b *testing.B, read func() (int, error)) {
	total := 0
	for b.Loop() {
		n, err := read()
		if err != nil {
			b.Fatal(err)
		}
		total += n
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "rows/s")
}
