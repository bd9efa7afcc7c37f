package run

import (
	"math"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// The shares of every preset sum to one, in the order of the stages.
func TestSharesSumToOne(t *testing.T) {
	for _, name := range PresetNames {
		text := testkit.Must(Preset(name))(t)
		c := testkit.Must(ParseConfig(text, name))(t)
		r := &Run{Config: c}
		sum, titles := 0.0, []string(nil)
		for _, s := range r.Shares() {
			if s.Share <= 0 {
				t.Errorf("%s: the share of %s is %v", name, s.Title, s.Share)
			}
			sum, titles = sum+s.Share, append(titles, s.Title)
		}
		if math.Abs(sum-1) > 1e-9 || !slices.Equal(titles, r.Titles()) {
			t.Errorf("%s: shares of %q sum up to %v", name, titles, sum)
		}
	}
}

// Compares the shares, from which the remaining time is estimated, with times measured on two
// busy cores.
func TestSharesOfTheQuickPresetAreNearMeasuredTimes(t *testing.T) {
	text := testkit.Must(Preset("quick"))(t)
	c := testkit.Must(ParseConfig(text, "quick"))(t)
	measured := map[string]float64{
		"training labels": 0.40, "validation labels": 0.14, "weights against captures": 0.10, "patterns against seed counts": 0.20, "book": 0.12,
	}
	for _, s := range (&Run{Config: c}).Shares() {
		if want, ok := measured[s.Title]; ok && (s.Share < want/2 || s.Share > want*2) {
			t.Errorf("%s: share %.2f, measured %.2f", s.Title, s.Share, want)
		}
		delete(measured, s.Title)
	}
	if len(measured) > 0 {
		t.Errorf("no stages %v", measured)
	}
}
