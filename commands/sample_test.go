package commands

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"kroo/internal/testenv"
)

// long reports whether KROO_LONG is set.
var long = testenv.Long

// seed returns KROO_SEED, or else 1, or a new seed with KROO_LONG.
var seed = sync.OnceValues(func() (uint64, error) {
	switch text := os.Getenv("KROO_SEED"); {
	case text != "":
		return strconv.ParseUint(text, 10, 64)
	case long():
		return uint64(time.Now().UnixNano()), nil
	}
	return 1, nil
})

// drawn returns the random source of a test by its name, and logs the seed.
func drawn(t *testing.T, name string) *rand.Rand {
	t.Helper()
	s, err := seed()
	if err != nil {
		t.Fatalf("KROO_SEED: %v", err)
	}
	t.Logf("KROO_SEED=%d repeats this", s)
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(s, h.Sum64()))
}

// sample draws some of the numbers below n, in order: few, or many with KROO_LONG.
func sample(t *testing.T, name string, n, few, many int) []int {
	t.Helper()
	if long() {
		few = many
	}
	numbers := drawn(t, name).Perm(n)[:min(few, n)]
	slices.Sort(numbers)
	return numbers
}
