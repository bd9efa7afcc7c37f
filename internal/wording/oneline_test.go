package wording

import (
	"strings"
	"testing"
	"unicode/utf8"

	"kroo/internal/testkit"
)

func TestOneLineReplacesOnlyUnprintableCharacters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  two  spaces ", "  two  spaces "},
		{"a\nb\r\n\tc\u2028d\u0085e", "a b   c d e"},
		{"bell\x07 escape\x1b[31m zero\x00", "bell? escape?[31m zero?"},
		{"not\xff\xfeUTF-8", "not?UTF-8"},
		{"right-to-left\u202e", "right-to-left?"},
		{"d'aualé 四", "d'aualé 四"},
	} {
		testkit.Equal(t, OneLine(c.text), c.want, "OneLine(%q)", c.text)
	}
}

func TestShortCollapsesSpacesAndTruncates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" \n", ""},
		{" two \n\n spaces ", "two spaces"},
		{strings.Repeat("x", 300), strings.Repeat("x", 300)},
		{strings.Repeat("x", 301), strings.Repeat("x", 297) + "…"},
		{strings.Repeat("é", 200), strings.Repeat("é", 148) + "…"}, // never cut within a character
		{strings.Repeat("x", 296) + " end", strings.Repeat("x", 296) + " end"},
		{strings.Repeat("x", 296) + " the end", strings.Repeat("x", 296) + "…"},
	} {
		testkit.Equal(t, Short(c.text), c.want, "Short(%q)", c.text)
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\r\n b\x00\xff\u2029")
	f.Add(strings.Repeat("é ", 200))
	f.Fuzz(func(t *testing.T, text string) {
		of, short := OneLine(text), Short(text)
		if strings.ContainsAny(of, "\x00\n\r\t\v\f\u0085\u2028\u2029") || !utf8.ValidString(of) || !utf8.ValidString(short) || len(short) > longest {
			t.Errorf("%q: Of %q, Short %q", text, of, short)
		}
		if OneLine(of) != of || OneLine(short) != short || Short(short) != short {
			t.Errorf("%q: Of %q, Short %q: not the same when done again", text, of, short)
		}
	})
}
