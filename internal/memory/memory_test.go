package memory

import (
	"math"
	"runtime"
	"testing"

	"kroo/internal/testkit"
)

func TestCheckRefusesWhatDoesNotFit(t *testing.T) {
	defer func(old []func() (int64, bool)) { sources = old }(sources)
	sources = []func() (int64, bool){
		func() (int64, bool) { return 300 << 20, true },
		func() (int64, bool) { return 100 << 20, true },
		func() (int64, bool) { return 0, false },
	}
	if free, known := Free(); free != 100<<20 || !known {
		t.Errorf("free: %d, %t: want the least of what is known", free, known)
	}
	if err := Check("a table", 100<<20); err != nil {
		t.Error(err)
	}
	err := Check("a table", 100<<20+1)
	if want := "a table: that takes 101 MiB of memory, and 100 MiB is free"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := CheckReusing("a table", 150<<20, 50<<20); err != nil {
		t.Error(err)
	}
	sources = nil
	if err := Check("a table", math.MaxInt64); err != nil {
		t.Errorf("%v, want nothing refused where nothing is known", err)
	}
}

// Arrays of any size can be written and read after PreferHuge.
func TestPreferHugeKeepsTheContents(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 1 << 18, 1<<20 + 7} {
		s := make([][3]uint64, n)
		for i := range s {
			s[i][i%3] = uint64(i)
		}
		PreferHuge(s)
		runtime.GC()
		for i := range s {
			if s[i][i%3] != uint64(i) {
				t.Fatalf("%d entries: entry %d is %v", n, i, s[i])
			}
		}
	}
}

// Memory is unchanged, and invalid addresses do not fault.
func TestPrefetchChangesNothing(t *testing.T) {
	words := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for i := range words {
		Prefetch(&words[i])
	}
	Prefetch[uint64](nil)
	for i, w := range words {
		testkit.Equal(t, w, uint64(i+1), "word %d", i)
	}
	testkit.Equal(t, testing.AllocsPerRun(100, func() { Prefetch(&words[0]) }), 0, "testing.AllocsPerRun")
}
