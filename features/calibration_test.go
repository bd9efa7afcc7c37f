package features

import (
	"strconv"
	"strings"
	"testing"
)

// Chances in whole per cent add up to 100, are never negative, and are within one of the chance; equal
// chances of both sides stay equal.
func TestPercentsAddUpToAHundred(t *testing.T) {
	for win := range 1001 {
		for loss := range 1001 - win {
			draw := 1000 - win - loss
			texts := Percents(float64(win)/1000, float64(draw)/1000, float64(loss)/1000)
			sum := 0
			for i, perMille := range []int{win, draw, loss} {
				n, err := strconv.Atoi(strings.TrimSuffix(texts[i], " %"))
				if err != nil || n < 0 || 10*n > perMille+10 || 10*n < perMille-10 {
					t.Fatalf("%d, %d and %d per mille are %q", win, draw, loss, texts)
				}
				sum += n
			}
			if sum != 100 || win == loss && draw > 0 && texts[0] != texts[2] {
				t.Fatalf("%d, %d and %d per mille are %q", win, draw, loss, texts)
			}
		}
	}
}
