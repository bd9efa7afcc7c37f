package engine

import (
	"math/rand/v2"
	"testing"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// withInPlay is a random position with n seeds in play.
func withInPlay(t *testing.T, n int) oware.Position {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 0))
	for range 1_000_000 {
		p := testkit.Must(oware.Descriptor().Random(rng, oware.Abapa.String()))(t)
		if p.SeedsInPlay() == n {
			return p
		}
	}
	t.Fatalf("no position with %d seeds in play", n)
	return oware.Position{}
}

// prospects are those of the program's own weights.
func prospects(t *testing.T, p oware.Position, score int) Prospects {
	t.Helper()
	e := testkit.Must(Oware().Evaluation("", oware.Abapa.String()))(t)
	s, ok := Oware().Prospects(e, p, score)
	if !ok {
		t.Fatal("the program's own weights are not calibrated")
	}
	return s
}

func TestChancesAddUp(t *testing.T) {
	for _, n := range []int{20, 30, 40} {
		p := withInPlay(t, n)
		for _, score := range []int{-20000, -9000, -500, 0, 7, 500, 9000, 19_990} {
			s, other := prospects(t, p, score), prospects(t, p, -score)
			if s.Win+s.Draw+s.Loss != 1000 || min(s.Win, s.Draw, s.Loss) < 0 || other != (Prospects{s.Loss, s.Draw, s.Win, -s.Margin}) {
				t.Errorf("%d in play, %d: %+v, other side %+v", n, score, s, other)
			}
		}
	}
	if s := prospects(t, withInPlay(t, 40), 19_990); s.Win != 1000 {
		t.Errorf("a proven win: %+v", s)
	}
}

func TestALeadIsLostMoreRarelyWithFewerSeedsInPlay(t *testing.T) {
	few, many := withInPlay(t, 20), withInPlay(t, 46)
	for _, score := range []int{100, 300, 600} {
		a, b := prospects(t, few, score), prospects(t, many, score)
		if a.Loss >= b.Loss && b.Loss > 0 || b.Loss > 300 || a.Margin >= b.Margin {
			t.Errorf("%d ahead: %+v with 20 in play, %+v with 46", score, a, b)
		}
	}
	if a, b := prospects(t, few, 0), prospects(t, many, 0); b.Draw >= a.Draw {
		t.Errorf("level: %+v with 46 in play, %+v with 20", b, a)
	}
}

func TestNoProspectsWithoutCalibration(t *testing.T) {
	if s, ok := Oware().Prospects(Captures(), oware.Start(oware.Abapa), 100); ok {
		t.Errorf("%+v of captures alone", s)
	}
}

func TestPoints(t *testing.T) {
	for _, tt := range []struct{ score, want int }{
		{0, 0}, {1, 0}, {2, 1}, {-1, 0}, {-2, -1}, // 10/24 of a centi-seed
		{100, 42}, {-100, -42}, // a seed: 41.67
		{6, 3}, {-6, -3}, // 2.5 goes away from zero
		{2400, 1000}, {-2400, -1000}, {4800, 1000}, {search.MaxHeuristic, 1000}, {-search.MaxHeuristic, -1000},
		{search.Win - 300, 1000}, {300 - search.Win, -1000}, {search.Win, 1000}, {-search.Win, -1000},
	} {
		testkit.Equal(t, Points(oware.Descriptor().Info, tt.score), tt.want, "Points(%d)", tt.score)
	}
}
