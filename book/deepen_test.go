package book

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// deepening is one of entries from the start or another board.
func deepening(t testing.TB, entries []Entry, root string, loss, total int, tables Prober) *Deepening {
	t.Helper()
	p := oware.Start(oware.Abapa)
	if root != "" {
		var err error
		if p, err = oware.ParseBoard(oware.Abapa, root); err != nil {
			t.Fatal(err)
		}
	}
	return testkit.Must(Deepen(t.Context(), inMemory(entries), oware.Abapa, tables, Lines{p, loss, total}))(t)
}

// slowLeaves are the leaves of all lines, one line after the other, with the least that is
// lost on the way to each.
func slowLeaves(d *Deepening) map[int64]int {
	lost := map[int64]int{}
	var walk func(i, sum int)
	walk = func(i, sum int) {
		e := d.graph.entries[i]
		_, best := e.Best()
		p := d.graph.position(i)
		for m := range oware.Move(oware.Houses) {
			if e.Scores[m] == Illegal || d.cut[i]>>m&1 != 0 {
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
func checkNext(t *testing.T, d *Deepening, done map[int64]int, most int) []oware.Position {
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
		entries, root, tables := some(startTree(t, 4), 0.8, seed), "", Prober(nil)
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
		d := deepening(t, entries, root, 20+r.IntN(100), 50+r.IntN(200), tables)
		cycles += count(d.cut)
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
		checkDeepened(t, d, entries, done, tables)
	}
	if rounds < 50 || cycles < 10 {
		t.Errorf("%d rounds and %d closed cycles: the test tests too little", rounds, cycles)
	}
}

// checkDeepened checks the book in the end: no faults, new values behind the moves to the
// leaves that have one, and the old ones behind other moves out of the book.
func checkDeepened(t *testing.T, d *Deepening, before []Entry, done map[int64]int, tables Prober) {
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
		g.links(i, func(l link) {
			if l.to != outside {
				return
			}
			want := int(before[i].Scores[l.move])
			if value, ok := done[g.position(i).Play(l.move).BookKey()]; ok {
				want = g.bounded(tables, l, -value)
			}
			if g.score(l) != g.bounded(tables, l, want) {
				t.Fatalf("entry %d, move %d is worth %d: expected %d", i, l.move, g.score(l), want)
			}
		})
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
	b := testkit.Must(Find(DefaultName))(t)
	d := deepening(t, b.Entries(), "", 20, 40, nil)
	if _, left := d.Next(0); left == 0 || !slices.Equal(d.Entries(), b.Entries()) {
		t.Errorf("%d leaves on the lines; the book has other values now", left)
	}
}

func TestDeepeningRefusesARootOutOfTheBook(t *testing.T) {
	p := oware.Start(oware.Abapa)
	_, err := Deepen(t.Context(), inMemory(startTree(t, 2)), oware.Abapa, nil, Lines{p.Play(0).Play(0).Play(0), 1, 1})
	testkit.Refused(t, err, "no entry for")
}

// The header records which moves have their values from which searches, a leaf's last ones,
// whatever passes came before, and a list that does not belong to the book is a fault.
func TestHeaderListsDeeperMoves(t *testing.T) {
	entries := startTree(t, 3)
	header := Header{Fields: []Field{{FieldLimits, "nodes 10"}, {FieldMade, "once"}}}
	want := map[int]string{}
	for round, limits := range []string{"nodes 90", "nodes 300", "nodes 90", "depth 7, nodes 8"} {
		b := open(t, write(t, header, entries))
		d := testkit.Must(Deepen(t.Context(), b, oware.Abapa, nil, Lines{oware.Start(oware.Abapa), 60 + 40*(round%2), 200}))(t)
		leaves, _ := d.Next(7)
		values := map[int64]int{}
		for _, p := range leaves {
			values[p.BookKey()] = 5 * round
		}
		d.Set(values)
		for i := range d.graph.entries {
			d.graph.links(i, func(l link) {
				if l.to == outside && slices.Contains(leaves, d.graph.position(i).Play(l.move)) {
					want[moveNumber(i, l.move)] = limits
				}
			})
		}
		header, entries = d.Header(limits), d.Entries()
		testkit.Equal(t, header.Get(FieldMade), "", "the header names the command that made the other book")
		pass := testkit.Must(open(t, write(t, header, entries)).passes())(t)
		for move := range len(entries) * oware.Houses {
			if got := pass.searchOf(move); got != cmp.Or(want[move], "nodes 10") {
				t.Fatalf("round %d, move %d: %q, expected %q", round, move, got, want[move])
			}
		}
	}
	if len(want) < 15 {
		t.Errorf("%d moves: the test tests too little", len(want))
	}
}

func TestListsOfMovesAreChecked(t *testing.T) {
	entries := startTree(t, 2)
	for list, want := range map[string]string{
		"AQE=":         "",
		"AQ":           "illegal base64",
		"gA==":         "not a list", // a number without its end
		"AA==":         "not a list", // the same move again
		"AQEBAQH/fwE=": "not a list", // beyond the book
		"////////////": "not a list", // too large a number
		manyMoves:      "",
	} {
		h := Header{Fields: []Field{{FieldRules, "abapa"}, {FieldDeeper, "nodes 5: " + list}}}
		path := write(t, h, entries)
		_, err := open(t, path).passes()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", list, err, want)
		}
		r, verr := Verify(t.Context(), path, oware.Abapa, nil)
		if verr != nil || r.OK() != (err == nil) || err != nil && r.Problems[0].Kind != wrongMoves {
			t.Errorf("%q: %v, %+v", list, verr, r)
		}
	}
	twice := Header{Fields: []Field{{FieldDeeper, "nodes 5: AQ=="}, {FieldDeeper, "nodes 6: AQ=="}}}
	_, err := open(t, write(t, twice, entries)).passes()
	testkit.Refused(t, err, "two searches")
}

// A list that is too long for a header is marked so, and its moves are no longer distinguished.
func TestLongListsOfMovesAreLeftOut(t *testing.T) {
	p := passes{first: "nodes 1", later: map[int]string{}}
	for i := range maxMoves {
		p.later[i] = "nodes 2"
	}
	fields := p.fields()
	if len(fields) != 1 || fields[0].Value != "nodes 2: "+manyMoves {
		t.Fatalf("%d fields", len(fields))
	}
	h := Header{Fields: append(fields, Field{FieldLimits, "nodes 1"})}
	back, err := open(t, write(t, h, nil)).passes()
	if err != nil || back.searchOf(3) != "nodes 1 or nodes 2" || !slices.Equal(back.fields(), fields) {
		t.Errorf("%v, %+v", err, back)
	}
}
