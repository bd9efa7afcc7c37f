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
	testkit.Refused(t, err, "no games")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Play(ctx, b, oware.Abapa, randomGames(1, oware.Start(oware.Abapa)))
	testkit.Refused(t, err, "canceled")
	damaged := startTree(t, 2)
	damaged[0].Scores[0] = 1001
	_, err = Play(t.Context(), inMemory(damaged), oware.Abapa, randomGames(1, oware.Start(oware.Abapa)))
	testkit.Refused(t, err, "train book verify")
}
