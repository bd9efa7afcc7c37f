package engine

import "testing"

func TestChancesAddUp(t *testing.T) {
	for _, score := range []int{-20000, -9000, -500, 0, 7, 500, 9000, 19_990} {
		win, draw, loss := chances(score)
		w, d, l := chances(-score)
		if win+draw+loss != 1000 || min(win, draw, loss) < 0 || win != l || draw != d || loss != w {
			t.Errorf("%d: %d %d %d, other side %d %d %d", score, win, draw, loss, w, d, l)
		}
	}
	if win, _, _ := chances(19_990); win != 1000 {
		t.Errorf("a proven win: %d permille", win)
	}
}
