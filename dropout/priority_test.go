package dropout

import "testing"

// A proven reply counts as 24 seeds worse than a level one, not as 200.
func TestLossIsAtMost48Seeds(t *testing.T) {
	c := newCosts(2)
	for value, want := range map[int32]int32{19_999: 0, -19_999: 48, 0: 24, 2300: 1, 2400: 0} {
		moves := []move{{value: 19_999, behind: nothing}, {value: value}}
		if next, got := c.next(moves, opponent); next != 1 || got != (1+2*want)*ply {
			t.Errorf("value %d: move %d, %d parts of a ply, expected %d", value, next, got, (1+2*want)*ply)
		}
	}
}
