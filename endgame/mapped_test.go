package endgame

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"kroo/games/oware"
	"kroo/internal/mapfile"
)

// A table that is cut short while it is mapped misses positions and says why.
func TestMappedTableThatIsCutShort(t *testing.T) {
	defer func(old int64) { mapfile.Small = old }(mapfile.Small)
	mapfile.Small = 0
	want := build(t, oware.Abapa, Sharp, 5)
	path := filepath.Join(t.TempDir(), "table")
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := Open(path)
	if err != nil || !got.mapped {
		t.Fatal(got, err)
	}
	defer got.Close()
	random := rand.New(rand.NewPCG(1, 1))
	p, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-1-0-0-1-0-1-0-1-22-22-S")
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		n := random.IntN(6)
		i := random.IntN(Positions(n))
		low, high, ok := got.probeMapped(n, i)
		if l, h := want.at(n, i); l != low || h != high || !ok {
			t.Fatalf("level %d, position %d: %d to %d, want %d to %d", n, i, low, high, l, h)
		}
	}
	if n := testing.AllocsPerRun(100, func() { got.Probe(p) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if err := got.Err(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := got.probeMapped(5, Positions(5)-1); ok || got.Err() == nil {
		t.Errorf("probed %v, error %v: want neither to work", ok, got.Err())
	}
}
