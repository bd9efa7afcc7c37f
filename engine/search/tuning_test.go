package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/games/oware"
)

func TestTuningDefaultsToCaptures(t *testing.T) {
	never := MaxPly + 1
	for _, c := range []struct {
		t         Tuning
		fullWidth bool
		want      Tuning
	}{
		{Tuning{}, false, Tuning{300, 150, 75, 4, never}},
		{Tuning{}, true, Tuning{300, 150, 75, 5, never}},
		{Tuning{1, 2, 3, 6, 7}, true, Tuning{1, 2, 3, 6, 7}},
		{Tuning{TableDepth: -1}, false, Tuning{300, 150, 75, 1, never}},
	} {
		if got := c.t.withDefaults(c.fullWidth); got != c.want {
			t.Errorf("%+v, full width %t: %+v, want %+v", c.t, c.fullWidth, got, c.want)
		}
	}
}

// TestRankIsTacticalFirstThenByStaticValue compares rank with the library's sort.
func TestRankIsTacticalFirstThenByStaticValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(78, 0))
	eval := newPatterns()
	s := NewSearcher(Knowledge[oware.Position]{Eval: eval}, Options{HashMB: -1})
	for _, x := range midgames(rng, oware.Abapa, 2000) {
		p := x.root
		moves, priority := s.orderMoves(p, noMove, 3)
		want := p.AppendMoves(nil)
		slices.SortStableFunc(want, func(a, b Move) int {
			ga, gb := p.Gain(a), p.Gain(b)
			if (ga > 0) != (gb > 0) {
				return gb - ga
			}
			return eval.Evaluate(p.Play(a)) - eval.Evaluate(p.Play(b))
		})
		s.rank(p, moves, priority)
		if got := values(p, eval, moves); !slices.Equal(got, values(p, eval, want)) {
			t.Fatalf("%s: %v in the order of %v, want that of %v", p, got, moves, want)
		}
		for i, m := range moves {
			if quiet(priority[i]) != (p.Gain(m) == 0) || deferred(priority[i]) || priority[i] >= hashPriority {
				t.Fatalf("%s: move %d captures %d, priority %d", p, m, p.Gain(m), priority[i])
			}
		}
	}
}

// values are the static values after the moves.
func values(p oware.Position, eval Evaluator[oware.Position], moves []Move) (list []int) {
	for _, m := range moves {
		list = append(list, -eval.Evaluate(p.Play(m)))
	}
	return list
}

// TestRankChangesNothingForCaptures: what a move captures is what it gains in
// captured seeds.
func TestRankChangesNothingForCaptures(t *testing.T) {
	ranked := captures
	ranked.Tuning.RankDepth = 1
	for _, x := range midgames(rand.New(rand.NewPCG(79, 0)), oware.Abapa, 20) {
		want := NewSearcher(captures, Options{HashMB: 1}).Search(context.Background(), x.root, x.history, Limits{Depth: 12}, Query{})
		got := NewSearcher(ranked, Options{HashMB: 1}).Search(context.Background(), x.root, x.history, Limits{Depth: 12}, Query{})
		if got.Nodes != want.Nodes || got.Score != want.Score || !slices.Equal(got.PV, want.PV) {
			t.Errorf("%s: %d nodes, score %d, %v; without ranks %d, %d, %v", x.root, got.Nodes, got.Score, got.PV, want.Nodes, want.Score, want.PV)
		}
	}
}

// TestRankKeepsStrictDepthMinimax: the order of moves does not change the value.
func TestRankKeepsStrictDepthMinimax(t *testing.T) {
	k := Knowledge[oware.Position]{Eval: newPatterns(), Tuning: Tuning{TableDepth: 1, RankDepth: 1}}
	for _, x := range midgames(rand.New(rand.NewPCG(80, 0)), oware.Abapa, 40) {
		want, _ := Minimax(x.root, x.history, 5, k.Eval)
		got := NewSearcher(k, Options{HashMB: 1, StrictDepth: true}).Search(context.Background(), x.root, x.history, Limits{Depth: 5}, Query{})
		if got.Score != want {
			t.Errorf("%s: %d, want %d", x.root, got.Score, want)
		}
	}
}
