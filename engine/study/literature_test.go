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
	"kroo/engine/search"
	"kroo/features"
	chessfeatures "kroo/features/chess"
	othellofeatures "kroo/features/othello"
	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

func squareWeights(t *testing.T, set, rules string, points ...float64) *othellofeatures.Model {
	t.Helper()
	s := testkit.Must(othellofeatures.Sets.ByName(set))(t)
	return testkit.Must(othellofeatures.Sets.Model(testkit.Must(features.New("othello", rules, s.Info, s.Names(), points))(t)))(t)
}

func TestThePublishedTableAgreesWithItselfInAnyUnit(t *testing.T) {
	var points []float64
	for _, v := range othellofeatures.Figure3 {
		points = append(points, 7*v)
	}
	r := testkit.Must(Figure3(squareWeights(t, "squares", "8x8", points...)))(t)
	if math.Abs(r.Scale-7) > 1e-9 || math.Abs(r.R-1) > 1e-9 || r.Agree != 60 {
		t.Errorf("scale %g, R %g, %d squares agree: want 7, 1, 60", r.Scale, r.R, r.Agree)
	}
	sum := 0
	for _, l := range r.Classes {
		if l.Fitted != l.Published || !l.Agrees {
			t.Errorf("%s: %g, published %g", l.Square, l.Fitted, l.Published)
		}
		sum += l.Squares
	}
	testkit.Equal(t, sum, 60, "classes of")
}

func TestFittedSquaresAgreeWithinRounding(t *testing.T) {
	w := squareWeights(t, "squares", "8x8", 9, 3, 5, 5, 0, 2, 1, 4, 3)
	w.Named.Points[1], w.Named.Points[4], w.Named.Points[8] = 0.5, -6, 8 // b1, b2, d3
	r := testkit.Must(Figure3(w))(t)
	want := map[string]bool{"d2": true, "b1": false, "b2": false, "d3": false}
	for _, l := range r.Classes {
		if agrees, asked := want[l.Square]; asked {
			testkit.Equal(t, l.Agrees, agrees, "%s agrees", l.Square)
		}
	}
	if note := r.Doc().Text(""); strings.Count(note, "·") != 8 || !strings.Contains(note, "   9   3   5   5   5   5   3   9") {
		t.Errorf("boards\n%s", note)
	}
	if rows := tableOf(r); len(rows) != 10 || len(chartOf(r).Curves) != 2 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestFigure3RefusesTheSmallBoard(t *testing.T) {
	_, err := Figure3(squareWeights(t, "squares6", "6x6", 1, 2, 3, 4, 5))
	testkit.ErrorContains(t, err, "expected squares for 8x8")
}

func TestFigure3RefusesWeightsWithoutSomeClasses(t *testing.T) {
	w := squareWeights(t, "squares", "8x8", 9, 3, 5, 5, 0, 2, 1, 4, 3)
	w.Named.Features, w.Named.Points = w.Named.Features[:8], w.Named.Points[:8]
	_, err := Figure3(w)
	testkit.ErrorContains(t, err, "8 features, without d3: expected all 9 of set squares")
}

// Every figure of the published sessions that the reconstruction determines.
func TestLaMoScasSessions(t *testing.T) {
	r := testkit.Must(LaMoSca(t.Context(), chessfeatures.LaMoSca(), "lamosca", nil))(t)
	check := func(list []MoveValue, moves, want int) {
		t.Helper()
		n := 0
		for _, v := range list {
			if v.Published == nil {
				continue
			}
			if n++; v.Value != *v.Published {
				t.Errorf("%s is worth %d, want %d", v.Move, v.Value, *v.Published)
			}
		}
		if n != want || len(list) != moves {
			t.Errorf("%d moves, %d of them published: want %d and %d", len(list), n, moves, want)
		}
	}
	check(r.Replies, 20, 20)
	check(r.Sessions[0].Moves, 20, 20)
	check(r.Sessions[1].Moves, 20, 2)
	if r.First != "a2a3" || r.Sessions[0].Choice != "d2d4" || r.Sessions[1].Choice != "b1c3" {
		t.Errorf("after %s it chooses %s and %s, want d2d4 and b1c3", r.First, r.Sessions[0].Choice, r.Sessions[1].Choice)
	}
	testkit.Equal(t, r.Sessions[1].Moves[7].Reply, "b8c6", "d2d4 is refuted by")
	if r.Line.Value != -101 || r.Line.Published != -101 {
		t.Errorf("%s is worth %d, want -101", r.Line.Moves, r.Line.Value)
	}
	if r.Sessions[0].Leaves != 400 || r.Sessions[1].Leaves != 197742 {
		t.Errorf("%d and %d leaves", r.Sessions[0].Leaves, r.Sessions[1].Leaves)
	}
	if rows := tableOf(r); len(rows) != 1+20+21+21+1 {
		t.Errorf("%d rows", len(rows))
	}
}

// The counts were found first by a program that shares no code with this one. They are
// of games that no majority of seeds ends, as in the source.
func TestListingsAgreeWithPublishedSeconds(t *testing.T) {
	counts := map[string]map[int]int64{
		alphaBetaListing: {13: 1_519_419, 14: 2_837_418, 15: 9_016_343},
		negascoutListing: {13: 960_997, 14: 1_868_335, 15: 5_856_337},
	}
	if testenv.Long() {
		counts[alphaBetaListing][18], counts[negascoutListing][18] = 99_351_501, 63_897_624
	}
	for _, l := range owareListings(t.Context(), engine.Captures().Evaluator) {
		for depth, want := range counts[l.name] {
			if c := l.fresh()(oware.Start(oware.SimpleToEnd), depth); c.nodes != want || c.score != 0 {
				t.Errorf("%s, depth %d: %d positions, value %d: want %d and 0", l.name, depth, c.nodes, c.score, want)
			}
		}
	}
}

// payoffMinimax is the slow twin of the listings.
func payoffMinimax(p oware.Position, depth int) int {
	if diff, over := p.Terminal(); over {
		return 100 * diff
	}
	if depth == 0 {
		return engine.Captures().Evaluate(p)
	}
	best := -infinity
	for _, m := range p.AppendMoves(nil) {
		best = max(best, -payoffMinimax(p.Play(m), depth-1))
	}
	return best
}

func TestListingsFindTheMinimaxOfSeeds(t *testing.T) {
	list := testkit.Must(positions(t.Context(), owareSubject(), Sample{Rules: "simple-to-end", Positions: 100, Seed: 3}))(t)
	over := 0
	for i, p := range list {
		depth := 1 + i%5
		want := payoffMinimax(p, depth)
		for _, l := range owareListings(t.Context(), engine.Captures().Evaluator) {
			if got := l.fresh()(p, depth).score; got != want {
				t.Errorf("%s: %s finds %d at depth %d: want %d", p, l.name, got, depth, want)
			}
		}
		minimax := search.Textbook[oware.Position]{Eval: engine.Captures().Evaluator}
		if score, _ := minimax.Search(t.Context(), p, nil, depth); search.Proven(score) {
			over++
		}
	}
	if over == 0 {
		t.Error("no game ends within the searches")
	}
}

func TestListingsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, l := range owareListings(ctx, engine.Captures().Evaluator) {
		if nodes := l.fresh()(oware.Start(oware.Simple), 60).nodes; nodes > 6000 {
			t.Errorf("%s visits %d positions after it was stopped", l.name, nodes)
		}
	}
}

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
