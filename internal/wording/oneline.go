// Package wording formats counts, times and rates for people, quotes commands for a shell, and puts
// untrusted text on one line.
package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine replaces each line break and tab in s by a space, and each other unprintable character
// and each run of invalid UTF-8 by a question mark.
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

// longest is the greatest length of a text returned by Short, in bytes.
const longest = 300

// Short returns [OneLine] of s, trimmed and with single spaces. Longer text than 300 bytes is cut
// and ends in "…".
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
