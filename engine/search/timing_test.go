package search

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestTimeBudgetStaysWithinTheClock(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		remaining := time.Duration(random.Int64N(int64(10 * time.Minute)))
		increment := time.Duration(random.Int64N(int64(10 * time.Second)))
		overhead := time.Duration(random.Int64N(int64(100 * time.Millisecond)))
		moves := random.IntN(40)
		soft, hard := TimeBudget(remaining, increment, moves, overhead)
		if most := max(remaining-overhead, time.Millisecond); soft < time.Millisecond || soft > hard || hard > most {
			t.Fatalf("TimeBudget(%s, %s, %d, %s) = %s, %s: want 1ms <= soft <= hard <= %s", remaining, increment, moves, overhead, soft, hard, most)
		}
		if s, h := TimeBudget(remaining+time.Second, increment, moves, overhead); s < soft || h < hard {
			t.Fatalf("TimeBudget(%s, %s, %d, %s): a second more gives %s, %s instead of %s, %s", remaining, increment, moves, overhead, s, h, soft, hard)
		}
		if s, h := TimeBudget(remaining, increment+time.Second, moves, overhead); s < soft || h < hard {
			t.Fatalf("TimeBudget(%s, %s, %d, %s): a second more of increment gives %s, %s instead of %s, %s", remaining, increment, moves, overhead, s, h, soft, hard)
		}
		if s, h := TimeBudget(remaining, increment, moves, overhead+time.Second); s > soft || h > hard {
			t.Fatalf("TimeBudget(%s, %s, %d, %s): a second more of overhead gives %s, %s instead of %s, %s", remaining, increment, moves, overhead, s, h, soft, hard)
		}
	}
}

func TestTimeBudgetOfKnownClocks(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		remaining, increment time.Duration
		moves                int
		soft, hard           time.Duration
	}{
		{10_020 * ms, 0, 0, 240 * ms, 1200 * ms},
		{10_020 * ms, 100 * ms, 0, 285 * ms, 1425 * ms},
		{120 * ms, 1000 * ms, 0, 60 * ms, 60 * ms}, // most of the time left
		{1020 * ms, 0, 1, 600 * ms, 1000 * ms},     // the last move before more time
		{0, 0, 0, 1 * ms, 1 * ms},
	} {
		if soft, hard := TimeBudget(c.remaining, c.increment, c.moves, 20*ms); soft != c.soft || hard != c.hard {
			t.Errorf("%s + %s, %d moves: %s and %s, want %s and %s", c.remaining, c.increment, c.moves, soft, hard, c.soft, c.hard)
		}
	}
}

func TestSoftLimitEndsBetweenIterations(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1})
	p := oware.Start(oware.Abapa)
	r := s.Search(context.Background(), p, nil, Limits{Soft: 1}, Query{})
	if r.Depth != 1 || r.Stopped {
		t.Errorf("depth %d, stopped %v: want one whole iteration", r.Depth, r.Stopped)
	}
	one := board(t, oware.Abapa, "0-0-0-0-0-3-4-4-4-4-4-4-10-11-S")
	if r := s.Search(context.Background(), one, nil, Limits{Soft: time.Hour}, Query{}); r.Depth != 1 || r.Best != 5 {
		t.Errorf("a single move: depth %d, move %d", r.Depth, r.Best)
	}
}

// The soft limit is 20 units, after iterations with these best moves and scores.
func TestSoftLimitIsStretched(t *testing.T) {
	for _, c := range []struct {
		name   string
		moves  string
		scores []int
		want   time.Duration
	}{
		{"first iteration", "A", []int{0}, 30},
		{"the move changed", "AAB", []int{0, 0, 0}, 30},
		{"the move is stable for one iteration", "BAA", []int{0, 0, 0}, 20},
		{"the move is stable for three", "AAAA", []int{0, 0, 0, 0}, 20},
		{"the move is stable for four", "AAAAA", []int{0, 0, 0, 0, 0}, 14},
		{"the score fell", "AAA", []int{50, 0, -75}, 30},
		{"the score fell with a stable move", "AAAAA", []int{0, 0, 0, 0, -100}, 30},
		{"the score fell and the move changed", "AAB", []int{0, 0, -100}, 45},
		{"the score only swings", "AAA", []int{-100, 100, -100}, 20},
		{"the score fell a little", "AAA", []int{0, 0, -74}, 20},
		{"the score fell long ago", "AAAAAA", []int{0, 0, -900, -900, -900, -900}, 14},
		{"the score rose", "AAA", []int{0, 0, 900}, 20},
	} {
		tr := trend{fallen: 75}
		for i, m := range []byte(c.moves) {
			tr.add(Line{Move: Move(m - 'A'), Score: c.scores[i]})
		}
		testkit.Equal(t, tr.stretch(20), c.want, "%s", c.name)
	}
}

