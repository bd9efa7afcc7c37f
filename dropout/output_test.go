package dropout

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"testing"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// verify writes the book of a graph and verifies it.
func verify(t *testing.T, g *Graph, cfg Config) *book.Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, book.Write(path, book.Header{Fields: cfg.fields()}, g.Entries()))
	r, err := book.Verify(t.Context(), path, cfg.Rules, nil)
	if err != nil || !r.OK() || r.Entries != g.expanded {
		t.Fatalf("%v: %+v", err, r)
	}
	return r
}

func TestEntriesAreAConsistentBook(t *testing.T) {
	for _, rules := range bookRules() {
		cfg := config(500)
		cfg.Rules = rules
		g := build(t, cfg)
		r := verify(t, g, cfg)
		if cycles := g.Stats().Cycles; r.Links < 499 || r.Closing > cycles {
			t.Errorf("%v: %d links, %d moves that close a cycle, %d cycles", rules, r.Links, r.Closing, cycles)
		}
		root := slices.IndexFunc(g.Entries(), func(e book.Entry) bool { return e.Key == g.nodes.at(0).pos.BookKey() })
		if e := g.Entries()[root]; e.Scores != g.rootScores() {
			t.Errorf("%v: root entry %v, root scores %v", rules, e, g.rootScores())
		}
		if m, points, ok := g.bestAtRoot(); !ok || int(g.rootScores()[m]) != points || points != slices.Max(scores(g)) {
			t.Errorf("%v: best %d with %d of %v", rules, m, points, g.rootScores())
		}
	}
}

// The tree of a book asks what the expansion asks: its next leaf is the one that the
// expansion would have taken next.
func TestTreeOfTheBookLeadsToTheNextExpansion(t *testing.T) {
	for _, omega := range []float64{0, 2, 8} {
		cfg := config(400)
		cfg.Omega = omega
		pool := newFakePool(1)
		pool.change = func(r *engine.Answer) error { // to whole points, so that the book distinguishes them as the graph does
			r.Score -= r.Score % 12
			r.Steady = r.Score
			return nil
		}
		g, _, err := Build(context.Background(), cfg, pool, nil)
		testkit.NoError(t, err)
		path := filepath.Join(t.TempDir(), "book.bin")
		testkit.NoError(t, book.Write(path, book.Header{Fields: cfg.fields()}, g.Entries()))
		b := testkit.Must(book.Open(path))(t)
		tree, err := book.Explore(t.Context(), b, cfg.Rules)
		testkit.NoError(t, err, b.Close())
		for _, side := range []oware.Side{oware.South, oware.North} {
			leaf, depth, ok := g.choose(side)
			p := g.nodes.at(0).pos
			line, found := tree.NextLeaf(p, side)
			for _, m := range line {
				p = p.Play(m)
			}
			if !ok || !found || len(line) != depth || p != g.nodes.at(leaf).pos {
				t.Errorf("ω = %g, %s: the book leads to %s, the expansion to %s", omega, side, p, g.nodes.at(leaf).pos)
			}
			if next, _, _ := g.prospect(side); !slices.Equal(next, line) {
				t.Errorf("ω = %g, %s: %v, expected %v", omega, side, next, line)
			}
		}
	}
}

func scores(g *Graph) (s []int) {
	for _, v := range g.rootScores() {
		s = append(s, int(v))
	}
	return s
}

// With few seeds everything is expanded, and the disagreements are at most the
// moves that repeat a position.
func TestOnlyCyclesDisagree(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "1-1-0-0-2-0-0-0-0-1-0-1-21-21-S")
	g := build(t, cfg)
	r := verify(t, g, cfg)
	if cycles := g.Stats().Cycles; cycles == 0 || r.Closing > cycles {
		t.Errorf("%d moves that close a cycle, %d cycles", r.Closing, cycles)
	}
}

// By hand: for South only E and its reply count, for North all first moves.
func TestDiagramByHand(t *testing.T) {
	g := fixed([6]int16{240, 120, 48, 360, -24, -24})
	for side, want := range map[oware.Side][]book.Leaf{
		oware.South: {{Value: 10, Depth: 1}, {Value: 10, Depth: 1}},
		oware.North: {{Value: 100, Depth: 1}, {Value: 50, Depth: 1}, {Value: 20, Depth: 1}, {Value: 150, Depth: 1}, {Value: -10, Depth: 1}, {Value: -10, Depth: 1}},
	} {
		testkit.EqualSlices(t, g.diagram(side), want, "%v", side)
	}
}

