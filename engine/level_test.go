package engine

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// bookOf is a book of some positions.
type bookOf map[oware.Position][]BookMove

func (b bookOf) Moves(p oware.Position) []BookMove { return b[p] }
func (b bookOf) Rules() string                     { return "abapa" }
func (b bookOf) Len() int                          { return len(b) }
func (b bookOf) Checksum() string                  { return "1234abcd" }

// valued returns the moves from the left with their values.
func valued(points ...int) (list []BookMove) {
	for i, v := range points {
		list = append(list, BookMove{games.Move(i), v})
	}
	return list
}

func TestMovesWithinThePolicy(t *testing.T) {
	for _, c := range []struct {
		policy BookPolicy
		points []int
		want   []games.Move
	}{
		{BookPolicy{}, []int{-72, -34, -20, -37, -35, 5}, []games.Move{5}},
		{BookPolicy{}, []int{3, 5, 5}, []games.Move{1, 2}},
		{PolicyOfPoints(42, ""), []int{-72, -34, -20, -37, -38, 5}, []games.Move{1, 2, 3, 5}},
		{PolicyOfPoints(42, Weighted), []int{-72, -34, -20, -37, -38, 5}, []games.Move{1, 2, 3, 5}},
		{PolicyOfPoints(42, Guarded), []int{-72, -34, -20, -37, -38, 5}, []games.Move{1, 2, 3, 5}},
		{PolicyOfPoints(42, Guarded), []int{-41, -42, -43, -10}, []games.Move{0, 3}}, // above max(-52, -42)
		{PolicyOfPoints(42, Even), []int{-41, -42, -52, -53, -10}, []games.Move{0, 1, 2, 4}},
		{PolicyOfPoints(42, Guarded), []int{-60, -61, -60}, []games.Move{0, 2}}, // the best stay
		{PolicyOfPoints(152, Guarded), []int{-151, -152, -10}, []games.Move{0, 2}},
		{PolicyOfPoints(42, Guarded), []int{0, -42, -43}, []games.Move{0, 1}},
	} {
		list, weights := c.policy.playable(valued(c.points...))
		var got []games.Move
		for i, m := range list {
			got = append(got, m.Move)
			if want := 1; c.policy.Variety != Weighted && weights[i] != want {
				t.Errorf("%+v: weight %d", c.policy, weights[i])
			}
		}
		testkit.EqualSlices(t, got, c.want, "%+v, %v", c.policy, c.points)
	}
}

// Draws follow the weights: with a margin of 9 the best counts 10, a move 5 points
// worse 5.
func TestWeightedVarietyPrefersBetterMoves(t *testing.T) {
	p := oware.Start(oware.Abapa)
	b := bookOf{p: valued(5, 10, 0)}
	for variety, share := range map[Variety]float64{Weighted: 10.0 / 15, Even: 0.5, "": 0.5} {
		random := rand.New(rand.NewPCG(1, 1))
		counts := map[games.Move]int{}
		const n = 6000
		for range n {
			pick, found, err := pickMove(b, nil, PolicyOfPoints(9, variety), p, nil, random)
			if err != nil || !found || !slices.Equal(pick.From, []games.Move{0, 1}) {
				t.Fatal(pick, found, err)
			}
			counts[pick.Move]++
		}
		if got := float64(counts[1]) / n; math.Abs(got-share) > 0.03 {
			t.Errorf("%q: the best is played in a share of %.3f, want %.3f", variety, got, share)
		}
	}
}

func TestPickExpectsTheBooksReply(t *testing.T) {
	p := oware.Start(oware.Abapa)
	next := p.Play(5)
	b := bookOf{p: {{5, 3}}, next: valued(-3, -9, -3)}
	if pick, _, _ := pickMove(b, nil, BookPolicy{}, p, nil, nil); !pick.Reply || pick.Ponder != 0 {
		t.Errorf("%+v", pick)
	}
	if pick, found, _ := pickMove(b, nil, BookPolicy{}, p, []oware.Position{next.Play(0)}, nil); !found || pick.Reply {
		t.Errorf("a reply that repeats a position: %+v", pick)
	}
	b[next] = []BookMove{{9, 1}}
	if pick, found, _ := pickMove(b, nil, BookPolicy{}, p, nil, nil); !found || pick.Reply {
		t.Errorf("an illegal reply: %+v", pick)
	}
	delete(b, next)
	if pick, found, _ := pickMove(b, nil, BookPolicy{}, p, nil, nil); !found || pick.Reply {
		t.Errorf("no reply: %+v", pick)
	}
}

func TestIllegalBookMovesAreNotPlayed(t *testing.T) {
	p := oware.Start(oware.Abapa).Play(5) // F is empty afterwards; play it again two plies later
	p = p.Play(0)
	if p.IsLegal(5) {
		t.Fatal("another position is needed")
	}
	if pick, found, err := pickMove(bookOf{p: valued(0, 0, 0, 0, 0, 1)}, nil, BookPolicy{}, p, nil, nil); found || !errors.Is(err, errBookWrong) || pick.Move != 5 {
		t.Errorf("%+v %t %v", pick, found, err)
	}
}

