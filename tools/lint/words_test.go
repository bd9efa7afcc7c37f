package main

import "testing"

func TestOddWords(t *testing.T) {
	findings(t, oddTexts, map[string]string{
		"a.go":      "package a\n\n// it tells whether the file is there\nvar a = \"n rows rows rows of\"\n",
		"docs/a.md": "It plays\nanew, 5 a second.\n\nPlain words, so many that it takes a while.\n",
		"p.html":    "<p>beside the board</p>\n",
	}, "docs/a.md:2: anew: ", "docs/a.md:2: 5 a second", "p.html:1: beside the: ", "a.go:3: tells whether: ", "a.go:4: rows three times")
}
