package match

import (
	"path/filepath"
	"strings"
	"testing"

	"kroo/match/elo"
)

// A test ends the match by itself, at the same pair whatever the concurrency
// and however often the match was resumed.
func TestMatchStopsWhenDecided(t *testing.T) {
	t.Parallel()
	test := elo.SPRT{Leads: elo.Leads{Elo1: 100}, Alpha: 0.05, Beta: 0.05, Model: elo.Logistic}
	cfg := Config{Pairs: 500, OpeningPlies: 4, Seed: 9, Test: test, Concurrency: 1}
	strong, weak := newEngine("strong", 400), newRandom("weak", 3)
	want := mustPlay(t, cfg, strong, weak)
	if want.Verdict != elo.AcceptedH1 || len(want.Games) >= 200 || len(want.Games) != want.Score.Games() {
		t.Fatalf("%s after %d games of score %v", want.Verdict, len(want.Games), want.Score)
	}
	if want.LLR != test.LLR(want.Score.Pairs) || test.Decide(want.LLR) != elo.AcceptedH1 {
		t.Errorf("LLR %v of %v", want.LLR, want.Score)
	}
	if text := test.Explain(want.LLR); !strings.Contains(text, "H1 accepted") {
		t.Errorf("explained as %q", text)
	}
	cfg.Concurrency = 3
	if got := mustPlay(t, cfg, strong, weak); got.Score != want.Score || got.Verdict != want.Verdict {
		t.Errorf("three boards: %v %s, one: %v %s", got.Score, got.Verdict, want.Score, want.Verdict)
	}
	cfg.Log = filepath.Join(t.TempDir(), "log")
	cfg.Pairs = 2
	mustPlay(t, cfg, strong, weak)
	cfg.Pairs = 500
	for range 2 { // going on from two pairs, then from the decided match
		if got := mustPlay(t, cfg, strong, weak); got.Score != want.Score || got.Verdict != want.Verdict {
			t.Errorf("resumed: %v %s, at one go: %v %s", got.Score, got.Verdict, want.Score, want.Verdict)
		}
	}
	// The weaker side accepts H0.
	cfg.Log = ""
	if got := mustPlay(t, cfg, newRandom("weak", 3), strong); got.Verdict != elo.AcceptedH0 {
		t.Errorf("the weak player: %s", got.Verdict)
	}
}
