package endgame

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kroo/games/oware"
	"kroo/internal/mapfile"
	"kroo/internal/testkit"
)

// Probes of a mapped table whose file is truncated find nothing, and Err reports why.
func TestTruncatedMappedTable(t *testing.T) {
	defer func(old int64) { mapfile.Small = old }(mapfile.Small)
	mapfile.Small = 0
	want := build(t, oware.Abapa, Sharp, 5)
	path := filepath.Join(t.TempDir(), "table")
	testkit.NoError(t, want.Write(path))
	got, err := Open(path)
	if err != nil || !got.mapped {
		t.Fatal(got, err)
	}
	defer got.Close()
	random := rand.New(rand.NewPCG(1, 1))
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-1-0-0-1-0-1-0-1-22-22-S"))(t)
	for range 100 {
		n := random.IntN(6)
		i := random.IntN(Positions(n))
		low, high, ok := got.probeMapped(n, i)
		if l, h := want.at(n, i); l != low || h != high || !ok {
			t.Fatalf("level %d, position %d: %d to %d, want %d to %d", n, i, low, high, l, h)
		}
	}
	testkit.Equal(t, testing.AllocsPerRun(100, func() { got.Probe(p) }), 0, "testing.AllocsPerRun")
	testkit.NoError(t, got.Err())
	testkit.NoError(t, os.Truncate(path, 1))
	if _, _, ok := got.probeMapped(5, Positions(5)-1); ok || got.Err() == nil {
		t.Errorf("truncated: Probe found a value: %v, error: %v", ok, got.Err())
	}
}

// Functions that read all or much of a table fail if the file was truncated or modified
// after opening.
func TestReadingAModifiedMappedTable(t *testing.T) {
	defer func(old int64) { mapfile.Small = old }(mapfile.Small)
	mapfile.Small = 0
	p := PositionAt(oware.Abapa, 5, 100)
	readings := map[string]func(*Table) error{
		"Verify": func(tab *Table) error { return tab.Verify(t.Context(), nil) },
		"Stats":  func(tab *Table) error { _, err := tab.Stats(context.Background(), nil); return err },
		"Query":  func(tab *Table) error { _, err := tab.Query(p); return err },
	}
	damages := map[string]func(path string) error{
		"truncated": func(path string) error { return os.Truncate(path, 1) },
		"filled with zeros": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return errors.Join(os.WriteFile(path, make([]byte, info.Size()), 0o644), os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)))
		},
	}
	want := build(t, oware.Abapa, Sharp, 5)
	for _, damage := range damages {
		for name, reading := range readings {
			path := filepath.Join(t.TempDir(), "table")
			testkit.NoError(t, want.Write(path))
			tab := testkit.Must(Open(path))(t)
			defer tab.Close()
			if err := reading(tab); err != nil {
				t.Errorf("%s of an intact table: %v", name, err)
			}
			testkit.NoError(t, damage(path))
			testkit.Refused(t, reading(tab), path+" changed while it was in use")
		}
	}
}
