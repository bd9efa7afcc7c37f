package plural

import "testing"

func TestOneThingIsSingular(t *testing.T) {
	for n, want := range map[int]string{0: "0 games", 1: "1 game", 2: "2 games", 1000: "1000 games"} {
		if got := Of(n, "game"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
