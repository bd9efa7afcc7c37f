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
	{regexp.MustCompile(`(?i)\btells? (whether|how|which|what|where|why|if|of|the|it|them)\b`), "report, show or list"},
	{regexp.MustCompile(`(?i)\b(is|are|be) told( [^t]|[.,;:]|$)`), "gets, receives or reports"},
	{regexp.MustCompile(`(?i)\btells? \w+ apart\b`), "distinguish"},
	{regexp.MustCompile(`(?i)\bhears? (a|at|how|of|that|the)\b`), "receives"},
	{regexp.MustCompile(`(?i)\bin the place of\b`), "instead of"},
	{regexp.MustCompile(`\banew\b`), "again, or rebuild"},
	{regexp.MustCompile(`(?i)\b(has|have|had|is|are|was|were) begun\b`), "started"},
	{regexp.MustCompile(`(?i)\bfor ever\b`), "forever"},
	{regexp.MustCompile(`(?i)\bgo(es)? on( (from|with|where|behind)\b|[.,;:]|$)`), "resume or continue"},
	{regexp.MustCompile(`(?i)\bso many (bytes|rows|games|moves|plies|nodes|positions|searches|seeds|pairs|columns|steps)\b`), "n, or a number of"},
	{regexp.MustCompile(`(?i)\bbeside (it|the|its|them|others|ours|these|another|what)\b`), "next to, or compared with"},
	{regexp.MustCompile(`(?i)\b(that|which|who) (is|are) none\b`), "what is expected instead"},
	{regexp.MustCompile(`(?i)\bas (it|they) stands?\b`), "as is, or unchanged"},
	{regexp.MustCompile(`(?i)\bstands? (at|behind|before|in|on|there|twice)\b`), "is"},
	{regexp.MustCompile(`(?i)\bof what (was|has|had|they|no)\b`), "the noun that it is"},
	{regexp.MustCompile(`(?i)\bwhat there is\b`), "the noun that it is"},
	{regexp.MustCompile(`(?:^|[.;:] )Who (asks|can|gives|has|is|looks|makes|plays|steps|wins)\b`), "anyone who, or a player who"},
	{regexp.MustCompile(`(?i)([0-9]|\b(one|games|milliseconds|moves|nodes|points|positions|rows|seeds)) a ((feature|game|move|node|position|processor|row|search|step|unit)\b|second([^ ]|$))`), "per, as in rows/s"},
}

// oddTexts finds odd words in documents, including the changelog and the reference, in pages, and
// in the comments and texts of Go files.
func oddTexts(root string) (findings []string, err error) {
	for _, ext := range []string{".md", ".html", ".go"} {
		list, err := sources(root, ext)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if strings.HasPrefix(s.path, "tools/lint/") {
				continue // these contain the words
			}
			findings = append(findings, s.odd()...)
		}
	}
	return findings, nil
}

// odd finds odd words and repeated ones.
func (s source) odd() (findings []string) {
	at := 0
	for line := range strings.Lines(s.text) {
		for _, w := range oddWords {
			if m := w.pattern.FindString(line); m != "" {
				findings = append(findings, s.at(at)+": "+m+": write "+w.instead)
			}
		}
		if w := thrice(line); w != "" {
			findings = append(findings, s.at(at)+": "+w+" three times in a row: write it once")
		}
		at += len(line)
	}
	return findings
}

var word = regexp.MustCompile(`^[a-z]{3,}$`)

// thrice returns a word that a line has three times in a row.
func thrice(line string) string {
	words := strings.Fields(line)
	for i := 2; i < len(words); i++ {
		if w := words[i]; word.MatchString(w) && w == words[i-1] && w == words[i-2] {
			return w
		}
	}
	return ""
}
