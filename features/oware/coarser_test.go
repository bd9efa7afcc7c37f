package oware

import (
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// columnNamed finds a column by its name.
func columnNamed(t *testing.T, s *Set, name string) int {
	t.Helper()
	for i := range s.Len() {
		if s.ColumnName(i) == name {
			return i
		}
	}
	t.Fatalf("no column %q in %s", name, s)
	return 0
}

func TestCoarserColumns(t *testing.T) {
	for _, c := range []struct{ spec, column, into string }{
		{"houses", "houses A23+", "houses A22"},
		{"houses", "houses f5", "houses f4"},
		{"houses", "houses f4", ""},
		{"pairs", "pairs A12+ c4-5", "pairs A9-11 c4-5"},
		{"pairs", "pairs A6-8 c12+", "pairs A6-8 c9-11"},
		{"pairs", "pairs A6-8 c6-8", "pairs A4-5 c6-8"},
		{"pairs", "pairs A4-5 c4-5", ""},
		{"pairs/2", "pairs/2 A12+ B0 in play 25-48", "pairs/2 A9-11 B0 in play 25-48"},
		{"triples", "triples A1 B12+ C2", "triples A1 B9-11 C2"},
		{"triples", "triples A1 B2 C3", ""},
		{"storephase", "storephase stores 10-4", "storephase stores 9-5"},
		{"storephase", "storephase stores 4-10", "storephase stores 5-9"},
		{"storephase", "storephase stores 8-6", "storephase stores 7-7"},
		{"storephase", "storephase stores 7-7", ""},
		{"storephase", "storephase stores 7-6", ""},
		{"store+phase", "phase in play 12", ""},
	} {
		s := testkit.Must(Parse(c.spec))(t)
		name := ""
		if into := s.Coarser()[columnNamed(t, s, c.column)]; into >= 0 {
			name = s.ColumnName(int(into))
		}
		testkit.Equal(t, name, c.into, "%s: into", c.column)
	}
}

// touched are the houses that a column looks at.
func touched(s *Set, column int) []uint8 {
	part, local, _ := s.find(column)
	return part.touches(local)
}

// Following coarser columns ends, in columns of the same family, stage and
// houses.
func TestCoarserColumnsEndWithinTheirFamily(t *testing.T) {
	s := testkit.Must(Parse("store+phase+storephase+houses/2+pairs/2+quads+threats"))(t)
	into := s.Coarser()
	family := func(column int) string { part, _, stage := s.find(column); return part.name + string(rune('0'+stage)) }
	merging := map[string]int{}
	for i := range into {
		at, steps := i, 0
		for ; into[at] >= 0; at = int(into[at]) {
			if steps++; steps > 64 {
				t.Fatalf("%s: no end", s.ColumnName(i))
			}
		}
		if family(at) != family(i) || len(touched(s, at)) != len(touched(s, i)) {
			t.Fatalf("%s ends in %s", s.ColumnName(i), s.ColumnName(at))
		}
		if steps > 0 {
			merging[strings.TrimRight(family(i), "0123456789")]++
		}
	}
	// A pair keeps its 25 cells of at most 4-5 seeds, four houses 625.
	testkit.Equal(t, merging["pairs"], 2*66*(64-25), "merging[pairs]")
	testkit.Equal(t, merging["quads"], 30*(4096-625), "merging[quads]")
	if merging["threats"]+merging["store"]+merging["phase"] > 0 {
		t.Errorf("%v: want none of threats, store, phase", merging)
	}
}
