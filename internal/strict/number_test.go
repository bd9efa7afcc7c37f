package strict

import (
	"math"
	"testing"
)

func TestNumbersAreDecimal(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-2.50": -2.5, "+.5": .5, "3.": 3, "1e3": 1000, "1E-3": .001, "007": 7, "-Inf": math.Inf(-1)} {
		if v, err := Number(text); err != nil || v != want {
			t.Errorf("%s: %g, %v: want %g", text, v, err, want)
		}
	}
	for _, text := range []string{"", "1_000", "0x1p3", "0x10", "0X1P3", "1e999", "1,5", "1 000", "e", "-", "1e", "--1", "١"} {
		if v, err := Number(text); err == nil {
			t.Errorf("%q is read as %g", text, v)
		}
	}
}
