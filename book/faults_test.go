package book

import (
	"path/filepath"
	"slices"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// Whichever call fails, the old book or the new one is there, and the next write works.
func TestAFaultLeavesTheOldBookOrTheNewOne(t *testing.T) {
	older, newer := randomEntries(3, 1), randomEntries(5, 2)
	name := func(dir string) string { return filepath.Join(dir, "book.bin") }
	write := func(dir string, entries []Entry) error { return Write(name(dir), Header{}, entries) }
	read := func(dir string) []Entry { return all(open(t, name(dir))) }
	faults.Each(t,
		func(dir string) {
			testkit.NoError(t, write(dir, older))
		},
		func(dir string) error { return write(dir, newer) },
		func(dir, _ string, failed error) {
			if got := read(dir); !slices.Equal(got, newer) && (failed == nil || !slices.Equal(got, older)) {
				t.Errorf("the book has %d entries", len(got))
			}
			if err := write(dir, newer); err != nil || !slices.Equal(read(dir), newer) {
				t.Errorf("the next write: %v", err)
			}
		})
}
