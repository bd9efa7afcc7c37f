package memory

import (
	"runtime"
	"testing"
)

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