// slowDiagram walks over all lines instead of all positions.
func slowDiagram(g *Graph, side oware.Side) []book.Leaf {
	shortest := map[index]book.Leaf{}
	var repeats []book.Leaf
	depthOf := map[index]int{}
	var down func(i index, depth int)
	down = func(i index, depth int) {
		if d, seen := depthOf[i]; seen && d <= depth {
			return
		}
		depthOf[i] = depth
		n := g.nodes.at(i)
		sign := -1
		if n.pos.ToMove() == side {
			sign = 1
		}
		if !n.is(expanded) {
			shortest[i] = book.Leaf{Value: points(sign * int(n.p)), Depth: depth, Decided: n.is(proven)}
			return
		}
		var buf [oware.Houses]move
		for _, e := range g.moves(i, &buf) {
			if e.child != none && (sign < 0 || e.value == int32(n.p)) {
				down(e.child, depth+1)
			}
		}
	}
	down(0, 0)
	for i, depth := range depthOf {
		n := g.nodes.at(i)
		var buf [oware.Houses]move
		if !n.is(expanded) {
			continue
		}
		for _, e := range g.moves(i, &buf) {
			if ours := n.pos.ToMove() == side; e.child == none && (!ours || e.value == int32(n.p)) {
				v := int(e.value)
				if !ours {
					v = -v
				}
				repeats = append(repeats, book.Leaf{Value: points(v), Depth: depth + 1, Decided: true})
			}
		}
	}
	for _, l := range shortest {
		repeats = append(repeats, l)
	}
	return repeats
}

func TestDiagramAgreesWithWalkOverAllLines(t *testing.T) {
	order := func(a, b book.Leaf) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Value, b.Value), boolCompare(a.Decided, b.Decided))
	}
	large := config(400)
	small := config(100_000)
	small.Root = board(t, oware.Abapa, "1-1-0-0-2-0-0-0-0-1-0-1-21-21-S")
	for _, cfg := range []Config{large, small} {
		g := build(t, cfg)
		for _, side := range []oware.Side{oware.South, oware.North} {
			got, want := g.diagram(side), slowDiagram(g, side)
			if !slices.IsSortedFunc(got, func(a, b book.Leaf) int { return cmp.Compare(a.Depth, b.Depth) }) {
				t.Errorf("%v: not by depth", side)
			}
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%v: %d leaves, expected %d, or others", side, len(got), len(want))
			}
		}
	}
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func TestStats(t *testing.T) {
	g := build(t, config(200))
	s := g.Stats()
	want := Stats{Nodes: g.nodes.len(), Expanded: 200, Searched: g.nodes.len(), Visited: 10 * int64(g.nodes.len()), MaxDepth: s.MaxDepth, Cycles: s.Cycles}
	for i := range index(g.nodes.len()) {
		if !g.nodes.at(i).is(expanded | proven) {
			want.Leaves++
		}
	}
	if s != want || s.MaxDepth < 4 {
		t.Errorf("%+v, expected %+v", s, want)
	}
}

func TestFields(t *testing.T) {
	cfg := Config{Rules: oware.Awari, Sides: book.ForSouth, Width: 3, Omega: 1.5, Engine: "e", Limits: search.Limits{Depth: 7, Nodes: 1000, Time: 2e9}}
	want := []book.Field{{Name: "Rules", Value: "awari"}, {Name: "Limits", Value: "depth 7, nodes 1000, time 2s"},
		{Name: "Omega", Value: "1.5"}, {Name: "Sides", Value: "south"}, {Name: "Width", Value: "3"}, {Name: "Engine", Value: "e"}}
	testkit.EqualSlices(t, cfg.fields(), want, "cfg.fields")
}

// With the real searcher, and as many workers as the machine likes.
func TestWithTheEngine(t *testing.T) {
	cfg := config(40)
	cfg.Limits = search.Limits{Depth: 4}
	var dumps []string
	for _, workers := range []int{1, 3} {
		pool := capturesPool(t, workers)
		g, _, err := Build(context.Background(), cfg, pool, nil)
		testkit.NoError(t, err)
		check(t, g, cfg)
		verify(t, g, cfg)
		dumps = append(dumps, dump(g))
	}
	testkit.Equal(t, dumps[0], dumps[1], "the graph depends on the number of workers")
}

// With a steady evaluation the easiest way out of a side's book is deeper in the book for that side
// than in the one for the other.
func TestBookServesItsSide(t *testing.T) {
	pool := capturesPool(t, 2)
	urgency := map[book.Sides][2]int32{}
	for _, sides := range []book.Sides{book.ForSouth, book.ForNorth} {
		cfg := config(150)
		cfg.Omega, cfg.Sides, cfg.Limits = 0, sides, search.Limits{Depth: 4}
		g, _, err := Build(context.Background(), cfg, pool, nil)
		testkit.NoError(t, err)
		root := g.nodes.at(0).priority
		urgency[sides] = [2]int32{root[g.rootRole(oware.South)], root[g.rootRole(oware.North)]}
	}
	s, n := urgency[book.ForSouth], urgency[book.ForNorth]
	if s[oware.South] <= n[oware.South] || n[oware.North] <= s[oware.North] {
		t.Errorf("urgency by side: South's book %v, North's %v", s, n)
	}
}
