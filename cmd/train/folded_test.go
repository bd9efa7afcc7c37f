package main

import "testing"

func TestLinesAreFoldedBetweenWords(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"your move (A B C, or help): ", 0, "your move (A B C, or help): "},
		{"your move (A B C, or help): ", 40, "your move (A B C, or help): "},
		{"your move (A B C, or help): ", 20, "your move (A B C, or\nhelp): "},
		{"  hint    what the engine would play\n  quit    end\n", 24, "  hint    what the\n          engine would\n          play\n  quit    end\n"},
		{"saved to averyverylongname\n", 12, "saved to\naveryverylongname\n"},
		{"ääää ääää", 5, "ääää\nääää"},
		{"", 5, ""},
	} {
		if got := folded(c.text, c.width); got != c.want {
			t.Errorf("%q in %d columns: %q, expected %q", c.text, c.width, got, c.want)
		}
	}
}
