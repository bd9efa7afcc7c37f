package tune

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"kroo/internal/parallel"
	"kroo/internal/testkit"
	"kroo/match"
	"kroo/match/elo"
)

// fakePair plays without a program: the higher value of the first option wins; equal values draw.
func fakePair(b match.Bout) (o [2]elo.Outcome) {
	points := 1
	if a, b := b.Sides[0][0].Value, b.Sides[1][0].Value; a != b {
		points = map[bool]int{true: 2, false: 0}[strings.Contains(a, ".")]
	}
	o[0].Points, o[1].Points = points, points
	return o
}

// fakes plays bouts by a function, n at a time.
func fakes(workers int, play func(match.Bout) [2]elo.Outcome) func(context.Context, parallel.Feed[match.Bout], func(match.Bout, [2]elo.Outcome) error) error {
	return func(ctx context.Context, feed parallel.Feed[match.Bout], done func(match.Bout, [2]elo.Outcome) error) error {
		return parallel.Collect(ctx, workers, feed, func(_ context.Context, _ int, b match.Bout) ([2]elo.Outcome, error) { return play(b), nil }, done)
	}
}

func newTuning(iterations, ahead int) *tuning {
	c := Config{Ahead: ahead}
	c.Pairs = iterations
	return &tuning{spsa: newSPSA(hill, iterations, ahead, 1), result: newResult(c, "", hill)}
}

// A tuning that is stopped after any number of pairs ends as one that is not, whatever
// the number of workers.
func TestTuningResumesFromJournal(t *testing.T) {
	t.Parallel()
	const iterations, ahead = 60, 7
	var lock sync.Mutex
	journal := map[int]pair{}
	whole := newTuning(iterations, ahead)
	err := whole.play(t.Context(), nil, fakes(1, fakePair), func(p pair) error { journal[p.Iteration] = p; return nil })
	if err != nil || len(journal) != iterations || whole.spsa.applied != iterations {
		t.Fatalf("%d pairs, %d applied, error %v", len(journal), whole.spsa.applied, err)
	}
	want := whole.result.at(whole.spsa)
	for _, stop := range []int{1, 30, 59} {
		finished, stopped := map[int]pair{}, errors.New("stopped")
		keep := func(p pair) error {
			lock.Lock()
			defer lock.Unlock()
			if len(finished) == stop {
				return stopped
			}
			finished[p.Iteration] = p
			return nil
		}
		if err := newTuning(iterations, ahead).play(t.Context(), nil, fakes(3, fakePair), keep); !errors.Is(err, stopped) {
			t.Fatalf("error %v", err)
		}
		again := 0
		rest := newTuning(iterations, ahead)
		if err := rest.play(t.Context(), finished, fakes(3, fakePair), func(pair) error { again++; return nil }); err != nil || again != iterations-stop {
			t.Errorf("stopped after %d: %d more, error %v", stop, again, err)
		}
		if got := rest.result.at(rest.spsa); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped after %d: %+v: want %+v", stop, got, want)
		}
	}
}

// A short tuning of which a quarter was forfeited ends in an error as well, with the reason.
func TestAShortTuningOfForfeitsFails(t *testing.T) {
	t.Parallel()
	for forfeits, want := range map[int]string{0: "", 1: "", 2: "2 of 8 games were forfeited; the first: no answer"} {
		n := 0
		some := func(match.Bout) (o [2]elo.Outcome) {
			if n++; n <= forfeits {
				o[0] = elo.Outcome{Forfeit: [2]bool{true, false}, Reason: "no answer"}
			}
			return o
		}
		err := newTuning(4, 1).play(t.Context(), nil, fakes(1, some), func(pair) error { return nil })
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d of 8 games: error %v, want %q", forfeits, err, want)
		}
	}
}

func TestATuningOfAProgramThatForfeitsEnds(t *testing.T) {
	t.Parallel()
	played := 0
	lost := func(match.Bout) (o [2]elo.Outcome) {
		played++
		o[0].Forfeit[0], o[1].Points = true, 2
		return o
	}
	err := newTuning(1000, 1).play(t.Context(), nil, fakes(1, lost), func(pair) error { return nil })
	testkit.Refused(t, err, "20 of 40 games were forfeited")
}
