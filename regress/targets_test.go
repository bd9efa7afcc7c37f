//go:build unix

package regress

import (
	"context"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"kroo/datasets"
	"kroo/features/oware"
	rules "kroo/games/oware"
	"kroo/internal/testkit"
)

// Benchmarks of fits of the sizes that the solvers are designed for:
//
//	go test ./regress -run - -bench Target -benchtime 1x -timeout 2h
//
// cpu-s is user and system time of a fit, peak-MiB the peak size of the process so far: run one at
// a time to compare. The limits below are for a quiet machine with two cores.

const (
	smallSet = "store+phase+storephase+houses+pairs+triples" // 16 686 columns
	largeSet = smallSet + "+quads+sixes"                     // 1.7 million
)

// usage returns the process's CPU time in seconds and its peak size in MiB.
func usage(b *testing.B) (seconds, peak float64) {
	b.Helper()
	var r syscall.Rusage
	testkit.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	unit := 1.0 / 1024 // Maxrss is in KiB, on some systems in bytes
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit /= 1024
	}
	time := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return time(r.Utime) + time(r.Stime), float64(r.Maxrss) * unit
}

// reportFits measures fits.
func reportFits(b *testing.B, fit func()) {
	runtime.GC()
	before, _ := usage(b)
	for b.Loop() {
		fit()
	}
	after, peak := usage(b)
	b.ReportMetric((after-before)/float64(b.N), "cpu-s")
	b.ReportMetric(peak, "peak-MiB")
}

// uniformLabels are random positions with synthetic labels: a function of the houses plus noise.
func uniformLabels(n int) iter.Seq2[labelRow, error] {
	return func(yield func(labelRow, error) bool) {
		rng := rand.New(rand.NewPCG(7, 8))
		thesis, _ := oware.Named("thesis4")
		for range n {
			p, err := rules.Descriptor().Random(rng, "abapa")
			label := max(-maxPoints, min(thesis.Exact(p)/2+100*rng.NormFloat64(), maxPoints))
			if !yield(labelRow{Position: p, Label: label, Depth: 1}, err) {
				return
			}
		}
	}
}

func benchmarkPatterns(b *testing.B, rows int, c PatternConfig) {
	labels := filepath.Join(b.TempDir(), "labels.parquet")
	testkit.NoError(b, datasets.Write(rules.Descriptor(), labels, datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", Limits: "nodes 1", Engine: "bench-1"}, uniformLabels(rows)))
	req := Request{PatternConfig: c, Rows: []string{labels}, Out: filepath.Join(b.TempDir(), "w.weights")}
	var s Summary
	reportFits(b, func() {
		var err error
		if s, err = fitLabels(context.Background(), oware.PatternSets, req, nil); err != nil {
			b.Fatal(err)
		}
	})
	b.ReportMetric(float64(s.Weights), "weights")
	b.ReportMetric(float64(s.SolverSteps), "steps")
}

// A million rows of 230 columns by their Gram matrix: at most 10 s and 2 GiB.
func BenchmarkTargetDense(b *testing.B) {
	weights := make([]float64, 230)
	for i := range weights {
		weights[i] = float64(i%7) - 3
	}
	d := simulate(rand.New(rand.NewPCG(14, 1)), 1_000_000, weights, 100)
	reportFits(b, func() {
		if _, err := leastSquares(d.X, d.Y, options{}); err != nil {
			b.Fatal(err)
		}
	})
}

// A million rows, some 15 000 weights, from file to file: at most 15 s.
func BenchmarkTargetSmallSet(b *testing.B) {
	benchmarkPatterns(b, 1_000_000, PatternConfig{Set: smallSet, Ridge: 2})
}

// Two million rows, two million columns, in winning chances: at most 5 min.
func BenchmarkTargetLargeSet(b *testing.B) {
	benchmarkPatterns(b, 2_000_000, PatternConfig{Set: largeSet, Ridge: 10, Loss: "chances"})
}
