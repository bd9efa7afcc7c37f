package wal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// Whichever call fails, earlier records survive, the next record is whole or absent, and the log
// accepts more.
func TestFaultsLoseNoRecord(t *testing.T) {
	name := func(dir string) string { return filepath.Join(dir, "a.log") }
	add := func(dir, record string) error {
		l, err := Open(name(dir), []byte("head"), nil, nil)
		if err != nil {
			return err
		}
		return errors.Join(l.Append([]byte(record)), l.Close())
	}
	for _, had := range [][]string{nil, {"first", "second"}} {
		faults.Each(t,
			func(dir string) {
				for _, record := range had {
					testkit.NoError(t, add(dir, record))
				}
			},
			func(dir string) error { return add(dir, "third") },
			func(dir, _ string, failed error) {
				want := slices.Concat(had, []string{"third"})
				if err := add(dir, "fourth"); err != nil {
					t.Error(err)
				}
				_, got, torn, err := reopen(name(dir))
				whole := slices.Equal(got, append(want, "fourth"))
				if !whole && (failed == nil || !slices.Equal(got, slices.Concat(had, []string{"fourth"}))) || torn > 0 || err != nil {
					t.Errorf("%q, %d torn, %v", got, torn, err)
				}
			})
	}
}

// Whichever call of a salvage fails, the damaged log or a copy of it is intact, and the next
// salvage works.
func TestFaultsOfSalvageLoseNothing(t *testing.T) {
	file, ends := build("head", "first", "second", "third")
	file[ends[1]+headSize] ^= 1
	name := func(dir string) string { return filepath.Join(dir, "a.log") }
	faults.Each(t,
		func(dir string) { testkit.Write(t, name(dir), file) },
		func(dir string) error { _, err := Salvage(name(dir)); return err },
		func(dir, _ string, _ error) {
			there, _ := os.ReadFile(name(dir))
			saved, _ := os.ReadFile(name(dir) + DamagedSuffix)
			if string(there) != string(file) && string(saved) != string(file) {
				t.Error("the damaged log is lost")
			}
			if _, err := Salvage(name(dir)); err != nil {
				t.Error(err)
			}
			if _, got, _, err := reopen(name(dir)); err != nil || !slices.Equal(got, []string{"first"}) {
				t.Errorf("%q, %v", got, err)
			}
		})
}
