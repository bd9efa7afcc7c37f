package checksum

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/vfs/faults"
)

// Uses the example of FIPS 180-2, appendix B.1.
func TestFileReturnsTheSHA256(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	testkit.NoError(t, os.WriteFile(path, []byte("abc"), 0o600))
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got, err := File(path); err != nil || got != want {
		t.Errorf("%s, %v: want %s", got, err, want)
	}
	if _, err := File(path + "-missing"); err == nil {
		t.Error("no error for a missing file")
	}
}

// A file is hashed again after any change, and only then.
func TestChangedFilesAreHashedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string, at time.Time) {
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		testkit.NoError(t, os.Chtimes(path, at, at))
	}
	old := time.Now().Add(-time.Hour)
	write("one", old)
	first := testkit.Must(File(path))(t)
	reads := 0
	vfs.Fail(func(call, _ string) error {
		if call == "read" {
			reads++
		}
		return nil
	})
	defer vfs.Fail(func(string, string) error { return nil })
	if again, err := File(path); err != nil || again != first || reads != 0 {
		t.Errorf("%s after %d reads, error %v: expected %s after none", again, reads, err, first)
	}
	for _, at := range []time.Time{old.Add(time.Second), time.Now(), time.Now()} {
		write("two", at)
		reads = 0
		if again, err := File(path); err != nil || again == first || reads == 0 {
			t.Errorf("a change at %v: %s after %d reads, error %v", at, again, reads, err)
		}
	}
}

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

// A passing error of the system does not change the hash of an input. Not parallel: the fault is in
// the whole process.
func TestAFailingStatChangesNoHash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, os.WriteFile(path, []byte("rows"), 0o666))
	want, err := OfInput(path)
	if err != nil || want == "" {
		t.Fatalf("%q, %v", want, err)
	}
	defer vfs.Fail(func(_, _ string) error { return nil })
	fail := func() { faults.Inject(faults.Once, 1, func(p string) bool { return p == path }) }
	fail()
	if got, err := OfInput(path); err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := OfInput("captures"); err != nil || got != "" {
		t.Errorf("the name of an evaluation has the hash %q, %v", got, err)
	}
}
