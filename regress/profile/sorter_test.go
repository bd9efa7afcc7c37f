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
func all(s *sorter) (records [][]uint64) {
	for r := range s.all(context.Background()) {
		records = append(records, slices.Clone(r))
	}
	return records
}

// Compares with a stable sort in memory. Memory limits are such that no, some or nearly all records
// go to the file.
func TestSorterIsStable(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, bytes := range []int{1, 500, 1 << 14, 1 << 20} {
		for _, width := range []int{1, 2, 5} {
			rng := rand.New(rand.NewPCG(4, uint64(width)))
			s := newSorter(width, bytes)
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
				got := all(s)
				if !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%d bytes in memory, records of %d words: not the order of a stable sort", bytes, width)
				}
			}
			for range s.all(context.Background()) {
				break // readers may stop early
			}
			testkit.NoError(t, s.Close())
		}
	}
	left, err := os.ReadDir(os.TempDir())
	if testkit.NoError(t, err); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAnEndedContextEndsTheMerge(t *testing.T) {
	s := newSorter(1, 1<<20)
	for i := range 3 * checkRecords {
		s.Add(uint64(i))
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	n := 0
	for range s.all(ctx) {
		n++
	}
	if err := s.Close(); n > checkRecords || !errors.Is(err, stop) {
		t.Errorf("%d records, error %v: want the context's", n, err)
	}
}

// A failed file operation gives an error, never wrong records.
func TestFileErrorsAreReported(t *testing.T) {
	faults.Each(t, func(dir string) { t.Setenv("TMPDIR", dir) }, func(string) (err error) {
		s := newSorter(1, 800)
		for i := range 500 {
			s.Add(uint64(499 - i))
		}
		got := all(s)
		for i, r := range got {
			if r[0] != uint64(i) {
				t.Errorf("record %d is %d", i, r[0])
			}
		}
		if s.err == nil && len(got) != 500 {
			t.Errorf("%d records of 500, and no error", len(got))
		}
		return s.Close()
	}, func(dir, failed string, err error) {
		if failed != "" && err == nil && failed[:6] != "remove" {
			t.Error("no error")
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 && err == nil {
			t.Errorf("left behind: %v", left)
		}
	})
}
