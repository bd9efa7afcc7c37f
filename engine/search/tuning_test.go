package search

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestTuningDefaultsToCaptures(t *testing.T) {
	never := MaxPly + 1
	for _, c := range []struct {
		t         Tuning
		fullWidth bool
		want      Tuning
	}{
		{Tuning{}, false, Tuning{300, 150, 75, 4, never, 4 * Win, never, 100, 25, 0, 100, 100}},
		{Tuning{}, true, Tuning{300, 150, 75, 5, never, 4 * Win, never, 100, 25, 0, 100, 100}},
		{Tuning{1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14}, false, Tuning{1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
		{Tuning{1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14}, true, Tuning{1, 2, 3, 6, 7, 8, never, 10, 11, 12, 13, 14}},
		{Tuning{TableDepth: -1}, false, Tuning{300, 150, 75, 1, never, 4 * Win, never, 100, 25, 0, 100, 100}},
	} {
		testkit.Equal(t, c.t.WithDefaults(c.fullWidth), c.want, "%+v, full width %t", c.t, c.fullWidth)
	}
}

// The order agrees with a sort by the standard library.
func TestRankIsTacticalFirstThenByStaticValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(78, 0))
	eval := thesisWeights()
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
		s.rank(p, moves, priority, 3)
		if got := values(p, eval, moves); !slices.Equal(got, values(p, eval, want)) {
			t.Fatalf("%s: %v in the order of %v, want the order of %v", p, got, moves, want)
		}
		for i, m := range moves {
			if isQuiet(priority[i]) != (p.Gain(m) == 0) || isPostponed(priority[i]) || priority[i] >= hashPriority {
				t.Fatalf("%s: move %d captures %d, priority %d", p, m, p.Gain(m), priority[i])
			}
		}
	}
}

// The order of moves does not change the value, and at full width nothing is reduced.
func TestTuningKeepsStrictDepthMinimax(t *testing.T) {
	k := Knowledge[oware.Position]{Eval: thesisWeights(), Tuning: Tuning{TableDepth: 1, RankDepth: 1, ReduceBelow: 1, UnseenDepth: 1}}
	for _, x := range midgames(rand.New(rand.NewPCG(80, 0)), oware.Abapa, 40) {
		want, _ := Minimax(x.root, x.history, 5, k.Eval)
		got := NewSearcher(k, Options{HashMB: 1, StrictDepth: true}).Search(context.Background(), x.root, x.history, Limits{Depth: 5}, Query{})
		testkit.Equal(t, got.Score, want, "%s", x.root)
	}
}

// A new searcher has no hash move for the root.
func TestNodesWithoutAHashMoveAreSearchedAPlyShallower(t *testing.T) {
	for _, x := range midgames(rand.New(rand.NewPCG(81, 0)), oware.Abapa, 50) {
		score := func(unseen, depth int) (int, int64) {
			k := captures
			k.Tuning.UnseenDepth = unseen
			s := NewSearcher(k, Options{HashMB: 1})
			s.clock.start(context.Background(), Limits{}, nil)
			s.setContempt(0)
			s.setRoot(x.root, x.history)
			score := s.lookUp(x.root, depth, -Win, Win, 0, 0)
			return score, s.clock.nodes
		}
		score6, nodes6 := score(6, 6)
		score5, nodes5 := score(0, 5)
		if score6 != score5 || nodes6 != nodes5 {
			t.Errorf("%s: depth 6 unseen gives %d in %d nodes, want the same as depth 5, %d in %d", x.root, score6, nodes6, score5, nodes5)
		}
	}
}

// Reductions in hundredths of a ply are added before they are rounded down to plies.
func TestLateReductionsAddUp(t *testing.T) {
	tuning := Tuning{RankDepth: 3, ReduceBelow: 200, Late: 60, LateDepth: 10, LateFourth: 30, LateFifth: 90, LateBelow: 120}
	s := NewSearcher(Knowledge[oware.Position]{Eval: thesisWeights(), Tuning: tuning}, Options{HashMB: -1})
	for _, c := range []struct{ i, depth, alpha, want int }{
		{1, 12, 0, 0}, {2, 12, 0, 1}, {3, 12, 0, 2}, {4, 12, 0, 2}, {5, 12, 0, 2}, {2, 14, 0, 2}, {3, 13, 0, 2}, {4, 15, 0, 3},
		{1, 12, 200, 1}, {2, 12, 200, 3}, {3, 11, 200, 3}, {4, 12, 200, 3}, {4, 15, 200, 4}, {4, 3, 200, 2}, {5, 2, 200, 0},
	} {
		testkit.Equal(t, s.lateReduction(c.i, c.depth, c.alpha, -Win), c.want, "move %d, depth %d, alpha %d", c.i, c.depth, c.alpha)
		testkit.Equal(t, s.lateReduction(c.i, c.depth, c.alpha, Win), 0, "a tactical move is reduced by")
	}
}

// Settings has each field once, with its default within the range, and other values change the
// search.
func TestSettingsAreAllFields(t *testing.T) {
	given := Tuning{TableDepth: 3, RankDepth: 3, ReduceBelow: 200, UnseenDepth: 5}
	games := midgames(rand.New(rand.NewPCG(82, 0)), oware.Abapa, 20)
	nodes := func(tuning Tuning) (n int64) {
		s := NewSearcher(Knowledge[oware.Position]{Eval: thesisWeights(), Tuning: tuning}, Options{HashMB: 1})
		for _, x := range games {
			n += s.Search(context.Background(), x.root, x.history, Limits{Depth: 10}, Query{}).Nodes
		}
		return n
	}
	byDefault := nodes(given)
	defaults := given.WithDefaults(false)
	if got := nodes(defaults); got != byDefault {
		t.Fatalf("%d nodes with defaults filled in, %d without", got, byDefault)
	}
	if fields := reflect.TypeFor[Tuning]().NumField(); len(defaults.Settings()) != fields {
		t.Fatalf("%d settings of %d fields", len(defaults.Settings()), fields)
	}
	for i, field := range reflect.VisibleFields(reflect.TypeFor[Tuning]()) {
		tuning := defaults
		set := tuning.Settings()[i]
		if set.Name != field.Name || set.Value != reflect.ValueOf(&tuning).Elem().Field(i).Addr().Interface() {
			t.Errorf("setting %d is %s: want the field %s", i, set.Name, field.Name)
		}
		if *set.Value < set.Min || *set.Value > set.Max {
			t.Errorf("%s is %d by default: want %d to %d", set.Name, *set.Value, set.Min, set.Max)
		}
		own := *set.Value
		for _, v := range []int{set.Min, set.Max} {
			same := v == own || set.Name == "Fallen" // which matters only under a clock
			*set.Value = v
			if got := nodes(tuning); (got == byDefault) != same {
				t.Errorf("%s %d: %d nodes, by default %d", set.Name, v, got, byDefault)
			}
		}
	}
}

// thesisWeights evaluates oware by the published four weights of the thesis.
func thesisWeights() Evaluator[oware.Position] {
	m, _ := owarefeatures.FindPublished("thesis4")
	return owarefeatures.NewCounts(m)
}

// values returns the static values after the moves.
func values(p oware.Position, eval Evaluator[oware.Position], moves []Move) (list []int) {
	for _, m := range moves {
		list = append(list, -eval.Evaluate(p.Play(m)))
	}
	return list
}
