package endgame

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestVerifyAcceptsGoodTables(t *testing.T) {
	for _, tab := range []*Table{build(t, oware.Awari, Exact, 7), build(t, oware.Simple, Exact, 7), build(t, oware.Abapa, Crude, 7), build(t, oware.Abapa, Sharp, 7)} {
		if err := tab.verify(t.Context(), nil); err != nil {
			t.Error(err)
		}
		if err := tab.recompute(t.Context(), 5, nil); err != nil {
			t.Error(err)
		}
	}
}

func TestVerifyFindsAnyChangedEntry(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	tab := build(t, oware.Abapa, Sharp, 5)
	for range 50 {
		i := base(2)*2 + random.IntN(len(tab.data)-base(2)*2)
		before := tab.data[i]
		tab.data[i] ^= 1
		var f *Fault
		if err := tab.verify(t.Context(), nil); !errors.As(err, &f) || f.Position.SeedsInPlay() > 5 {
			t.Errorf("byte %d: %v", i, err)
		}
		if err := tab.recompute(t.Context(), 5, nil); !errors.As(err, &f) || strings.Contains(err.Error(), "\n") {
			t.Errorf("byte %d: %v", i, err)
		}
		tab.data[i] = before
	}
}

// Wrong values around a cycle support each other, so every entry follows from its
// successors: here crude bounds in a table that claims sharp ones.
func TestRecomputeFindsWrongCyclesThatVerifyMisses(t *testing.T) {
	tab := build(t, oware.Abapa, Sharp, 4)
	crude := build(t, oware.Abapa, Crude, 4)
	copy(tab.data, crude.data)
	if err := tab.verify(t.Context(), nil); err != nil {
		t.Fatal(err) // crude bounds are consistent too
	}
	if err := tab.recompute(t.Context(), 4, nil); err == nil {
		t.Error("crude bounds pass for sharp ones")
	}
}

func TestGuaranteesHoldInRealGames(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	searcher := search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
	opponents := map[string]Opponent{
		"random": func(g *games.Line[oware.Position]) oware.Move {
			moves := g.Position().AppendMoves(nil)
			return moves[random.IntN(len(moves))]
		},
		"engine": func(g *games.Line[oware.Position]) oware.Move {
			return searcher.Search(context.Background(), g.Position(), g.History(), search.Limits{Nodes: 500}, search.Query{}).Best
		},
	}
	for _, c := range []struct {
		rules  oware.Rules
		bounds Bounds
	}{{oware.Awari, Exact}, {oware.Simple, Exact}, {oware.Abapa, Crude}, {oware.Abapa, Sharp}} {
		const seeds = 8
		s := testkit.Must(newStrategy(t.Context(), c.rules, c.bounds, seeds))(t)
		for name, opponent := range opponents {
			for range 300 {
				n := 1 + random.IntN(seeds)
				p := unrank(n, uint32(random.IntN(Positions(n)))).position(c.rules, n)
				if err := s.playOut(p, random.IntN(2) == 0, opponent); err != nil {
					t.Errorf("%s, %s, against %s: %v", c.rules, c.bounds, name, err)
				}
			}
		}
	}
}

func TestStatsAddUp(t *testing.T) {
	tab := build(t, oware.Awari, Exact, 8)
	s := stats(t, tab)[8]
	if s.Wins != 37767 || s.Draws != 8351 || s.Losses != 29464 || s.Exact != s.Positions || s.MeanGap != 0 || s.Histogram[8+8] != 19702 {
		t.Errorf("%+v", s)
	}
	s = stats(t, build(t, oware.Abapa, Sharp, 8))[8]
	if s.Exact != 47027 || s.MeanGap < 0.8035 || s.MeanGap > 0.8045 {
		t.Errorf("%+v", s)
	}
}

func stats(t *testing.T, tab *Table) []LevelStats {
	t.Helper()
	reported := int64(-1) // the first report comes before any work
	all, err := tab.Stats(t.Context(), func(done, total int64, _ string) {
		if done <= reported || done > total {
			t.Errorf("progress %d of %d after %d", done, total, reported)
		}
		reported = done
	})
	if err != nil || reported <= 0 {
		t.Fatalf("%d positions reported, %v", reported, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tab.Stats(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	return all
}
