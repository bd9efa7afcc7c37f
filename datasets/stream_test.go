package datasets

import (
	"context"
	"errors"
	"flag"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"kroo/internal/testkit"
)

var streamRows = flag.Int("rows", chunkRows+100, "rows of TestStreamingUsesBoundedMemory: try 10000000")

// labelStream yields n random labels.
func labelStream(n int) iter.Seq2[tableRow, error] {
	return func(yield func(tableRow, error) bool) {
		rng := rand.New(rand.NewPCG(3, 4))
		for range n {
			if !yield(randomLabels(rng, 1)[0], nil) {
				return
			}
		}
	}
}

// heap returns the memory in use after a collection, in MiB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// With any number of rows, at most two chunks of up to 20 MiB are in memory.
func TestStreamingUsesBoundedMemory(t *testing.T) {
	const most = 150 // MiB
	before, peak := heap(), 0.0
	path := filepath.Join(t.TempDir(), "labels.parquet")
	n := 0
	watched := func(yield func(tableRow, error) bool) {
		for r, err := range labelStream(*streamRows) {
			if n++; n%(1<<18) == 0 || n == *streamRows {
				peak = max(peak, heap()-before)
			}
			if !yield(r, err) {
				return
			}
		}
	}
	testkit.NoError(t, Write(game, path, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, watched))
	next, stop := iter.Pull2(labelStream(*streamRows))
	defer stop()
	rows := 0
	for got, err := range scanned(t.Context(), path, "") {
		want, _, _ := next()
		if err != nil || got.Position != want.Position || got.Game != want.Game || got.Score != want.Score || got.Label != want.Label || got.Nodes != want.Nodes {
			t.Fatalf("row %d is %+v: want %+v; error %v", rows, got, want, err)
		}
		if rows++; rows%chunkRows == 1 {
			peak = max(peak, heap()-before)
		}
	}
	if rows != *streamRows {
		t.Errorf("%d rows of %d", rows, *streamRows)
	}
	t.Logf("%d rows: at most %.0f MiB", rows, peak)
	if peak > most {
		t.Errorf("%.0f MiB in use: want at most %d", peak, most)
	}
}

func TestErrorOfARowEndsTheWrite(t *testing.T) {
	path, old := labelsFile(t, ".parquet")
	broken := errors.New("the source broke")
	err := Write(game, path, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, func(yield func(tableRow, error) bool) {
		for _, r := range randomLabels(newRand(), 5) {
			if !yield(r, nil) {
				t.Error("stopped before the error")
			}
		}
		if yield(tableRow{}, broken) {
			t.Error("went on after the error")
		}
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v: want %v in it", err, broken)
	}
	if _, rows, err := Read(game, path, Labels); err != nil || len(rows) != 30 || len(old) == 0 {
		t.Errorf("the table before is gone: %d rows, %v", len(rows), err)
	}
}

// A reader that stops early gets no more rows and no error.
func TestScanStopsWithItsReader(t *testing.T) {
	path, _ := labelsFile(t, ".parquet")
	rows := 0
	for _, err := range scanned(t.Context(), path, "") {
		testkit.NoError(t, err)
		if rows++; rows == 3 {
			break
		}
	}
	if rows != 3 {
		t.Errorf("%d rows: want 3", rows)
	}
}

// Every reader of a table stops soon after its context ends, both before the first row and later.
func TestCancellingTheContextEndsReading(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ext := range extensions {
		path, lone := filepath.Join(t.TempDir(), "t"+ext), filepath.Join(t.TempDir(), "lone"+ext)
		testkit.NoError(t, writeLabels(path, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, randomLabels(newRand(), 2*chunkRows)))
		testkit.Write(t, lone, testkit.Read(t, path))
		out := filepath.Join(t.TempDir(), "out.csv")
		for name, read := range map[string]func(ctx context.Context) error{
			"GameOf":  func(ctx context.Context) error { _, err := GameOf(ctx, lone); return err },
			"Adopt":   func(ctx context.Context) error { _, _, err := Adopt(ctx, game, lone, out, "", Foreign{}); return err },
			"Convert": func(ctx context.Context) error { _, err := Convert(ctx, game.Info, path, out, "", nil); return err },
			"Join": func(ctx context.Context) error {
				_, _, err := Join(ctx, game, path, lone, out, "", Foreign{Columns: []string{"depth"}})
				return err
			},
		} {
			if err := read(over); !errors.Is(err, context.Canceled) {
				t.Errorf("%s of %s: error %v, expected %v", name, ext, err, context.Canceled)
			}
		}
		for name, rows := range map[string]func(ctx context.Context) iter.Seq2[tableRow, error]{
			"Scan": func(ctx context.Context) iter.Seq2[tableRow, error] { return scanned(ctx, path, "") },
			"ForeignTable": func(ctx context.Context) iter.Seq2[tableRow, error] {
				return foreignRows(ctx, lone, Foreign{}, new(Rejected))
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			read, last := 0, error(nil)
			for _, err := range rows(ctx) {
				cancel()
				read, last = read+1, err
			}
			cancel()
			if !errors.Is(last, context.Canceled) || read >= 2*chunkRows {
				t.Errorf("%s of %s: %d rows, then error %v", name, ext, read, last)
			}
		}
	}
}

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
