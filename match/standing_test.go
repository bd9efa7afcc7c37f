package match

import (
	"strings"
	"testing"

	"kroo/internal/testkit"
	"kroo/match/elo"
)

func TestStandingOfATest(t *testing.T) {
	s := elo.Score{Wins: 6, Draws: 1, Losses: 3, Pairs: [5]int{1, 0, 1, 1, 2}, Forfeits: [2]int{0, 1}}
	test := elo.SPRT{Leads: elo.Leads{Elo1: 10}, Alpha: 0.05, Beta: 0.05, Model: elo.Normalized}
	got := standing(s, test)
	testkit.Contains(t, got, "+6 =1 -3, Elo +108 [-128, +", "], 1 forfeit, LLR 0.", "(-2.94 to 2.94)")
	if got := standing(s, elo.SPRT{}); strings.Contains(got, "LLR") {
		t.Errorf("%q: there is no test", got)
	}
}
