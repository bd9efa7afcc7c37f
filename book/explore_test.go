package book

import (
	"math"
	"path/filepath"
	"testing"

	"kroo/games/oware"
)

// treeOf is the tree of entries.
func treeOf(t testing.TB, entries []Entry) *Tree {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.bin")
	if err := Write(path, Header{}, entries); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	tree, err := Explore(b, oware.Abapa, 2)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// What lies below a move is what can be reached by it, one link after the other.
func TestTreeCountsWhatIsBelow(t *testing.T) {
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
			if m.Entry != (to >= 0) || m.Entry && m.Below != count(to) || m.Best != g.entries[i].IsBest(m.Move) || m.Score != int(g.entries[i].Scores[m.Move]) {
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

// leafByGames looks for the most urgent leaf through all lines of play.
func leafByGames(g *graph, i, player int, omega float64) (cost float64, line []oware.Move) {
	cost = math.Inf(1)
	_, best := g.entries[i].Best()
	g.links(i, func(l link) {
		own := int(g.position(i).ToMove()) == player
		score := g.score(l)
		if own && score != best || l.to == gameEnd || l.to < 0 && (score == MaxScore || score == -MaxScore) {
			return
		}
		c, rest := 0.0, []oware.Move(nil)
		if l.to >= 0 {
			c, rest = leafByGames(g, l.to, player, omega)
		}
		if c++; !own {
			c += omega * float64(best-score) * 24 / 1000
		}
		if c < cost-1e-9 {
			cost, line = c, append([]oware.Move{l.move}, rest...)
		}
	})
	return cost, line
}

func TestNextLeafIsTheMostUrgentOfAllLines(t *testing.T) {
	for seed := range uint64(5) {
		tree := treeOf(t, some(startTree(t, 4), 0.5+0.1*float64(seed), seed))
		g := tree.graph
		for i := 0; i < len(g.entries); i += 7 {
			p := g.position(i)
			for _, player := range []oware.Side{oware.South, oware.North} {
				cost, _ := leafByGames(g, i, int(player), 2)
				line, found := tree.NextLeaf(p, player)
				if found == math.IsInf(cost, 1) {
					t.Fatalf("%s for %s: found %v, cost %g", p, player, found, cost)
				}
				if !found {
					continue
				}
				if got := tree.urgent[player][i]; math.Abs(got-cost) > 1e-9 {
					t.Fatalf("%s for %s: %g, expected %g", p, player, got, cost)
				}
				q := p
				for k, m := range line {
					if _, inside := tree.At(q); !inside {
						t.Fatalf("%s: the line %v leaves the book at %d", p, line, k)
					}
					q = q.Play(m)
				}
				if _, inside := tree.At(q); inside {
					t.Fatalf("%s: the line %v ends in the book", p, line)
				}
			}
		}
	}
}

// The program's own book, which has cycles.
func TestExploreTheDefaultBook(t *testing.T) {
	b, err := Find(DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	tree, err := Explore(b, oware.Abapa, 2)
	if err != nil {
		t.Fatal(err)
	}
	n, found := tree.At(oware.Start(oware.Abapa))
	if !found || n.Below != b.Len() || len(n.Moves) != oware.Houses {
		t.Errorf("the start: %+v, expected all %d entries below", n, b.Len())
	}
	if line, found := tree.NextLeaf(oware.Start(oware.Abapa), oware.South); !found || len(line) < 3 {
		t.Errorf("the next leaf is %v", line)
	}
}
