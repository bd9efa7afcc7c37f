package main

import (
	"errors"
	"testing"
)

func TestErrorsHaveNoPackageNamesInFront(t *testing.T) {
	for text, want := range map[string]string{
		"datasets: f.csv: no rows":              "f.csv: no rows",
		"match: oware: x.ogn:1:2: illegal move": "x.ogn:1:2: illegal move",
		"book.bin: the header is damaged":       "book.bin: the header is damaged",
		"open book: no such file":               "open book: no such file",
		"play: ":                                "",
		"":                                      "",
	} {
		if got := plain(errors.New(text)); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
}
