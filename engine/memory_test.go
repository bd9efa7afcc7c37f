package engine

import (
	"math"
	"testing"
)

func TestHashTablesOfAnySizeAreCounted(t *testing.T) {
	for _, c := range []struct {
		mb, searchers int
		want          int64
	}{
		{0, 1, defaultHashMB << 20}, {16, 4, 64 << 20}, {1, math.MaxInt, 1 << 62}, {math.MaxInt, 1, 1 << 62}, {MaxHashMB, 1 << 40, 1 << 62}, {1 << 20, 1 << 21, 1 << 61},
	} {
		if got := (Config{HashMB: c.mb}).HashBytes(c.searchers); got != c.want {
			t.Errorf("%d tables of %d MiB: %d, want %d", c.searchers, c.mb, got, c.want)
		}
	}
}
