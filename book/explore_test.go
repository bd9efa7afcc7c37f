package book

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// treeOf is the tree of entries.
func treeOf(t testing.TB, entries []Entry) *Tree {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, Write(path, Header{}, entries))
	b := testkit.Must(Open(path))(t)
	defer b.Close()
	return testkit.Must(Explore(t.Context(), b, oware.Abapa))(t)
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

// slowUrgency finds the most urgent leaf by trying all lines of play, in plies. It caches the result
// of each entry.
type slowUrgency struct {
	*Tree
	omega  float64
	player oware.Side
	known  map[int]float64
}

func (s *slowUrgency) of(i int) (cost float64) {
	s.weighed.Do(s.weigh) // for the moves that close cycles
	if cost, ok := s.known[i]; ok {
		return cost
	}
	cost = math.Inf(1)
	_, best := s.graph.entries[i].Best()
	if best != maxScore && best != -maxScore {
		s.graph.links(i, func(l link) { cost = min(cost, 1+s.ofMove(l, best)) })
	}
	s.known[i] = cost
	return cost
}

func (s *slowUrgency) ofMove(l link, best int) (cost float64) {
	own, score := s.graph.position(l.from).ToMove() == s.player, s.graph.score(l)
	if own && score != best || l.to == gameEnd || score == maxScore || score == -maxScore || s.cut[l.from]>>l.move&1 != 0 {
		return math.Inf(1)
	}
	if l.to >= 0 {
		cost = s.of(l.to)
	}
	if !own {
		cost += s.omega * float64(best-score) * 24 / 1000
	}
	return cost
}

// checkNextLeaf compares the priority of an entry with the slow one, and follows the line to
// the next leaf.
func checkNextLeaf(t *testing.T, tree *Tree, i int, slow *slowUrgency) (line []oware.Move) {
	t.Helper()
	p := tree.graph.position(i)
	want := slow.of(i)
	line, found := tree.NextLeaf(p, slow.player)
	if found == math.IsInf(want, 1) {
		t.Fatalf("%s for %s: found %v, cost %g", p, slow.player, found, want)
	}
	if !found {
		return nil
	}
	rounding := float64(len(line)+1) * (slow.omega/100 + 1.0/Ply) // of values to centi-seeds, and of costs
	if got := float64(tree.urgent[slow.player][i]) / Ply; math.Abs(got-want) > rounding {
		t.Fatalf("%s for %s: %g, expected %g", p, slow.player, got, want)
	}
	cost, q := 0.0, p
	for k, m := range line {
		at, inside := tree.find(q)
		if !inside {
			t.Fatalf("%s: the line %v leaves the book at %d", p, line, k)
		}
		e := tree.graph.entries[at]
		_, best := e.Best()
		own, score := q.ToMove() == slow.player, int(e.Scores[m])
		if own && score != best {
			t.Fatalf("%s: the player does not play the best move at %d of %v", p, k, line)
		}
		if cost++; !own {
			cost += slow.omega * float64(best-score) * 24 / 1000
		}
		q = q.Play(m)
	}
	if _, inside := tree.At(q); inside {
		t.Fatalf("%s: the line %v ends in the book", p, line)
	}
	if math.Abs(cost-want) > rounding {
		t.Fatalf("%s: the line %v costs %g, the least is %g", p, line, cost, want)
	}
	return line
}

var players = []oware.Side{oware.South, oware.North}

func TestNextLeafIsTheMostUrgentOfAllLines(t *testing.T) {
	for seed := range uint64(5) {
		tree := treeOf(t, some(startTree(t, 4), 0.5+0.1*float64(seed), seed))
		for _, player := range players {
			slow := &slowUrgency{tree, DefaultOmega, player, map[int]float64{}}
			for i := 0; i < len(tree.graph.entries); i += 7 {
				checkNextLeaf(t, tree, i, slow)
			}
		}
	}
}

// The program's own book was made with ω = 8: another ω leads elsewhere.
func TestNextLeafOfTheDefaultBookIsByItsOmega(t *testing.T) {
	b := testkit.Must(Find(DefaultName))(t)
	tree := testkit.Must(Explore(t.Context(), b, oware.Abapa))(t)
	other := testkit.Must(Explore(t.Context(), b, oware.Abapa))(t)
	other.costs = NewCosts(DefaultOmega)
	other.weigh()
	differ := 0
	for _, player := range players {
		eight, two := &slowUrgency{tree, 8, player, map[int]float64{}}, &slowUrgency{other, 2, player, map[int]float64{}}
		for i := range tree.graph.entries {
			if !slices.Equal(checkNextLeaf(t, tree, i, eight), checkNextLeaf(t, other, i, two)) {
				differ++
			}
		}
	}
	if differ < 100 {
		t.Errorf("ω = 8 and ω = 2 lead to other leaves at %d entries: expected more", differ)
	}
}

// The program's own book, which has cycles.
func TestExploreTheDefaultBook(t *testing.T) {
	b := testkit.Must(Find(DefaultName))(t)
	defer b.Close()
	tree := testkit.Must(Explore(t.Context(), b, oware.Abapa))(t)
	n, found := tree.At(oware.Start(oware.Abapa))
	if !found || n.Below != b.Len() || len(n.Moves) != oware.Houses {
		t.Errorf("the start: %+v, expected all %d entries below", n, b.Len())
	}
	if line, found := tree.NextLeaf(oware.Start(oware.Abapa), oware.South); !found || len(line) < 3 {
		t.Errorf("the next leaf is %v", line)
	}
}
