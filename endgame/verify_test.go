package endgame

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestVerifyAcceptsGoodTables(t *testing.T) {
	for _, tab := range []*Table{build(t, oware.Awari, Exact, 7), build(t, oware.Simple, Exact, 7), build(t, oware.Abapa, Crude, 7), build(t, oware.Abapa, Sharp, 7)} {
		testkit.NoError(t, tab.Verify(t.Context(), nil))
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
		if err := tab.Verify(t.Context(), nil); !errors.As(err, &f) || f.Position.SeedsInPlay() > 5 || strings.Contains(err.Error(), "\n") {
			t.Errorf("byte %d: %v", i, err)
		}
		tab.data[i] = before
	}
}

func TestStatsAddUp(t *testing.T) {
	tab := build(t, oware.Awari, Exact, 8)
	s := stats(t, tab)[8]
	if s.Wins != 37767 || s.Draws != 8351 || s.Losses != 29464 || s.Exact != s.Positions || s.MeanGap != 0 {
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
