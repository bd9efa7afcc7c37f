package book

import (
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// The lines: F f for the best moves, and the others as variations.
func TestOGNIsATreeOfVariations(t *testing.T) {
	p := oware.Start(oware.Abapa)
	child := Entry{Key: p.Play(5).BookKey(), Scores: [6]int16{-9, -5, -30, -30, -30, -31}}
	var out strings.Builder
	testkit.NoError(t, Dump(t.Context(), &out, inMemory([]Entry{child, startEntry}), oware.Abapa, ognFormat))
	const want = `[Event "opening book"]
[Round "1"]
[Rules "abapa"]

1. F {+5} (1. C {-20}) (1. B {-34}) (1. E {-35}) (1. D {-37}) (1. A {-72}) b
{-5} (1... a {-9}) (1... c {-30}) (1... d {-30}) (1... e {-30}) (1... f {-31}) *

`
	testkit.Equal(t, out.String(), want, "out.String")
}

// dumpedBooks are consistent entries of several kinds.
func dumpedBooks(t *testing.T) map[string][]Entry {
	t.Helper()
	books := map[string][]Entry{
		"tree": startTree(t, 4), "cycles": endingEntries(t, cyclic, 3)[:300], "games": randomEntries(200, 4), "none": nil,
	}
	for name, entries := range books {
		var err error
		if books[name], err = consistent(t.Context(), entries, oware.Abapa); err != nil {
			t.Fatal(err)
		}
	}
	return books
}

// The records can be read, and have every entry once.
func TestOGNHasEveryEntryOnce(t *testing.T) {
	for name, entries := range dumpedBooks(t) {
		var out strings.Builder
		testkit.NoError(t, Dump(t.Context(), &out, inMemory(entries), oware.Abapa, ognFormat))
		records, err := oware.Descriptor().ParseRecords(strings.NewReader(out.String()), name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		g := graphOf(t, entries)
		testkit.Equal(t, len(records), len(g.roots()), "%s", name)
		moves := 0
		for _, e := range entries {
			for _, s := range e.Scores {
				if s != Illegal {
					moves++
				}
			}
		}
		if got := strings.Count(out.String(), "{"); got != moves {
			t.Errorf("%s: %d moves, want %d, each once", name, got, moves)
		}
		if len(records) > 0 {
			l, err := oware.Descriptor().Replay(records[0])
			if err != nil || l.Text() != g.bestLine(g.roots()[0]) {
				t.Errorf("%s: first line %v, %v", name, l, err)
			}
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > 81 {
				t.Errorf("%s: a line of %d bytes", name, len(line))
			}
		}
	}
}
