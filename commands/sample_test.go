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

// long reports whether this is the long proof.
var long = testenv.Long

// seed is KROO_SEED, or else 1 in a day's tests and a new one in the long proof.
var seed = sync.OnceValues(func() (uint64, error) {
	switch text := os.Getenv("KROO_SEED"); {
	case text != "":
		return strconv.ParseUint(text, 10, 64)
	case long():
		return uint64(time.Now().UnixNano()), nil
	}
	return 1, nil
})

// drawn is the random source of a proof by its name; the log has its seed.
func drawn(t *testing.T, name string) *rand.Rand {
	t.Helper()
	s, err := seed()
	if err != nil {
		t.Fatalf("KROO_SEED: %v", err)
	}
	t.Logf("KROO_SEED=%d draws the same", s)
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(s, h.Sum64()))
}

// sample draws few of the numbers below n, in order; in the long proof, many, or all if
// there are no more.
func sample(t *testing.T, name string, n, few, many int) []int {
	t.Helper()
	if long() {
		few = many
	}
	numbers := drawn(t, name).Perm(n)[:min(few, n)]
	slices.Sort(numbers)
	return numbers
}
