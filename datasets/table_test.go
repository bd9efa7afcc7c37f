package datasets

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

// tableOf writes labels and opens them.
func tableOf(t *testing.T, ext string, rows []tableRow) *Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "labels"+ext)
	testkit.NoError(t, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, rows))
	table, err := Open(t.Context(), game.Info, path)
	testkit.NoError(t, err)
	t.Cleanup(func() { table.Close() })
	return table
}

// The reference for batches is rows, filtered in Go.
func TestBatchesHaveTheColumnsOfTheRows(t *testing.T) {
	rows := randomLabels(newRand(), chunkRows+batchRows+7)
	for _, ext := range extensions {
		table := tableOf(t, ext, rows)
		for where, wants := range map[string]func(tableRow) bool{
			"":                             func(tableRow) bool { return true },
			"depth>=10, label<0":           func(r tableRow) bool { return r.Depth >= 10 && r.Label < 0 },
			"exact=true or bound=at_least": func(r tableRow) bool { return r.Exact || r.Bound == AtLeast },
			"phase>99":                     func(tableRow) bool { return false },
		} {
			q := Query{Columns: []string{"label", "key", "exact", "best", "depth"}, Where: where}
			next := 0
			var positions []oware.Position
			for b, err := range table.Batches(t.Context(), q) {
				testkit.NoError(t, err)
				positions, err = AppendPositions(game, "abapa", b, 1, positions[:0])
				testkit.NoError(t, err)
				for i := range b.Len() {
					for next < len(rows) && !wants(rows[next]) {
						next++
					}
					r := rows[next]
					best := ""
					if r.HasBest {
						best = game.MoveName(r.Position, r.Best)
					}
					got := []any{b.Row(i), b.Numbers(0)[i], positions[i], b.Truth(2)[i], b.Numbers(2)[i], b.Texts(3)[i], b.Numbers(4)[i], b.Whole(4)[i]}
					want := []any{int64(next), r.Label, r.Position, r.Exact, number(r.Exact), best, float64(r.Depth), int64(r.Depth)}
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%s where %q: %v, expected %v", ext, where, got, want)
					}
					next++
				}
			}
			if left := slices.IndexFunc(rows[next:], wants); left >= 0 {
				t.Errorf("%s where %q: no row after %d, expected %d", ext, where, next, next+left)
			}
		}
	}
}

// Sums of groups are merged in group order, with any number of workers.
func TestFoldsDoNotDependOnTheWorkers(t *testing.T) {
	rows := randomLabels(newRand(), 3*chunkRows+100)
	for _, ext := range extensions {
		table := tableOf(t, ext, rows)
		fold := func(workers int) (sums []string, read int64) {
			q := Query{Columns: []string{"label"}, Where: "depth>3", Progress: func(done, _ int64, _ string) { read = done }}
			err := Fold(t.Context(), table, q, workers, func() *float64 { return new(float64) },
				func(sum *float64, b *Batch) error {
					for _, v := range b.Numbers(0) {
						*sum = *sum/3 + v
					}
					return nil
				},
				func(sum *float64) error { sums = append(sums, fmt.Sprint(*sum)); return nil })
			testkit.NoError(t, err)
			return sums, read
		}
		want, read := fold(1)
		if len(want) < 2 || read != int64(len(rows)) {
			t.Errorf("%s: %d groups, %d rows read", ext, len(want), read)
		}
		for _, workers := range []int{2, 3, 8} {
			if got, _ := fold(workers); !slices.Equal(got, want) {
				t.Errorf("%s, %d workers: %v, expected %v", ext, workers, got, want)
			}
		}
	}
}

// A table is opened and hashed once, however often it is read.
func TestATableIsHashedOnce(t *testing.T) {
	rows := randomLabels(newRand(), chunkRows)
	for _, ext := range extensions {
		path := filepath.Join(t.TempDir(), "labels"+ext)
		testkit.NoError(t, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, rows))
		old := time.Now().Add(-time.Hour)
		testkit.NoError(t, os.Chtimes(path, old, old))
		var opened, read atomic.Int64
		vfs.Fail(func(call, name string) error {
			if name == path && call == "open" {
				opened.Add(1)
			}
			if name == path && call == "read" {
				read.Add(1)
			}
			return nil
		})
		defer vfs.Fail(func(string, string) error { return nil })
		_, err := FileHash(path)
		testkit.NoError(t, err)
		hash := read.Swap(0)
		table, err := Open(t.Context(), game.Info, path)
		testkit.NoError(t, err)
		defer table.Close()
		if again := read.Load(); hash == 0 || again != 0 {
			t.Errorf("%s: %d calls read it for a hash, %d when it is opened", ext, hash, again)
		}
		for range 3 {
			for _, err := range Scan(t.Context(), game, table, Query{}) {
				testkit.NoError(t, err)
			}
		}
		if opened.Load() != 2 {
			t.Errorf("%s: opened %d times", ext, opened.Load())
		}
		vfs.Fail(func(string, string) error { return nil })
	}
}

