// Package oneline puts text from elsewhere on one line: errors of libraries, panics,
// names that other programs give themselves.
//
// [Of] keeps the text as it is but for what breaks a line or does not print. [Short]
// also squeezes space and cuts what is long, for an error or a tag of a file. Both
// give their own results back unchanged.
package oneline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of returns s with a space in place of each line break or tab, and a question mark
// in place of each other character that does not print and of each run of bytes that
// are not UTF-8.
func Of(s string) string {
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

// Short returns [Of] of s with single spaces, none at its ends. Text of more than 300
// bytes is cut and ends in "…".
func Short(s string) string {
	s = strings.Join(strings.Fields(Of(s)), " ")
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