// ponderTo5 searches with the limits, pondering until depth 5 is finished.
func ponderTo5(t *testing.T, p oware.Position, lim Limits) Result {
	t.Helper()
	hit := make(chan struct{})
	return NewSearcher(captures, Options{HashMB: 1}).Search(context.Background(), p, nil, lim, Query{
		Ponder: hit,
		Info: func(r Result) {
			if r.Depth == 5 {
				close(hit)
			}
		},
	})
}

func TestPonderingSuspendsTheTimeLimits(t *testing.T) {
	start := oware.Start(oware.Abapa)
	if r := ponderTo5(t, start, Limits{Time: 1}); r.Depth < 5 || !r.Stopped {
		t.Errorf("Time: depth %d, stopped %v: want the deadline after depth 5", r.Depth, r.Stopped)
	}
	// The soft time ran out while pondering: the search ends at the hit.
	if r := ponderTo5(t, start, Limits{Soft: 1}); r.Depth != 5 {
		t.Errorf("Soft: depth %d, want 5", r.Depth)
	}
	// A single move is pondered too.
	one := board(t, oware.Abapa, "0-0-0-0-0-3-4-4-4-4-4-4-10-11-S")
	if r := ponderTo5(t, one, Limits{Soft: time.Hour}); r.Depth != 5 {
		t.Errorf("a single move: depth %d, want 5", r.Depth)
	}
	// Other limits end the search while pondering.
	if r := ponderTo5(t, start, Limits{Soft: time.Hour, Depth: 3}); r.Depth != 3 {
		t.Errorf("Depth: depth %d, want 3", r.Depth)
	}
}

// The hit may come during an iteration that would not have started without pondering.
func TestPonderingTooLongEndsInsideAnIteration(t *testing.T) {
	hit := make(chan struct{})
	c := clock{hit: hit, soft: 1, time: time.Hour, begin: time.Now().Add(-time.Second)}
	tr := trend{stable: 1}
	if c.enough(2, &tr) || !c.overdue {
		t.Fatalf("overdue %v: want the search to continue while pondering", c.overdue)
	}
	c.schedule()
	if c.check(); c.stopped {
		t.Fatal("stopped while pondering")
	}
	close(hit)
	if c.check(); !c.stopped {
		t.Error("continues after the hit")
	}
}

func TestContemptIsTheValueOfADraw(t *testing.T) {
	// South has one move, after which North has none: 24 to 24.
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-1-0-0-0-0-0-0-24-23-S"))(t)
	s := NewSearcher(captures, Options{HashMB: 1})
	for _, contempt := range []int{0, 30, -30, 0} {
		r := s.Search(context.Background(), p, nil, Limits{Depth: 3}, Query{Contempt: contempt})
		testkit.Equal(t, r.Score, -contempt, "contempt %d: score", contempt)
	}
}

func TestSteadyIsTheMeanOfTheLastIterations(t *testing.T) {
	for _, c := range []struct {
		scores []int
		want   int
	}{
		{[]int{7}, 7},
		{[]int{7, 10}, 9}, // rounded away from 0
		{[]int{-7, -10}, -9},
		{[]int{1000, 10, 20, 31}, 20}, // of three
		{[]int{-10, -20, -31}, -20},
		{[]int{10, 20, 0}, 10},
		{[]int{10, 20, Win - 3}, Win - 3}, // a proof is not averaged
		{[]int{10, Win - 3, 20}, 20},
		{[]int{-Win + 3, 1, 2, 3}, 2}, // an old proof does not matter
	} {
		var s Steady
		for _, score := range c.scores {
			s.Add(score)
		}
		testkit.Equal(t, s.Mean(c.scores[len(c.scores)-1]), c.want, "%v", c.scores)
	}
}

func TestResultsAreSteadyOverTheirOwnIterations(t *testing.T) {
	s := newSearcher(captures, Options{}, newTable(1<<20))
	differ := 0
	for _, x := range midgames(rand.New(rand.NewPCG(3, 0)), oware.Abapa, 5) { // searches do not share scores
		var scores []int
		r := s.Search(context.Background(), x.root, x.history, Limits{Depth: 9}, Query{Info: func(r Result) {
			scores = append(scores, r.Score)
			from, sum := max(0, len(scores)-steadyWindow), 0
			for _, score := range scores[from:] {
				sum += score
			}
			if want := math.Round(float64(sum) / float64(len(scores)-from)); float64(r.Steady) != want && !r.Proven {
				t.Errorf("scores %v: %d, want %v", scores, r.Steady, want)
			}
		}})
		if r.Steady != r.Score {
			differ++
		}
	}
	if differ == 0 {
		t.Error("all steady scores equal those of the last iteration")
	}
}