// A crash between the two renames of a commit leaves the new table with the old manifest, and the new
// manifest under its interim name. The table stays readable whatever happens to the next write.
func TestAnInterruptedCommitSurvivesTheNextWrite(t *testing.T) {
	meta := Meta{Game: "oware", Rules: "abapa"}
	works := func(string, string) error { return nil }
	broken := errors.New("broken disk")
	for _, ext := range extensions {
		path := filepath.Join(t.TempDir(), "labels"+ext)
		manifest := ManifestPath(path)
		crash := func() (table []tableRow) {
			testkit.NoError(t, writeLabels(path, meta, randomLabels(newRand(), 10)))
			old := testkit.Read(t, manifest)
			table = randomLabels(newRand(), 20)
			testkit.NoError(t, writeLabels(path, meta, table))
			testkit.NoError(t, os.Rename(manifest, manifest+nextSuffix))
			testkit.Write(t, manifest, old)
			return table
		}
		check := func(what string, want []tableRow) {
			t.Helper()
			_, got, err := Read(game, path, Labels)
			if err != nil || len(got) != len(want) {
				t.Errorf("%s, %s: %d rows, error %v: want %d rows", ext, what, len(got), err, len(want))
			}
		}
		table := crash()
		check("crash", table)

		bad := Write(game, path, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, func(yield func(tableRow, error) bool) {
			yield(tableRow{}, errors.New("bad row"))
		})
		wantError(t, bad, "bad row")
		check("a write that fails", table)

		table = crash()
		isDead := false
		vfs.Fail(func(call, name string) error {
			isDead = isDead || call == "rename" && name == path
			if isDead {
				return broken
			}
			return nil
		})
		err := writeLabels(path, meta, randomLabels(newRand(), 30))
		vfs.Fail(works)
		wantError(t, err, "broken disk")
		check("a write that is killed", table)

		crash()
		again := randomLabels(newRand(), 40)
		testkit.NoError(t, writeLabels(path, meta, again))
		check("a write", again)
		if _, err := os.Stat(manifest + nextSuffix); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the interim manifest is still there: %v", ext, err)
		}
	}
}

// Writing to an open table is an error.
func TestATableThatChangesWhileItIsReadIsRefused(t *testing.T) {
	for _, ext := range extensions {
		table := tableOf(t, ext, randomLabels(newRand(), 2*batchRows))
		var last error
		for _, err := range table.Batches(t.Context(), Query{Columns: []string{"label"}}) {
			last = err
			if err == nil {
				later := time.Now().Add(time.Minute)
				testkit.NoError(t, os.Chtimes(table.Path(), later, later))
			}
		}
		wantError(t, last, table.Path(), "it changed")
	}
}

func TestUnknownColumnsOfAQueryAreErrors(t *testing.T) {
	table := tableOf(t, ".parquet", randomLabels(newRand(), 3))
	for _, err := range table.Batches(t.Context(), Query{Columns: []string{"mood"}}) {
		wantError(t, err, table.Path(), `no column "mood"`, "label")
	}
	for _, err := range table.Batches(t.Context(), Query{Where: "mood=1"}) {
		wantError(t, err, table.Path(), `no column "mood"`)
	}
}

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
			n++
			if n%(1<<18) == 0 || n == *streamRows {
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
		rows++
		if rows%chunkRows == 1 {
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
		rows++
		if rows == 3 {
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
			"GameOf": func(ctx context.Context) error { _, err := GameOf(ctx, lone); return err },
			"Import": func(ctx context.Context) error {
				_, _, err := Import(ctx, game, lone, out, "", ImportOptions{})
				return err
			},
			"Convert": func(ctx context.Context) error {
				_, err := Convert(ctx, game.Info, Conversion{From: path, To: out})
				return err
			},
			"Join": func(ctx context.Context) error {
				_, _, err := Join(ctx, game, path, lone, out, "", ImportOptions{Columns: []string{"depth"}})
				return err
			},
		} {
			if err := read(over); !errors.Is(err, context.Canceled) {
				t.Errorf("%s of %s: error %v, expected %v", name, ext, err, context.Canceled)
			}
		}
		for name, rows := range map[string]func(ctx context.Context) iter.Seq2[tableRow, error]{
			"Scan": func(ctx context.Context) iter.Seq2[tableRow, error] { return scanned(ctx, path, "") },
			"ImportTable": func(ctx context.Context) iter.Seq2[tableRow, error] {
				return importRows(ctx, lone, ImportOptions{}, new(Rejected))
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
	labels := randomLabels(newRand(), 1<<16)
	for _, ext := range extensions {
		b.Run(ext[1:], func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "labels"+ext)
			testkit.NoError(b, writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, labels))
			for b.Loop() {
				for _, err := range scanned(b.Context(), path, "") {
					testkit.NoError(b, err)
				}
			}
			b.ReportMetric(float64(len(labels)*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
