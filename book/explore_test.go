package book

import (
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// treeOf is the tree of entries.
func treeOf(t testing.TB, entries []Entry) *Tree {
	t.Helper()
	return testkit.Must(Explore(t.Context(), inMemory(entries), oware.Abapa))(t)
}

// The entries below a move are those that can be reached by it, link by link.
func TestTreeCountsEntriesBelow(t *testing.T) {
	tree := treeOf(t, some(startTree(t, 4), 0.7, 3))
	g := tree.graph
	reached := reachable(g, func(link) bool { return true })
	count := func(i int) (n int) {
		for j := range g.entries {
			if j == i || reached[i][j] {
				n++
			}
		}
		return n
	}
	inside := 0
	for i := range g.entries {
		n, found := tree.At(g.position(i))
		if !found || n.Below != count(i) {
			t.Fatalf("%s: %+v, expected %d below", g.position(i), n, count(i))
		}
		for _, m := range n.Moves {
			to := int(g.next[i][m.Move])
			if m.Entry != (to >= 0) || m.Entry && m.Below != count(to) || m.Best != g.entries[i].isBest(m.Move) || m.Score != int(g.entries[i].Scores[m.Move]) {
				t.Fatalf("%s: move %+v", g.position(i), m)
			}
			if m.Entry {
				inside++
			}
		}
	}
	if inside < 50 {
		t.Errorf("%d moves stay in the book, expected more", inside)
	}
}

// The program's own book, which has cycles.
func TestExploreTheDefaultBook(t *testing.T) {
	b := testkit.Must(Open(DefaultName))(t)
	tree := testkit.Must(Explore(t.Context(), b, oware.Abapa))(t)
	n, found := tree.At(oware.Start(oware.Abapa))
	if !found || n.Below != b.Len() || len(n.Moves) != oware.Houses {
		t.Errorf("the start: %+v, expected all %d entries below", n, b.Len())
	}
}
