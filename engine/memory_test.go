package engine

import (
	"math"
	"testing"

	"kroo/internal/testkit"
)

func TestHashTablesOfAnySizeAreCounted(t *testing.T) {
	for _, c := range []struct {
		mb, searchers int
		want          int64
	}{
		{0, 1, defaultHashMB << 20}, {16, 4, 64 << 20}, {1, math.MaxInt, 1 << 62}, {math.MaxInt, 1, 1 << 62}, {MaxHashMB, 1 << 40, 1 << 62}, {1 << 20, 1 << 21, 1 << 61},
	} {
		testkit.Equal(t, (Config{HashMB: c.mb}).HashBytes(c.searchers), c.want, "%d tables of %d MiB", c.searchers, c.mb)
	}
}
