package profile

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// all reads all records of a sorter.
func all(t *testing.T, s *sorter) (records [][]uint64) {
	for other, r := range s.all() {
		if n := len(records); other != (n == 0 || records[n-1][0] != r[0]) {
			t.Fatalf("record %d of key %d: another key than before: %v", n, r[0], other)
		}
		records = append(records, slices.Clone(r))
	}
	return records
}

// Compares with a stable sort in memory. Memory limits are such that no, some or nearly all records go to the file.
func TestSorterIsStable(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, bytes := range []int{1, 500, 1 << 14, 1 << 20} {
		for _, width := range []int{1, 2, 5} {
			rng := rand.New(rand.NewPCG(4, uint64(width)))
			file := newTempFile(t.Context())
			s := file.sorter(width, bytes)
			var want [][]uint64
			for i := range 3000 {
				r := make([]uint64, width)
				for k := range r {
					r[k] = uint64(i + k)
				}
				r[0] = rng.Uint64N(700) << rng.Uint64N(50)
				want = append(want, r)
				s.Add(r...)
			}
			slices.SortStableFunc(want, func(a, b []uint64) int { return cmp.Compare(a[0], b[0]) })
			for range 2 {
				got := all(t, s)
				if !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%d bytes in memory, records of %d words: not the order of a stable sort", bytes, width)
				}
			}
			for range s.all() {
				break // readers may stop early
			}
			testkit.NoError(t, file.Close())
		}
	}
	left, err := os.ReadDir(os.TempDir())
	testkit.NoError(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAnEndedContextEndsTheMerge(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	file := newTempFile(ctx)
	s := file.sorter(1, 1<<20)
	for i := range 3 * checkRecords {
		s.Add(uint64(i))
	}
	n := 0
	for range s.all() {
		cancel(stop)
		n++
	}
	if err := file.Close(); n > checkRecords || !errors.Is(err, stop) {
		t.Errorf("%d records, error %v: want the context's", n, err)
	}
}

// A failed file operation gives an error, never wrong records.
func TestFileErrorsAreReported(t *testing.T) {
	faults.Each(t, func(dir string) { t.Setenv("TMPDIR", dir) }, func(string) (err error) {
		file := newTempFile(context.Background())
		s := file.sorter(1, 800)
		for i := range 500 {
			s.Add(uint64(499 - i))
		}
		got := all(t, s)
		for i, r := range got {
			if r[0] != uint64(i) {
				t.Errorf("record %d is %d", i, r[0])
			}
		}
		if file.ctx.Err() == nil && len(got) != 500 {
			t.Errorf("%d records of 500, and no error", len(got))
		}
		return file.Close()
	}, func(dir, failed string, err error) {
		if failed != "" && err == nil && failed[:6] != "remove" {
			t.Error("no error")
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 && err == nil {
			t.Errorf("left behind: %v", left)
		}
	})
}
