package study

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"kroo/endgame"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// oracle is a pool that plays by the table: the best moves, or the worst.
type oracle struct {
	table *endgame.Table
	best  bool
}

func (o oracle) Search(ctx context.Context, feed engine.Feed[oware.Position], done func(engine.Job[oware.Position], engine.Answer) error) error {
	return feed(ctx, func(j engine.Job[oware.Position]) error {
		chosen, value := oware.Move(0), math.MinInt
		for _, m := range j.Position.AppendMoves(nil) {
			_, high, _ := o.table.Final(j.Position.Play(m))
			if !o.best {
				high = -high
			}
			if -high > value {
				chosen, value = m, -high
			}
		}
		return done(j, engine.Answer{Move: chosen})
	})
}

func table(t *testing.T, r oware.Rules) *endgame.Table {
	t.Helper()
	return testkit.Must(endgame.Build(t.Context(), endgame.Config{Rules: r, Bounds: map[bool]endgame.Bounds{true: endgame.Sharp, false: endgame.Exact}[r == oware.Abapa], Seeds: 6}, nil))(t)
}

func TestAccuracyWithTableIsPerfect(t *testing.T) {
	for _, r := range []oware.Rules{oware.Abapa, oware.Awari} {
		for _, best := range []bool{true, false} {
			tab := table(t, r)
			c := AccuracyConfig{Fewest: 5, Most: 6, Positions: 50, Nodes: []int64{1, 2}, Seed: 1, Player: "an oracle"}
			got, err := Accuracy(t.Context(), oracle{tab, best}, tab, c, nil)
			if err != nil || len(got.Lines) != 3 {
				t.Fatalf("%+v, %v", got, err)
			}
			for _, l := range got.Lines {
				for i := range c.Nodes {
					want := 0
					if best {
						want = l.Value[i].Positions
					}
					if v := l.Value[i]; v.Positions < 50 || v.Kept != want {
						t.Errorf("%s, best %v, %d seeds: %+v", r, best, l.Seeds, v)
					}
					if v := l.Result[i]; best && v.Kept != v.Positions || v.Positions > l.Value[i].Positions {
						t.Errorf("%s, best %v, %d seeds, result: %+v", r, best, l.Seeds, v)
					}
				}
			}
			if rows := tableOf(got); len(rows) != 4 || rows[3][0] != "all" || len(rows[1]) != len(rows[0]) || !strings.Contains(notesOf(got), "an oracle") || len(chartOf(got).Curves) != 2 {
				t.Errorf("%q, %s", rows, notesOf(got))
			}
		}
	}
}

func TestAccuracyOfTheEngine(t *testing.T) {
	tab := table(t, oware.Awari)
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: engine.NoTables}}, "awari"))(t)
	defer e.Close()
	measure := func(workers int) *AccuracyResult {
		pool := testkit.Must(e.Searchers(workers))(t)
		return testkit.Must(Accuracy(t.Context(), pool, tab, AccuracyConfig{Fewest: 5, Most: 6, Positions: 100, Nodes: []int64{20, 20_000}, Seed: 1}, nil))(t)
	}
	r := measure(1)
	if v := r.Lines[2].Value; v[0].Share > 0.78 || v[1].Share < 0.78 || v[0].Low >= v[0].Share || v[0].High <= v[0].Share {
		t.Errorf("%+v", v)
	}
	if again := measure(3); !reflect.DeepEqual(again, r) {
		t.Errorf("three workers: %+v, one: %+v", again, r)
	}
	if _, err := Accuracy(t.Context(), nil, tab, AccuracyConfig{Fewest: 5, Most: 7}, nil); err == nil {
		t.Error("more seeds than the table has")
	}
}

// A move counts as wrong only if it is proven to lose something, and a position only if some move does.
func TestPositionsThatCount(t *testing.T) {
	moves := []oware.Move{0, 3}
	for _, c := range []struct {
		lows, highs []int
		want        map[oware.Move]bool
	}{
		{[]int{2, 2}, []int{2, 2}, nil},
		{[]int{2, 0}, []int{2, 0}, map[oware.Move]bool{0: true, 3: false}},
		{[]int{2, 0}, []int{2, 4}, nil}, // the second may keep it
		{[]int{0, 0}, []int{0, 0}, nil}, // none does, when history has made the value
		{[]int{-4, 3}, []int{1, 5}, map[oware.Move]bool{0: false, 3: true}},
	} {
		if got := keeping(moves, c.lows, c.highs, 2); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	tab := table(t, oware.Awari)
	found, rejected := drawChoices(tab, 1, 10, rand.New(rand.NewPCG(1, 1)))
	if len(found) != 0 || rejected == 0 {
		t.Errorf("one seed leaves no choice: %v, %d rejected", found, rejected)
	}
}

func TestWilsonsInterval(t *testing.T) {
	for _, c := range []struct{ kept, of, low, high float64 }{{81, 263, 0.2553, 0.3662}, {10, 10, 0.7225, 1}} { // the first is Newcombe's (1998)
		k := Kept{Positions: int(c.of), Kept: int(c.kept)}
		if k.interval(); math.Abs(k.Low-c.low) > 5e-5 || math.Abs(k.High-c.high) > 5e-5 {
			t.Errorf("%+v: want %+v", k, c)
		}
	}
}
