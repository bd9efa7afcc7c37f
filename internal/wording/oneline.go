// Package wording puts things into words for people: counts, times and rates; commands that
// can be copied into a shell; and text from elsewhere, on one line.
package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine returns s with a space instead of each line break or tab, and a question mark
// instead of each other character that does not print and of each run of bytes that
// are not UTF-8.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsGraphic(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return '?'
	}, strings.ToValidUTF8(s, "?"))
}

// longest is the length of the longest text that Short returns, in bytes.
const longest = 300

// Short returns [OneLine] of s with single spaces, none at its ends. Text of more than 300
// bytes is cut and ends in "…".
func Short(s string) string {
	s = strings.Join(strings.Fields(OneLine(s)), " ")
	if len(s) <= longest {
		return s
	}
	const more = "…"
	end := longest - len(more)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimSpace(s[:end]) + more
}
