package book

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/games"
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

// A move has the value of the last move of its line, whose origin the source names.
func TestSourcesAreWhereValuesComeFrom(t *testing.T) {
	seen := map[Origin]int{}
	for seed := range uint64(8) {
		entries := some(startTree(t, 6), 0.8, seed)
		if seed%2 == 1 {
			entries = some(endingEntries(t, cyclic, seed), 0.9, seed)
		}
		g := graphOf(t, entries)
		g.settle(g.backEdges(), g.backwards(g.backEdges()), narrow{})
		b := open(t, write(t, Header{}, g.entries))
		for i := range g.entries {
			sources, found := b.Sources(g.position(i))
			if !found {
				t.Fatalf("entry %d has no sources", i)
			}
			for l := range g.links(i) {
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
					right = last.to >= 0 && (g.isBackEdge(last) || g.score(last) == g.backedUpValue(last)) // in a cycle of one value
				case byTables:
					right = last.to >= 0 && g.score(last) == g.clampToTables(narrow{}, last, g.backedUpValue(last))
				}
				if !right {
					t.Fatalf("entry %d, move %d: %+v", i, l.move, s)
				}
			}
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

// randomGames are games of 0 to 8 random moves from boards in turn.
func randomGames(n int, boards ...oware.Position) (records []games.Record[oware.Position]) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		p := boards[i%len(boards)]
		rec := games.Record[oware.Position]{Start: p}
		for range r.IntN(9) {
			moves := p.AppendMoves(nil)
			m := moves[r.IntN(len(moves))]
			rec.Moves = append(rec.Moves, games.MoveText{Move: m})
			p = p.Play(m)
		}
		records = append(records, rec)
	}
	return records
}

// The slow way: all positions of a game, and which of them the book has.
func TestPlayedCountsWhereGamesLeave(t *testing.T) {
	entries := some(startTree(t, 7), 0.75, 3)
	start := oware.Start(oware.Abapa)
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == start.BookKey() }) {
		t.Fatal("expected a book with the start")
	}
	outside := testkit.Must(oware.ParseBoard(oware.Abapa, cyclic))(t)
	records := randomGames(600, start, start, start, outside)
	b := inMemory(entries)
	s := testkit.Must(Play(t.Context(), b, oware.Abapa, records))(t)

	want, plies := Played{Games: 600}, 0
	leave, exits := map[int]int{}, map[place]int{}
	for _, r := range records {
		positions := []oware.Position{r.Start}
		for _, m := range r.Moves {
			positions = append(positions, positions[len(positions)-1].Play(m.Move))
		}
		left := slices.IndexFunc(positions, func(p oware.Position) bool { _, found := b.Lookup(p.BookKey()); return !found })
		switch {
		case left == 0:
			want.Outside++
		case left < 0:
			want.Ended++
			plies += len(r.Moves)
		default:
			p, m := positions[left-1], r.Moves[left-1].Move
			e, _ := b.Lookup(p.BookKey())
			plies += left - 1
			leave[left]++
			exits[place{p.String(), oware.MoveName(m, p.ToMove()), int(slices.Max(e.Scores[:])) - int(e.Scores[m])}]++
		}
	}
	if s.Games != want.Games || s.Outside != want.Outside || s.Ended != want.Ended || math.Abs(s.Plies.Mean*600-float64(plies)) > 1e-6 {
		t.Errorf("%+v, expected %+v and %d plies", s, want, plies)
	}
	if want.Ended == 0 || want.Outside != 150 {
		t.Errorf("expected games of every kind: %+v", want)
	}
	inside := 600 - want.Outside
	for _, p := range s.ByPly {
		if p.Leave != leave[p.Ply] || p.Inside > inside {
			t.Errorf("%+v: expected %d to leave, of at most %d", p, leave[p.Ply], inside)
		}
		inside = p.Inside - p.Leave
	}
	checkExits(t, s.Exits, exits)
}

// place is where games leave a book, and what the move loses.
type place struct {
	board, move string
	loss        int
}

// checkExits compares exits with how many games leave by each.
func checkExits(t *testing.T, exits []Exit, want map[place]int) {
	t.Helper()
	if len(exits) != len(want) || !slices.IsSortedFunc(exits, func(a, b Exit) int { return b.Games - a.Games }) {
		t.Errorf("%d exits in order, expected %d", len(exits), len(want))
	}
	for _, e := range exits {
		testkit.Equal(t, want[place{e.Board, e.Move, e.Loss}], e.Games, "%+v:", e)
		line := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
		testkit.NoError(t, line.PlayText(e.Line))
		if line.Position().String() != e.Board || line.Plies() != e.Ply-1 {
			t.Errorf("%+v: its line leads to %s", e, line.Position())
		}
	}
}

func TestPlayRefuses(t *testing.T) {
	b := inMemory(startTree(t, 2))
	_, err := Play(t.Context(), b, oware.Abapa, nil)
	testkit.ErrorContains(t, err, "no games")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Play(ctx, b, oware.Abapa, randomGames(1, oware.Start(oware.Abapa)))
	testkit.ErrorContains(t, err, "canceled")
	damaged := startTree(t, 2)
	damaged[0].Scores[0] = 1001
	_, err = Play(t.Context(), inMemory(damaged), oware.Abapa, randomGames(1, oware.Start(oware.Abapa)))
	testkit.ErrorContains(t, err, "train book verify")
}
