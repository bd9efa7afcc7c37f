package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
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

// Writing to an open table is an error.
func TestATableThatChangesWhileItIsReadIsRefused(t *testing.T) {
	for _, ext := range extensions {
		table := tableOf(t, ext, randomLabels(newRand(), 2*batchRows))
		var last error
		for _, err := range table.Batches(t.Context(), Query{Columns: []string{"label"}}) {
			if last = err; err == nil {
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
