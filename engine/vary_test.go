package engine

import (
	"strings"
	"testing"
)

// What is read as vary is in range, and is written and read again as the same.
func FuzzVary(f *testing.F) {
	for _, text := range []string{"on", "40", "40:12", "0:0", ":", "40:", "-1", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v, again Vary
		err := v.UnmarshalText([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		if err := again.UnmarshalText([]byte(v.String())); v.Check() != nil || err != nil || again != v {
			t.Errorf("%q: %+v, again %+v, %v", text, v, again, err)
		}
	})
}

// A level is found by its own name alone, in any case.
func FuzzLevel(f *testing.F) {
	for _, name := range append(LevelNames(), "", "best", "EASY", "eaſy") {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		l, err := ParseLevel(name)
		if err == nil && !strings.EqualFold(l.Name, name) || err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 500) {
			t.Errorf("%q: %+v, %v", name, l, err)
		}
	})
}
