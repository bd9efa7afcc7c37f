package book

import (
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// lastOf walks plies along the best moves behind a move and returns the last move of
// them, and the value of the first by it.
func lastOf(t *testing.T, g *graph, l link, plies int) (last link, value int) {
	t.Helper()
	sign := 1
	for range plies - 1 {
		if l.to < 0 {
			t.Fatalf("entry %d: the line ends before", l.from)
		}
		best, _ := g.entries[l.to].Best()
		l = link{l.to, best, int(g.next[l.to][best])}
		sign = -sign
	}
	return l, sign * g.score(l)
}

// The value of a move is that of the last move of its line, whose origin the source names.
func TestSourcesAreWhereValuesComeFrom(t *testing.T) {
	seen := map[Origin]int{}
	for seed := range uint64(8) {
		entries := some(startTree(t, 6), 0.8, seed)
		if seed%2 == 1 {
			entries = some(endingEntries(t, cyclic, seed), 0.9, seed)
		}
		g := graphOf(t, entries)
		g.settle(g.closers(), g.backwards(g.closers()), narrow{})
		b := open(t, write(t, Header{}, g.entries))
		for i := range g.entries {
			sources, found := b.Sources(g.position(i))
			if !found {
				t.Fatalf("entry %d has no sources", i)
			}
			g.links(i, func(l link) {
				s := sources[l.move]
				seen[s.Origin]++
				last, value := lastOf(t, g, l, s.Plies)
				if value != g.score(l) {
					t.Fatalf("entry %d, move %d: %d, its source has %d: %+v", i, l.move, g.score(l), value, s)
				}
				proven := value == maxScore || value == -maxScore
				right := false
				switch s.Origin {
				case byProof:
					right = proven
				case bySearch:
					right = last.to == outside
				case byEnd:
					right = last.to == gameEnd && g.score(last) == ending(g.position(last.from).Play(last.move))
				case byRepetition:
					right = last.to >= 0 && (g.closesCycle(last) || g.score(last) == g.backed(last)) // in a cycle of one value
				case byTables:
					right = last.to >= 0 && g.score(last) == g.bounded(narrow{}, last, g.backed(last))
				}
				if !right {
					t.Fatalf("entry %d, move %d: %+v", i, l.move, s)
				}
			})
			for m, s := range sources {
				if (s == Source{}) != (g.entries[i].Scores[m] == Illegal) {
					t.Fatalf("entry %d, move %d: %+v", i, m, s)
				}
			}
		}
	}
	for _, origin := range []Origin{bySearch, byProof, byEnd, byRepetition, byTables} {
		if seen[origin] == 0 {
			t.Errorf("no value comes from %s: the test tests too little", origin)
		}
	}
}

func TestSourcesInWords(t *testing.T) {
	for want, s := range map[string]Source{"": {}, "after 1 ply, search": {1, bySearch}, "after 3 plies, repetition": {3, byRepetition}} {
		testkit.Equal(t, s.String(), want, "%+v", s)
	}
}

func TestNoSourcesOutOfTheBook(t *testing.T) {
	b := open(t, write(t, Header{}, startTree(t, 2)))
	if _, found := b.Sources(oware.Start(oware.Abapa).Play(0).Play(0).Play(0)); found {
		t.Error("found")
	}
}
