package engine

import (
	"math/rand/v2"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// withInPlay is a random position with so many seeds in play.
func withInPlay(t *testing.T, n int) oware.Position {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 0))
	for range 1_000_000 {
		p, err := oware.Descriptor().Random(rng, oware.Abapa.String())
		testkit.NoError(t, err)
		if p.SeedsInPlay() == n {
			return p
		}
	}
	t.Fatalf("no position with %d seeds in play", n)
	return oware.Position{}
}

func TestChancesAddUp(t *testing.T) {
	for _, n := range []int{20, 30, 40} {
		p := withInPlay(t, n)
		for _, score := range []int{-20000, -9000, -500, 0, 7, 500, 9000, 19_990} {
			win, draw, loss := chances(p, score)
			w, d, l := chances(p, -score)
			if win+draw+loss != 1000 || min(win, draw, loss) < 0 || win != l || draw != d || loss != w {
				t.Errorf("%d in play, %d: %d %d %d, other side %d %d %d", n, score, win, draw, loss, w, d, l)
			}
		}
	}
	if win, _, _ := chances(withInPlay(t, 40), 19_990); win != 1000 {
		t.Errorf("a proven win: %d permille", win)
	}
}

func TestALeadIsLostMoreRarelyWithFewerSeedsInPlay(t *testing.T) {
	few, many := withInPlay(t, 20), withInPlay(t, 46)
	for _, score := range []int{100, 300, 600} {
		_, _, a := chances(few, score)
		if _, _, b := chances(many, score); a >= b || b > 300 {
			t.Errorf("%d ahead: lost with %d permille with 20 in play, %d with 46", score, a, b)
		}
	}
	_, a, _ := chances(few, 0)
	if _, b, _ := chances(many, 0); b >= a {
		t.Errorf("level: a draw with %d permille with 46 in play, %d with 20", b, a)
	}
}

// The start is nearly level, and that is what the model says of it.
func TestChancesAtTheStart(t *testing.T) {
	win, draw, loss := chances(oware.Start(oware.Abapa), 0)
	if win != 438 || draw != 124 || loss != 438 {
		t.Errorf("%d %d %d: want 1/(1+exp(0.250)) = 0.438 for either side", win, draw, loss)
	}
}
