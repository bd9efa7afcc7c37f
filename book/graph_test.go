package book

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// endingEntries are all positions that can be reached without a capture from one
// with few seeds in play, with random values: a book full of cycles.
func endingEntries(t testing.TB, board string, seed uint64) []Entry {
	t.Helper()
	start := testkit.Must(oware.ParseBoard(oware.Abapa, board))(t)
	r := rand.New(rand.NewPCG(seed, 2))
	seen := map[int64]bool{start.BookKey(): true}
	var entries []Entry
	for todo := []oware.Position{start}; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		e := Entry{Key: p.BookKey()}
		for m := range oware.Move(oware.Houses) {
			e.Scores[m] = Illegal
			if !p.IsLegal(m) {
				continue
			}
			e.Scores[m] = int16(r.IntN(201) - 100)
			child := p.Play(m)
			if _, over := child.Terminal(); !over && p.Gain(m) == 0 && !seen[child.BookKey()] {
				seen[child.BookKey()] = true
				todo = append(todo, child)
			}
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}

// cyclic is a board whose moves without captures lead back to it.
const cyclic = "1-1-0-0-0-0-1-1-0-0-0-0-22-22-S"

func graphOf(t testing.TB, entries []Entry) *graph {
	t.Helper()
	return testkit.Must(newGraph(t.Context(), inMemory(entries), oware.Abapa))(t)
}

// some is a random part of entries.
func some(entries []Entry, share float64, seed uint64) (part []Entry) {
	r := rand.New(rand.NewPCG(seed, 3))
	for _, e := range entries {
		if r.Float64() < share {
			part = append(part, e)
		}
	}
	return part
}

// reachable is the slow way: a search from every entry.
func reachable(g *graph, keep func(link) bool) [][]bool {
	to := make([][]bool, len(g.entries))
	for i := range to {
		to[i] = make([]bool, len(to))
		to[i][i] = true
		for todo := []int{i}; len(todo) > 0; todo = todo[1:] {
			for l := range g.links(todo[0]) {
				if l.to >= 0 && keep(l) && !to[i][l.to] {
					to[i][l.to] = true
					todo = append(todo, l.to)
				}
			}
		}
	}
	return to
}

func TestComponentsAgreeWithReachability(t *testing.T) {
	cycles := 0
	for seed := range uint64(5) {
		g := graphOf(t, endingEntries(t, "0-1-0-0-0-0-0-0-1-0-0-0-23-23-S", 1))
		keep := func(l link) bool { return seed == 4 || (l.from+int(l.move))%40 != int(seed) }
		component, to := g.components(keep, nil), reachable(g, keep)
		for i := range to {
			for j := range to {
				if both := to[i][j] && to[j][i]; both != (component[i] == component[j]) {
					t.Fatalf("entries %d and %d: components %d and %d, reach each other: %t", i, j, component[i], component[j], both)
				} else if both && i != j {
					cycles++
				}
				if to[i][j] && component[j] > component[i] {
					t.Fatalf("entry %d leads to %d and has a lower component", i, j)
				}
			}
		}
	}
	if cycles < 500 {
		t.Errorf("only %d pairs on cycles", cycles)
	}
}

func TestEveryEntryIsReachedFromTheRoots(t *testing.T) {
	for seed := range uint64(4) {
		g := graphOf(t, some(endingEntries(t, cyclic, 1), 0.2+0.2*float64(seed), seed)[:100])
		to := reachable(g, func(link) bool { return true })
		roots := g.roots()
		reached := make([]bool, len(to))
		for _, r := range roots {
			if reached[r] {
				t.Errorf("root %d is reached from another", r)
			}
			for i := range to {
				reached[i] = reached[i] || to[r][i]
			}
		}
		if slices.Contains(reached, false) {
			t.Errorf("%d roots do not reach all of %d entries", len(roots), len(to))
		}
	}
}

// Values follow the rules, one move at a time, and no cycle is left whose moves all
// take the value of the entry they lead to.
func TestPropagatedBookIsConsistent(t *testing.T) {
	closing := 0
	for seed := range uint64(6) {
		entries := some(endingEntries(t, cyclic, seed), 0.25*float64(1+seed%4), seed)
		entries = testkit.Must(consistent(t.Context(), entries, oware.Abapa))(t)
		c := newChecker(inMemory(entries), oware.Abapa, nil)
		c.check(t.Context())
		for _, p := range c.report.Problems {
			testkit.Equal(t, p.Kind, unreachable, "seed %d: %+v", seed, p)
		}
		closing += c.report.BackEdges
		again, err := consistent(t.Context(), entries, oware.Abapa)
		if err != nil || !slices.Equal(again, entries) {
			t.Errorf("seed %d: propagating again changes values, %v", seed, err)
		}
	}
	if closing == 0 {
		t.Error("no move closes a cycle")
	}
}

func TestClosingMoveIsNeverProven(t *testing.T) {
	for board, want := range map[string]int{
		"1-0-0-0-0-0-1-0-0-0-0-0-24-22-S":  -83, // South keeps two more: bad for North, who repeats
		"1-0-0-0-0-0-1-0-0-0-0-0-22-24-N":  -83,
		"20-0-0-0-0-0-1-0-0-0-0-0-24-3-S":  -maxScore + 1,
		"0-0-0-0-0-1-20-0-0-0-0-0-3-24-S":  maxScore - 1,
		"1-0-0-0-0-0-1-0-0-0-0-0-23-23-S":  0,
		"1-0-0-0-0-0-1-1-0-0-0-0-23-22-S":  0,
		"1-0-0-0-0-0-1-0-0-0-0-0-2-44-S":   maxScore - 1,
		"12-0-0-0-0-0-12-0-0-0-0-0-24-0-S": -maxScore + 1, // 24 seeds
	} {
		p := testkit.Must(oware.ParseBoard(oware.Abapa, board))(t)
		testkit.Equal(t, repetitionPoints(p), want, "%s", board)
	}
}

func TestMergeIsTheUnion(t *testing.T) {
	rules := func(r string) Header { return Header{Fields: []Field{{FieldRules, r}}} }
	entries := testkit.Must(consistent(t.Context(), randomEntries(200, 6), oware.Abapa))(t)
	a := open(t, write(t, rules("abapa"), slices.Concat(entries[:50], entries[100:150])))
	b := open(t, write(t, rules("abapa"), slices.Concat(entries[20:120], entries[150:])))
	for _, books := range [][2]*Book{{a, b}, {b, a}} {
		got, err := Merge(t.Context(), books[0], books[1])
		if err != nil || !slices.Equal(got, entries) {
			t.Errorf("%v: not the union of two parts of a consistent book", err)
		}
	}
	if _, err := Merge(t.Context(), a, open(t, write(t, rules("awari"), entries[:1]))); err == nil {
		t.Error("books for different rules were merged")
	}
	if _, err := Merge(t.Context(), a, inMemory([]Entry{entries[1], entries[0]})); err == nil {
		t.Error("a book out of order was merged")
	}
}

// In one book the opponent's reply is a leaf; the other book searches deeper and finds a better
// value: the value of the move before changes.
func TestMergePropagatesDeeperValues(t *testing.T) {
	p := oware.Start(oware.Abapa)
	child := p.Play(5)
	deep := Entry{Key: child.BookKey(), Scores: [6]int16{-30, -20, 60, -50, -50, -50}}
	got, err := Merge(t.Context(), inMemory([]Entry{startEntry}), inMemory([]Entry{deep}))
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	want := startEntry
	want.Scores[5] = -60
	if got[0] != deep || got[1] != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// pruned is the slow way: the games that the limits allow, one after the other.
func pruned(g *graph, c PruneConfig) map[int64]bool {
	kept := map[int64]bool{}
	for _, side := range c.Sides.Players() {
		var play func(i, plies int)
		play = func(i, plies int) {
			if c.Plies > 0 && plies >= c.Plies {
				return
			}
			kept[g.entries[i].Key] = true
			_, best := g.entries[i].Best()
			for l := range g.links(i) {
				free := g.position(i).ToMove() != side || c.Loss == nil
				if l.to >= 0 && (free || oware.InSeeds(best-g.score(l)) <= *c.Loss) {
					play(l.to, plies+1)
				}
			}
		}
		for _, i := range g.roots() {
			play(i, 0)
		}
	}
	return kept
}

func TestPruneKeepsReachableEntries(t *testing.T) {
	entries := startTree(t, 4)
	for _, c := range []PruneConfig{
		{Plies: 1}, {Plies: 3}, {Loss: new(0.0)}, {Loss: new(4.8)}, {}, {Loss: new(2.4), Sides: ForSouth},
		{Loss: new(2.4), Sides: ForNorth}, {Plies: 2, Loss: new(1.2), Sides: ForBoth}, {Plies: 100, Loss: new(48.0)},
	} {
		got := testkit.Must(Prune(t.Context(), inMemory(entries), oware.Abapa, c))(t)
		want := pruned(graphOf(t, entries), c)
		if len(got) != len(want) || slices.ContainsFunc(got, func(e Entry) bool { return !want[e.Key] || !slices.Contains(entries, e) }) {
			t.Errorf("%+v: %d entries, want %d with their values", c, len(got), len(want))
		}
	}
	if _, err := Prune(t.Context(), inMemory(entries), oware.Abapa, PruneConfig{Sides: "east"}); err == nil {
		t.Error("sides east are taken")
	}
}

// startTree has all positions of the first plies from the start, with consistent
// values that begin at random leaves.
func startTree(t testing.TB, plies int) []Entry {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 5))
	found := map[int64]Entry{}
	level := []oware.Position{oware.Start(oware.Abapa)}
	for range plies {
		var next []oware.Position
		for _, p := range level {
			e := Entry{Key: p.BookKey()}
			for m := range oware.Move(oware.Houses) {
				e.Scores[m] = Illegal
				if p.IsLegal(m) {
					e.Scores[m] = int16(r.IntN(401) - 200)
					next = append(next, p.Play(m))
				}
			}
			found[e.Key] = e
		}
		level = next
	}
	var entries []Entry
	for _, e := range found {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return testkit.Must(consistent(t.Context(), entries, oware.Abapa))(t)
}

func TestSurvey(t *testing.T) {
	s := testkit.Must(Survey(t.Context(), inMemory(startTree(t, 3)), oware.Abapa))(t)
	if len(s.Roots) != 1 || s.Roots[0] != oware.Start(oware.Abapa).String() || len(s.RootLine) != 3 || s.BackEdges != 0 {
		t.Errorf("%+v", s)
	}
	if want := fmt.Sprint([]PlyStats{{0, 1, 6, 6, 0}, {1, 6, 36, 36, 0}, {2, 36, 190, 0, 0}}); fmt.Sprint(s.Plies) != want {
		t.Errorf("%v, want %s", s.Plies, want)
	}
}

// leavesByGames is the slow way: all games in which the player makes best moves.
func leavesByGames(g *graph, side oware.Side) map[int64]Leaf {
	found := map[int64]Leaf{}
	var play func(i, plies int)
	play = func(i, plies int) {
		p := g.position(i)
		_, best := g.entries[i].Best()
		for l := range g.links(i) {
			ours := p.ToMove() == side
			switch value := g.score(l); {
			case ours && value != best:
			case l.to >= 0:
				play(l.to, plies+1)
			default:
				if !ours {
					value = -value
				}
				key := p.Play(l.move).BookKey()
				if old, there := found[key]; !there || plies+1 < old.Depth {
					found[key] = Leaf{plies + 1, value, l.to == gameEnd}
				}
			}
		}
	}
	for _, i := range g.roots() {
		play(i, 0)
	}
	return found
}

func TestDropOutDiagramHasTheLeavesOfAllGames(t *testing.T) {
	entries := some(startTree(t, 5), 0.7, 3)
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == startEntry.Key }) {
		t.Fatal("the start is missing: choose another seed")
	}
	s := testkit.Must(Survey(t.Context(), inMemory(entries), oware.Abapa))(t)
	g := graphOf(t, entries)
	for _, side := range []oware.Side{oware.South, oware.North} {
		var want []Leaf
		for _, l := range leavesByGames(g, side) {
			want = append(want, l)
		}
		slices.SortFunc(want, func(a, b Leaf) int { return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Value, b.Value)) })
		if got := s.Sides[side].Leaves; len(got) < 10 || !slices.Equal(got, want) {
			t.Errorf("%s: %d leaves, want %d", side, len(got), len(want))
		}
	}
}

// Moves that end the game are not in the share of moves that the book covers.
func TestMovesThatEndTheGameNeedNoEntry(t *testing.T) {
	s := &Stats{Plies: []PlyStats{{Ply: 0, Entries: 1, Moves: 6, Inside: 1, Ended: 2}}}
	testkit.Contains(t, s.Doc().Body(), " 25.0 %")
}

// The start position is the first root, also if another one has a smaller key.
func TestTheStartIsTheFirstRoot(t *testing.T) {
	start := startTree(t, 1)
	for seed := range uint64(20) {
		other := endingEntries(t, cyclic, seed)[:1]
		entries := append(other, start...)
		slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
		if entries[0].Key == start[0].Key {
			t.Fatal("expected an entry with a smaller key")
		}
		g := graphOf(t, entries)
		roots := g.roots()
		if len(roots) != 2 || entries[roots[0]].Key != start[0].Key {
			t.Errorf("roots %v of %v", roots, entries)
		}
	}
}
