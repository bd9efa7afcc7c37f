package elo

import (
	"strings"
	"testing"
)

// Bounds of a test that are taken are numbers that a test can be made with.
func FuzzBounds(f *testing.F) {
	for _, text := range []string{"0,5", " -1.5 , 2e1", "nan,5", "inf,1", "-inf,inf", "1", "1,2,3", "5,0", ",", strings.Repeat("9", 600)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var l Leads
		if err := l.UnmarshalText([]byte(text)); err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		s := SPRT{Leads: l, Alpha: 0.05, Beta: 0.05, Model: Normalized}
		if s.Check() == nil && !(-100 <= l.Elo0 && l.Elo0 < l.Elo1 && l.Elo1 <= 100) {
			t.Errorf("%q: a test of %g, %g", text, l.Elo0, l.Elo1)
		}
	})
}
