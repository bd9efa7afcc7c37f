package main

import (
	"regexp"
	"strings"
)

// figure matches a result with its interval, or a number of millions: +636 [+536, +879], −7 ± 17,
// 3 to 4.5 million.
var figure = regexp.MustCompile(`[+−]\d+ (?:\[[+−]\d+, [+−]\d+\]|± \d+)|[\d.]+(?: to [\d.]+)? million`)

// strayFigures finds results in the README that are in no document under docs.
func strayFigures(list []source) (findings []string) {
	var known strings.Builder
	for _, s := range list {
		if strings.HasPrefix(s.path, "docs/") {
			known.WriteString(bare(s.text) + "\n")
		}
	}
	for _, s := range list {
		if s.path != "README.md" {
			continue
		}
		for _, f := range figure.FindAllString(bare(s.text), -1) {
			if !strings.Contains(known.String(), f) {
				findings = append(findings, s.at(0)+": "+f+" is in no document: put it there, with the command that reproduces it")
			}
		}
	}
	return findings
}

// bare removes emphasis, line breaks and the unit of results from a text.
func bare(text string) string {
	text = strings.NewReplacer("*", "", " Elo", "").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
