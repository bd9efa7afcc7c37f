package book

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// refinement is one of entries from the start or another board.
func refinement(t testing.TB, entries []Entry, root string, loss, total int, tables Prober) *Refinement {
	t.Helper()
	p := oware.Start(oware.Abapa)
	if root != "" {
		var err error
		p, err = oware.ParseBoard(oware.Abapa, root)
		if err != nil {
			t.Fatal(err)
		}
	}
	return testkit.Must(Refine(t.Context(), inMemory(entries), oware.Abapa, tables, Lines{p, loss, total}))(t)
}

// slowLeaves are the leaves of all lines, one line after the other, with the least that is
// lost on the way to each.
func slowLeaves(d *Refinement) map[int64]int {
	lost := map[int64]int{}
	var walk func(i, sum int)
	walk = func(i, sum int) {
		e := d.graph.entries[i]
		_, best := e.Best()
		p := d.graph.position(i)
		for m := range oware.Move(oware.Houses) {
			if e.Scores[m] == Illegal || d.backEdges[i]>>m&1 != 0 {
				continue
			}
			loss, next := best-int(e.Scores[m]), p.Play(m)
			if _, over := next.Terminal(); over || loss > d.lines.Loss || sum+loss > d.lines.Total {
				continue
			}
			to := slices.IndexFunc(d.graph.entries, func(e Entry) bool { return e.Key == next.BookKey() })
			if to >= 0 {
				walk(to, sum+loss)
				continue
			}
			if before, ok := lost[next.BookKey()]; e.Scores[m] != maxScore && e.Scores[m] != -maxScore && (!ok || sum+loss < before) {
				lost[next.BookKey()] = sum + loss
			}
		}
	}
	walk(d.root, 0)
	return lost
}

// checkNext compares what is next with the slow way, but for leaves that are done.
func checkNext(t *testing.T, d *Refinement, done map[int64]int, most int) []oware.Position {
	t.Helper()
	lost := slowLeaves(d)
	for key := range done {
		delete(lost, key)
	}
	var want []int64
	for key := range lost {
		want = append(want, key)
	}
	slices.SortFunc(want, func(a, b int64) int { return cmp.Or(cmp.Compare(lost[a], lost[b]), cmp.Compare(a, b)) })
	leaves, left := d.Next(most)
	var got []int64
	for _, p := range leaves {
		got = append(got, p.BookKey())
	}
	if left != len(want) || !slices.Equal(got, want[:min(most, len(want))]) {
		t.Fatalf("%d leaves of %d, %v: expected %d, %v", len(got), left, got, len(want), want)
	}
	return leaves
}

// The leaves of a round are those of all lines within the limits, the least loss first; with
// new values the book agrees with itself and with the tables, and a leaf never comes twice.
// It ends when every leaf on the lines has a new value.
func TestDeepenSearchesLeavesOfItsLines(t *testing.T) {
	rounds, cycles := 0, 0
	for seed := range uint64(24) {
		entries := some(startTree(t, 4), 0.8, seed)
		root := ""
		tables := Prober(nil)
		if seed%2 == 1 {
			root = cyclic
			entries = some(endingEntries(t, root, seed), 0.9, seed)
			if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == keyOf(t, root) }) {
				continue
			}
		} else if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == oware.Start(oware.Abapa).BookKey() }) {
			continue
		}
		if seed%4 >= 2 {
			tables = narrow{}
		}
		r := rand.New(rand.NewPCG(seed, 9))
		d := refinement(t, entries, root, 20+r.IntN(100), 50+r.IntN(200), tables)
		cycles += count(d.backEdges)
		done := map[int64]int{}
		for {
			leaves := checkNext(t, d, done, 1+r.IntN(20))
			if len(leaves) == 0 {
				break
			}
			rounds++
			values := map[int64]int{}
			for _, p := range leaves {
				values[p.BookKey()] = r.IntN(201) - 100
				done[p.BookKey()] = values[p.BookKey()]
			}
			d.Set(values)
		}
		for _, w := range d.ways {
			if _, ok := done[w.leaf]; ok != w.done {
				t.Errorf("leaf %d has a new value: %t", w.leaf, w.done)
			}
		}
		checkRefined(t, d, entries, done, tables)
	}
	if rounds < 50 || cycles < 10 {
		t.Errorf("%d rounds and %d closed cycles: the test tests too little", rounds, cycles)
	}
}

// checkRefined checks the book in the end: no faults, new values behind the moves to the
// leaves that have one, and the old ones behind other moves out of the book.
func checkRefined(t *testing.T, d *Refinement, before []Entry, done map[int64]int, tables Prober) {
	t.Helper()
	c := newChecker(inMemory(d.Entries()), oware.Abapa, tables)
	testkit.NoError(t, c.check(t.Context()))
	for _, p := range c.report.Problems {
		if p.Kind != unreachable {
			t.Fatalf("%+v", p)
		}
	}
	g := d.graph
	for i := range g.entries {
		for l := range g.links(i) {
			if l.to != outside {
				continue
			}
			want := int(before[i].Scores[l.move])
			if value, ok := done[g.position(i).Play(l.move).BookKey()]; ok {
				want = g.clampToTables(tables, l, -value)
			}
			if g.score(l) != g.clampToTables(tables, l, want) {
				t.Fatalf("entry %d, move %d is worth %d: expected %d", i, l.move, g.score(l), want)
			}
		}
	}
}

// narrow is tables with bounds for every second position.
type narrow struct{}

func (narrow) Final(p oware.Position) (low, high int, ok bool) {
	diff := p.Store() - p.OpponentStore()
	return diff, diff + int(p.BookKey()%3), p.BookKey()%2 == 0
}

// The default book agrees with itself: a pass that finds nothing new changes nothing.
func TestDeepeningTheDefaultBookKeepsItsValues(t *testing.T) {
	b := testkit.Must(Open(DefaultName))(t)
	d := refinement(t, b.Entries(), "", 20, 40, nil)
	if _, left := d.Next(0); left == 0 || !slices.Equal(d.Entries(), b.Entries()) {
		t.Errorf("%d leaves on the lines; the book has other values now", left)
	}
}

func TestDeepeningRefusesARootOutOfTheBook(t *testing.T) {
	p := oware.Start(oware.Abapa)
	_, err := Refine(t.Context(), inMemory(startTree(t, 2)), oware.Abapa, nil, Lines{p.Play(0).Play(0).Play(0), 1, 1})
	testkit.ErrorContains(t, err, "no entry for")
}
