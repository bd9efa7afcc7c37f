package engine

import (
	"context"
	"slices"
	"testing"

	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// textbook is a player of captures alone.
func textbook(t *testing.T, name search.Textbook, depth int, ties Ties) Mover[oware.Position] {
	t.Helper()
	e := testkit.Must(Open(t.Context(), Oware(), Spec{Textbook: name, Ties: ties, Weights: "captures", Search: Config{Depth: depth, Tables: NoTables}}, "simple"))(t)
	p := e.NewMover()
	testkit.NoError(t, p.NewGame(t.Context(), 1))
	return p
}

func choiceOf(t *testing.T, p Mover[oware.Position], l *games.Line[oware.Position]) Answer {
	t.Helper()
	return testkit.Must(p.Move(t.Context(), l, client.Clock{}))(t)
}

// All algorithms make the same moves at the same depth, those that minimax of
// each move finds best.
func TestTextbookSearchesPlayAlike(t *testing.T) {
	t.Parallel()
	l := oware.Descriptor().NewLine(oware.Start(oware.Simple))
	names := []search.Textbook{search.TextbookMinimax, search.TextbookAlphaBeta, search.TextbookNegascout, search.TextbookMTDF}
	for range 40 {
		if _, _, over := l.Over(); over {
			break
		}
		var choices []Answer
		for _, name := range names {
			choices = append(choices, choiceOf(t, textbook(t, name, 4, tiesFirst), l))
		}
		want, _ := search.SearchTextbook(t.Context(), search.TextbookMinimax, l.Position(), l.History(), 4, Captures().Evaluator)
		for i, c := range choices {
			if c.Move != choices[0].Move || c.Score != want || names[i] == search.TextbookAlphaBeta && c.Nodes > choices[0].Nodes {
				t.Fatalf("%s: %s plays %+v, minimax %+v of value %d", l.Position(), names[i], c, choices[0], want)
			}
		}
		testkit.NoError(t, l.Play(choices[0].Move))
	}
}

// At the start nothing can be taken within a ply: all six moves are equal.
func TestTiesChooseAmongEqualMoves(t *testing.T) {
	t.Parallel()
	south := oware.Descriptor().NewLine(oware.Start(oware.Simple))
	north := south.Clone()
	testkit.NoError(t, north.Play(5))
	for _, tt := range []struct {
		ties         Ties
		south, north games.Move
	}{{"", 0, 0}, {tiesFirst, 0, 0}, {tiesColumns, 0, 5}, {tiesMirrored, 5, 5}} {
		p := textbook(t, search.TextbookAlphaBeta, 1, tt.ties)
		if s, n := choiceOf(t, p, south).Move, choiceOf(t, p, north).Move; s != tt.south || n != tt.north {
			t.Errorf("%s: %d and %d, want %d and %d", tt.ties, s, n, tt.south, tt.north)
		}
	}
	p := textbook(t, search.TextbookMinimax, 1, TiesRandom)
	drawn := map[games.Move]bool{}
	for range 200 {
		drawn[choiceOf(t, p, south).Move] = true
	}
	testkit.Equal(t, len(drawn), 6, "random draws %v of six moves", drawn)
}

// The move is the first of the equal ones whose best reply, for the mover, is best.
func TestTiesByContinuation(t *testing.T) {
	t.Parallel()
	const depth = 3
	eval, differs := Captures().Evaluator, 0
	p := textbook(t, search.TextbookAlphaBeta, depth, tiesContinuation)
	l := oware.Descriptor().NewLine(oware.Start(oware.Simple))
	for range 60 {
		if _, _, over := l.Over(); over {
			break
		}
		root := l.Position()
		before := append(l.History(), root)
		best, want, most, first := -search.Win-1, games.Move(0), 0, games.Move(0)
		for _, m := range root.AppendMoves(nil) {
			q := root.Play(m)
			score, _ := search.SearchTextbook(t.Context(), search.TextbookMinimax, q, before, depth-1, eval)
			hope := -search.Win - 1
			if _, over := q.Terminal(); !over {
				for _, reply := range q.AppendMoves(nil) {
					after, _ := search.SearchTextbook(t.Context(), search.TextbookMinimax, q.Play(reply), append(slices.Clone(before), q), depth-2, eval)
					hope = max(hope, after)
				}
			}
			if -score > best {
				best, first, want, most = -score, m, m, hope
			} else if -score == best && hope > most {
				want, most = m, hope
			}
		}
		got := choiceOf(t, p, l)
		if got.Move != want || got.Score != best {
			t.Fatalf("%s: %+v, want %d of value %d", root, got, want, best)
		}
		if want != first {
			differs++
		}
		testkit.NoError(t, l.Play(got.Move))
	}
	if differs < 3 {
		t.Errorf("the first of equals was passed over %d times, want more", differs)
	}
}

func TestTextbookPlayerStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := textbook(t, search.TextbookMinimax, 30, tiesContinuation)
	if _, err := p.Move(ctx, oware.Descriptor().NewLine(oware.Start(oware.Simple)), client.Clock{}); err == nil {
		t.Error("not stopped")
	}
}
