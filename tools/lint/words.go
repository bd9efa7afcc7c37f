package main

import (
	"regexp"
	"strings"
)

// oddWords are words and phrases that readers stumble over, each with a replacement. They are a
// minimum: a text without them can still be hard to read.
var oddWords = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\btells? (whether|how|which|what|where|why|if)\b`), "report, show or list"},
	{regexp.MustCompile(`(?i)\btells? \w+ apart\b`), "distinguish"},
	{regexp.MustCompile(`(?i)\bin the place of\b`), "instead of"},
	{regexp.MustCompile(`\banew\b`), "again, or rebuild"},
	{regexp.MustCompile(`(?i)\bfor ever\b`), "forever"},
	{regexp.MustCompile(`(?i)\bgo(es)? on (from|with|where)\b`), "resume or continue"},
	{regexp.MustCompile(`(?i)\bso many (bytes|rows|games|moves|plies|nodes|positions|searches|seeds|pairs|columns|steps)\b`), "n, or a number of"},
	{regexp.MustCompile(`(?i)\bbeside (it|the|its|them|others|ours|these|another)\b`), "next to, or compared with"},
	{regexp.MustCompile(`[0-9] a (second|move|game|row|search)\b`), "per, as in rows/s"},
}

// oddTexts finds odd words in documents, including the changelog and the reference, in pages and
// in the comments of Go files.
func oddTexts(root string) (findings []string, err error) {
	for _, ext := range []string{".md", ".html", ".go"} {
		list, err := sources(root, ext)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if strings.HasPrefix(s.path, "tools/lint/") || strings.HasPrefix(s.path, "docs/champion/") || strings.HasSuffix(s.path, "/report.html") {
				continue // these contain the words, or are records
			}
			findings = append(findings, s.odd(ext == ".go")...)
		}
	}
	return findings, nil
}

// odd finds odd words in a text, or in the comments of code.
func (s source) odd(code bool) (findings []string) {
	at := 0
	for line := range strings.Lines(s.text) {
		text := line
		if code {
			_, text, _ = strings.Cut(line, "// ")
		}
		for _, w := range oddWords {
			if m := w.pattern.FindString(text); m != "" {
				findings = append(findings, s.at(at)+": "+m+": write "+w.instead)
			}
		}
		at += len(line)
	}
	return findings
}
