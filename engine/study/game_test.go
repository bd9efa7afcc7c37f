package study

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// alphaBeta is the textbook's alpha-beta that counts seeds.
func alphaBeta() *search.Textbook[oware.Position] {
	return &search.Textbook[oware.Position]{Algorithm: search.TextbookAlphaBeta, Eval: engine.Captures().Evaluator}
}

// chooser chooses a move.
type chooser func(ctx context.Context, l *games.Line[oware.Position]) games.Move

// toDepth chooses the first of the best moves of alpha-beta.
func toDepth(depth int) chooser {
	textbook := alphaBeta()
	return func(ctx context.Context, l *games.Line[oware.Position]) games.Move {
		_, best := textbook.Search(ctx, l.Position(), l.History(), depth)
		return best
	}
}

// randomOpening plays four random moves, which follow from the seed.
func randomOpening(t *testing.T, seed uint64) *games.Line[oware.Position] {
	t.Helper()
	random := rand.New(rand.NewPCG(14, seed))
	l := oware.Descriptor().NewLine(oware.Start(oware.SimpleToEnd))
	for range 4 {
		moves := l.Position().AppendMoves(nil)
		testkit.NoError(t, l.Play(moves[random.IntN(len(moves))]))
	}
	return l
}

// playOut plays a line to its end, South's moves by the first player, and returns South's final difference.
func playOut(t *testing.T, l *games.Line[oware.Position], players [2]chooser) int {
	t.Helper()
	for {
		diff, _, over := l.Over()
		if over {
			return diff
		}
		testkit.NoError(t, l.Play(players[l.Position().ToMove()](t.Context(), l)))
	}
}

// The time of an answer varies during a game (Ferrando, Bonanno and Repetto, without figures): a search of the first
// ten plies visits more than twice as many positions as one after sixty. KROO_LONG=1 searches to the depth of the table in
// docs/sources.md, and logs it.
func TestTimeVariesDuringAGame(t *testing.T) {
	depth, seeds := 5, uint64(2)
	if testenv.Long() {
		depth, seeds = 8, 4
	}
	stretches := make([][]oware.Position, 7) // of ten plies
	for seed := range seeds {
		for _, players := range [][2]chooser{{toDepth(depth - 1), toDepth(depth - 2)}, {toDepth(depth - 2), toDepth(depth - 1)}} {
			l := randomOpening(t, seed)
			playOut(t, l, players)
			for ply, p := range l.History() {
				if stretch := ply / 10; stretch < len(stretches) {
					stretches[stretch] = append(stretches[stretch], p)
				}
			}
		}
	}
	const ours = "alpha-beta, our order" // not of the source: its time varies less
	subject := owareSubject()
	searchers := append(owareListings(t.Context(), engine.Captures().Evaluator),
		subject.textbook(t.Context(), "minimax", search.Textbook[oware.Position]{}),
		subject.textbook(t.Context(), ours, search.Textbook[oware.Position]{Algorithm: search.TextbookAlphaBeta}))
	for _, s := range searchers {
		var mean []float64
		for i, list := range stretches {
			sum := int64(0)
			for _, p := range list {
				sum += s.fresh()(p, depth).nodes
			}
			mean = append(mean, float64(sum)/float64(len(list)))
			t.Logf("%s, plies %d to %d: %d positions, %.0f visited", s.name, 10*i, 10*i+9, len(list), mean[i])
		}
		if ratio := mean[0] / mean[len(mean)-1]; s.name != ours && !(ratio > 2) {
			t.Errorf("%s visits %.1f times as many positions in the first ten plies as after sixty: want more than 2", s.name, ratio)
		}
	}
}

// tieRule chooses among moves of equal value.
type tieRule struct {
	name   string
	choose func(ctx context.Context, l *games.Line[oware.Position], equal []games.Move, depth int) games.Move
}

