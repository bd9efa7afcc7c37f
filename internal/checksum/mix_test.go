package checksum

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"kroo/internal/testkit"
)

// The generator's first numbers after the seed 1234567, as published with its reference
// implementation: the state grows by the constant that Mix adds.
func TestMixAgreesWithSplitmix64(t *testing.T) {
	state := uint64(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		testkit.Equal(t, Mix(state), want, "Mix")
		state += 0x9e37_79b9_7f4a_7c15
	}
}

func TestMixChangesHalfOfTheBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	changed, n := 0, 20_000
	for range n {
		h := rng.Uint64()
		changed += bits.OnesCount64(Mix(h) ^ Mix(h^1<<rng.IntN(64)))
	}
	if mean := float64(changed) / float64(n); mean < 31.8 || mean > 32.2 {
		t.Errorf("%.2f bits change on average: want 32", mean)
	}
}
