package main

import (
	"strings"
	"testing"

	"kroo/match"
)

func TestLiveLineIsCutToTheTerminal(t *testing.T) {
	var out strings.Builder
	m := testMeter()
	m.note = "+1 =2 -3"
	update, finish := m.live(&out, func() int { return 40 })
	update(2, 10)
	update(4, 10)
	finish()
	want := "\rlabelling: 2/10 positions, +1 =2 -3\x1b[K" +
		"\rlabelling: 4/10 positions, +1 =2 -3, 2.\x1b[K\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestStandingOfATest(t *testing.T) {
	s := match.Score{Wins: 6, Draws: 1, Losses: 3, Pairs: [5]int{1, 0, 1, 1, 2}, Forfeits: [2]int{0, 1}}
	test := &match.Test{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: match.Normalized}
	got := standing(s, test)
	for _, want := range []string{"+6 =1 -3, Elo +", " ± ", ", 1 forfeits, LLR 0.", "(-2.94 to 2.94)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q: want %q in it", got, want)
		}
	}
	if got := standing(s, nil); strings.Contains(got, "LLR") {
		t.Errorf("%q: there is no test", got)
	}
}
