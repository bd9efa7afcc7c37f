package dropout

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// verify writes the book of a graph and verifies it.
func verify(t *testing.T, g *graph, cfg job) *book.Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, book.Write(path, book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: cfg.Root.Rules().String()}}}, g.entries()))
	r, err := book.Verify(t.Context(), path, book.NoTables)
	if err != nil || !r.OK() || r.Entries != g.expanded {
		t.Fatalf("%v: %+v", err, r)
	}
	return r
}

func TestEntriesAreAConsistentBook(t *testing.T) {
	for _, rules := range bookRules() {
		cfg := config(500)
		cfg.Root = oware.Start(rules)
		g := build(t, cfg)
		r := verify(t, g, cfg)
		sum, entries := g.summary(""), g.entries()
		if r.Links < 499 || r.Closing > sum.Cycles {
			t.Errorf("%v: %d links, %d moves that close a cycle, %d cycles", rules, r.Links, r.Closing, sum.Cycles)
		}
		root := entries[slices.IndexFunc(entries, func(e book.Entry) bool { return e.Key == cfg.Root.BookKey() })]
		best, points := root.Best()
		if root.Scores != sum.RootScores || sum.BestPoints != points || sum.Best != oware.MoveName(best, oware.South) || sum.MaxDepth < 4 ||
			sum.Nodes != g.nodes.len || sum.Entries != 500 || sum.Visited != 10*int64(sum.Searched) || !strings.HasPrefix(lineText(g.pv(), oware.South), sum.Best) {
			t.Errorf("%v: %+v, root entry %v", rules, sum, root)
		}
	}
}

// With few seeds everything is expanded, and the disagreements are at most the
// moves that repeat a position.
func TestOnlyCyclesDisagree(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "1-1-0-0-2-0-0-0-0-1-0-1-21-21-S")
	g := build(t, cfg)
	r := verify(t, g, cfg)
	if cycles := g.summary("").Cycles; cycles == 0 || r.Closing > cycles {
		t.Errorf("%d moves that close a cycle, %d cycles", r.Closing, cycles)
	}
}

// With the real searcher, and as many workers as the machine likes.
func TestWithTheEngine(t *testing.T) {
	cfg := config(40)
	cfg.limits = search.Limits{Depth: 4}
	var dumps []string
	for _, workers := range []int{1, 3} {
		cfg.pool = capturesPool(t, workers)
		g, _, err := cfg.expand(t.Context(), nil)
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
		cfg.Omega, cfg.Sides, cfg.limits = 0, string(sides), search.Limits{Depth: 4}
		g, _, err := cfg.by(pool)
		testkit.NoError(t, err)
		of := g.nodes.at(root).priority
		urgency[sides] = [2]int32{of[g.rootRole(oware.South)], of[g.rootRole(oware.North)]}
	}
	s, n := urgency[book.ForSouth], urgency[book.ForNorth]
	if s[oware.South] <= n[oware.South] || n[oware.North] <= s[oware.North] {
		t.Errorf("urgency by side: South's book %v, North's %v", s, n)
	}
}
