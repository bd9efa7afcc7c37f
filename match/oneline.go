package match

import (
	"strings"
	"unicode"
)

// oneLine makes a text fit for a tag and for JSON: short, printable, one line.
func oneLine(text string) string {
	const longest = 300
	text = strings.ToValidUTF8(text, "?")
	text = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return r
		}
		return '?'
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > longest {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:longest], ""))
	}
	return text
}