func TestBooksAreNotUsedAtARepetition(t *testing.T) {
	p := oware.Start(oware.Abapa)
	b := bookOf{p: valued(4, 4, 1)}
	for name, c := range map[string]struct {
		history []oware.Position
		found   bool
	}{
		"no history":             {nil, true},
		"the position":           {[]oware.Position{p}, false},
		"after the second best":  {[]oware.Position{p.Play(1)}, false},
		"after a move not drawn": {[]oware.Position{p.Play(2)}, true},
	} {
		if pick, found, err := pickMove(b, nil, BookPolicy{}, p, c.history, nil); err != nil || found != c.found {
			t.Errorf("%s: %+v %t %v", name, pick, found, err)
		}
	}
}

// tablesOf are bounds of some positions.
type tablesOf map[oware.Position][2]int

func (k tablesOf) Final(p oware.Position) (low, high int, ok bool) {
	b, ok := k[p]
	return b[0], b[1], ok
}

func TestPickSkipsMovesRefutedByTables(t *testing.T) {
	// F captures two; E captures nothing, and then the reply f captures.
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-1-1-1-2-0-0-1-6-18-18-S"))(t)
	b := bookOf{p: {{4, 10}, {5, 12}}}
	quiet, capture := p.Play(4), p.Play(5)
	var reply oware.Position
	for _, m := range quiet.AppendMoves(nil) {
		if q := quiet.Play(m); q.Progress() > quiet.Progress() {
			reply = q
		}
	}
	if capture.Progress() == p.Progress() || quiet.Progress() > p.Progress() || reply == (oware.Position{}) {
		t.Fatal("another position is needed")
	}
	for name, c := range map[string]struct {
		tables search.Prober[oware.Position]
		margin int
		want   []games.Move
	}{
		"no tables":            {nil, 5, []games.Move{4, 5}},
		"the capture loses":    {tablesOf{capture: {1, 3}}, 5, []games.Move{4}},
		"no other in reach":    {tablesOf{capture: {1, 3}}, 0, nil},
		"the capture may lose": {tablesOf{capture: {0, 3}}, 5, []games.Move{4, 5}},
		"the reply wins":       {tablesOf{reply: {-4, -2}}, 5, []games.Move{5}},
		"the reply may win":    {tablesOf{reply: {-4, 0}}, 5, []games.Move{4, 5}},
		"both lose":            {tablesOf{reply: {-4, -2}, capture: {2, 4}}, 5, nil},
		"a quiet move":         {tablesOf{quiet: {1, 3}}, 5, []games.Move{4, 5}},
	} {
		random := rand.New(rand.NewPCG(1, 1))
		pick, found, err := pickMove(b, c.tables, PolicyOfPoints(c.margin, ""), p, nil, random)
		if err != nil || found != (c.want != nil) || !slices.Equal(pick.From, c.want) && found {
			t.Errorf("%s: %+v %t %v, want one of %v", name, pick, found, err, c.want)
		}
	}
}

func TestInvalidPoliciesAreRejected(t *testing.T) {
	for policy, good := range map[BookPolicy]bool{
		{}: true, PolicyOfPoints(42, Guarded): true, PolicyOfPoints(MaxBookMargin, ""): true,
		{Loss: -1}: false, {Loss: 24.1}: false, {Variety: "often"}: false,
	} {
		if err := policy.Check(); (err == nil) != good {
			t.Errorf("%+v: %v", policy, err)
		}
	}
}

func TestDefaultBookIsOpenedByName(t *testing.T) {
	c := Config{Depth: 1, HashMB: 1, Tables: NoTables}
	e := testkit.Must(Open(t.Context(), Oware(), Spec{Weights: CapturesName, Book: DefaultName, Search: c}, "abapa"))(t)
	defer e.Close()
	p := Player[oware.Position]{Engine: e}
	if c, err := p.Move(t.Context(), e.Kit.Game.NewLine(oware.Start(oware.Abapa)), p.Limits(), search.Query{}); err != nil || !c.Book || c.Move != 5 || e.BookName() == "" {
		t.Errorf("%+v %q %v", c, e.BookName(), err)
	}
	if _, err := Open(t.Context(), Oware(), Spec{Weights: CapturesName, Book: DefaultName, Search: c}, "awari"); err == nil {
		t.Error("there is a default book for awari")
	}
	for _, none := range []string{"", NoBook} {
		if e, err := Open(t.Context(), Oware(), Spec{Weights: CapturesName, Book: none, Search: c}, "awari"); err != nil || e.Book != nil || e.BookName() != "" {
			t.Errorf("%q: %v", none, err)
		}
	}
}
