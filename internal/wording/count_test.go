package wording

import (
	"math"
	"testing"

	"kroo/internal/testkit"
)

func TestCountOfOneIsSingular(t *testing.T) {
	for n, want := range map[int]string{0: "0 games", 1: "1 game", 2: "2 games", 1000: "1000 games"} {
		testkit.Equal(t, Count(n, "game"), want, "%d", n)
	}
}

func TestSpansAreNeverNegative(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0s", 130.4: "2m10s", 3600: "1h0m0s", -5: "0s", 9.3e9: "", 1e300: "", math.Inf(1): "", math.NaN(): ""} {
		testkit.Equal(t, Span(seconds), want, "%g", seconds)
	}
}

func TestRateUsesAUnitWithAtLeastOneEvent(t *testing.T) {
	for perSecond, want := range map[float64]string{
		12_345.6: "12346 games/s", 100: "100 games/s", 99.94: "99.9 games/s", 1: "1.0 games/s", 0.5: "30.0 games/min",
		0.01: "36.0 games/h", 1.0 / 7200: "12.0 games/day", 1e-9: "", 0: "", -1: "", math.Inf(1): "", math.NaN(): "",
	} {
		testkit.Equal(t, Rate(perSecond, "games"), want, "%g", perSecond)
	}
}