// tieRules are the rules that the source names. Moves are in the order of houses A to F or a to f, which is that of
// columns 1 to 6 for South, and of 6 to 1 for North.
func tieRules() []tieRule {
	return []tieRule{
		{"first", func(_ context.Context, _ *games.Line[oware.Position], equal []games.Move, _ int) games.Move {
			return equal[0]
		}},
		{"columns", func(_ context.Context, l *games.Line[oware.Position], equal []games.Move, _ int) games.Move {
			if l.Position().ToMove() == oware.South {
				return equal[0]
			}
			return equal[len(equal)-1]
		}},
		{"mirrored", func(_ context.Context, _ *games.Line[oware.Position], equal []games.Move, _ int) games.Move {
			return equal[len(equal)-1]
		}},
		{"continuation", bestContinuation},
		{"random", func(_ context.Context, l *games.Line[oware.Position], equal []games.Move, _ int) games.Move {
			random := rand.New(rand.NewPCG(l.Position().Key(), 3))
			return equal[random.IntN(len(equal))]
		}},
	}
}

// bestContinuation chooses the move that brings most if the opponent then errs and plays the best reply for the mover,
// which is our reading of the source.
func bestContinuation(ctx context.Context, l *games.Line[oware.Position], equal []games.Move, depth int) games.Move {
	chosen, most := equal[0], math.MinInt
	for _, m := range equal {
		next := l.Position().Play(m)
		path := append(slices.Clone(l.History()), l.Position())
		if _, over := next.Terminal(); over {
			continue
		}
		for _, reply := range next.AppendMoves(nil) {
			value, _ := alphaBeta().Search(ctx, next.Play(reply), append(path, next), depth-2)
			if value > most {
				chosen, most = m, value
			}
		}
	}
	return chosen
}

// equalMoves returns the moves of the best value, each searched by itself.
func equalMoves(ctx context.Context, l *games.Line[oware.Position], depth int) (equal []games.Move) {
	textbook := alphaBeta()
	path := append(slices.Clone(l.History()), l.Position())
	best := math.MinInt
	for _, m := range l.Position().AppendMoves(nil) {
		value, _ := textbook.Search(ctx, l.Position().Play(m), path, depth-1)
		value = -value
		if value > best {
			best, equal = value, nil
		}
		if value == best {
			equal = append(equal, m)
		}
	}
	return equal
}

func (r tieRule) chooser(depth int) chooser {
	return func(ctx context.Context, l *games.Line[oware.Position]) games.Move {
		return r.choose(ctx, l, equalMoves(ctx, l, depth), depth)
	}
}

// Of the rules that the source names, none is shown to be better than the first of equal moves. KROO_LONG=1 plays
// the pairs of the table in docs/sources.md, in which hoping for an error loses.
func TestNoRuleForEqualMovesIsBetterThanTheFirst(t *testing.T) {
	depth, pairs := 2, 40
	if testenv.Long() {
		depth, pairs = 4, 1000
	}
	rules := tieRules()
	for _, r := range rules[1:] {
		points := make([]float64, pairs) // of a pair, 0 to 1
		a, b := r.chooser(depth), rules[0].chooser(depth)
		for i := range points {
			first := playOut(t, randomOpening(t, uint64(i)), [2]chooser{a, b})
			second := playOut(t, randomOpening(t, uint64(i)), [2]chooser{b, a})
			points[i] = (pointsOf(first) + pointsOf(-second)) / 2
		}
		mean, deviation := stat.MeanStdDev(points, nil)
		half := 1.96 * deviation / math.Sqrt(float64(pairs))
		t.Logf("%s against first, depth %d: %.3f ± %.3f points per game, 95 %%", r.name, depth, mean, half)
		if mean-half > 0.5 {
			t.Errorf("%s is better than first: %.3f ± %.3f points per game", r.name, mean, half)
		}
		if testenv.Long() && r.name == "continuation" && mean+half > 0.5 {
			t.Errorf("continuation: %.3f ± %.3f points per game: want less than half", mean, half)
		}
	}
}

// pointsOf returns 1 for a win, 0.5 for a draw, 0 for a loss.
func pointsOf(diff int) float64 {
	switch {
	case diff > 0:
		return 1
	case diff < 0:
		return 0
	}
	return 0.5
}
