package engine

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"kroo/games/oware"
)

func TestAllotStaysWithinTheClock(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		remaining := time.Duration(random.Int64N(int64(10 * time.Minute)))
		increment := time.Duration(random.Int64N(int64(10 * time.Second)))
		overhead := time.Duration(random.Int64N(int64(100 * time.Millisecond)))
		moves := random.IntN(40)
		soft, hard := Allot(remaining, increment, moves, overhead)
		if most := max(remaining-overhead, time.Millisecond); soft < time.Millisecond || soft > hard || hard > most {
			t.Fatalf("Allot(%s, %s, %d, %s) = %s, %s: want 1ms <= soft <= hard <= %s", remaining, increment, moves, overhead, soft, hard, most)
		}
		if more, _ := Allot(remaining+time.Second, increment, moves, overhead); more < soft {
			t.Fatalf("Allot(%s, %s, %d, %s): a second more gives %s instead of %s", remaining, increment, moves, overhead, more, soft)
		}
	}
}

func TestAllotOfKnownClocks(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		remaining, increment time.Duration
		moves                int
		soft, hard           time.Duration
	}{
		{10_020 * ms, 0, 0, 240 * ms, 1200 * ms},
		{10_020 * ms, 100 * ms, 0, 285 * ms, 1425 * ms},
		{120 * ms, 1000 * ms, 0, 60 * ms, 60 * ms}, // most of what is left
		{1020 * ms, 0, 1, 600 * ms, 1000 * ms},     // the last move before more time
		{0, 0, 0, 1 * ms, 1 * ms},
	} {
		if soft, hard := Allot(c.remaining, c.increment, c.moves, 20*ms); soft != c.soft || hard != c.hard {
			t.Errorf("%s + %s, %d moves: %s and %s, want %s and %s", c.remaining, c.increment, c.moves, soft, hard, c.soft, c.hard)
		}
	}
}

func TestSoftLimitEndsBetweenIterations(t *testing.T) {
	s := NewSearcher(Captures, Options{HashMB: 1})
	p := oware.Start(oware.Abapa)
	r := s.Search(context.Background(), p, nil, Limits{Soft: 1}, Query{})
	if r.Depth != 1 || r.Stopped {
		t.Errorf("depth %d, stopped %v: want one whole iteration", r.Depth, r.Stopped)
	}
	one, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-0-3-4-4-4-4-4-4-10-11-S")
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Search(context.Background(), one, nil, Limits{Soft: time.Hour}, Query{}); r.Depth != 1 || r.Best != 5 {
		t.Errorf("a single move: depth %d, move %d", r.Depth, r.Best)
	}
}

func TestContemptIsTheValueOfADraw(t *testing.T) {
	// South has one move, after which North has none: 24 to 24.
	p, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-0-1-0-0-0-0-0-0-24-23-S")
	if err != nil {
		t.Fatal(err)
	}
	s := NewSearcher(Captures, Options{HashMB: 1})
	for _, contempt := range []int{0, 30, -30, 0} {
		r := s.Search(context.Background(), p, nil, Limits{Depth: 3}, Query{Contempt: contempt})
		if r.Score != -contempt {
			t.Errorf("contempt %d: score %d", contempt, r.Score)
		}
	}
}
