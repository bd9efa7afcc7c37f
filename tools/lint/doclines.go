package main

import (
	"regexp"
	"strings"
)

// A docLine is a command line of a document, without shell syntax.
type docLine struct {
	line   int
	fenced bool
	run    bool // in a block that the tests of package commands run
	args   []string
}

var (
	spanOfCode = regexp.MustCompile("`([^`]+)`")
	// called matches the name of the program in documents.
	called = regexp.MustCompile(`^(?:\$ )?(?:\./|go run \./cmd/)?train(?: |$)`)
	quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	ends   = regexp.MustCompile(`[>|;&]|(?:^|\s)#`)
)

// docLines returns the command lines of a document: in code blocks, fenced or indented, and in
// code spans. Blocks marked "short" are run, and those marked "long" with the flags after the
// mark.
func docLines(text string) (list []docLine) {
	fenced, run := false, false
	add := func(line int, code string) {
		if at := called.FindStringIndex(code); at != nil {
			list = append(list, docLine{line, fenced, run, words(code[at[1]:])})
		}
	}
	whole := ""
	for i, line := range strings.Split(text, "\n") {
		if info, fence := strings.CutPrefix(line, "```"); fence {
			fenced = !fenced
			marks := strings.Fields(info)
			run = fenced && len(marks) > 1 && (marks[1] == "short" || marks[1] == "long" && len(marks) > 2)
			continue
		}
		switch {
		case fenced && strings.HasSuffix(line, `\`):
			whole += strings.TrimSuffix(line, `\`) + " "
		case fenced:
			add(i+1, whole+line)
			whole = ""
		case strings.HasPrefix(line, "    "):
			add(i+1, strings.TrimSpace(line))
		default:
			for _, m := range spanOfCode.FindAllStringSubmatch(line, -1) {
				add(i+1, m[1])
			}
		}
	}
	return list
}

// words returns the words of a command line up to a redirection, a pipe, another command or a
// comment; quoted text is replaced by a letter.
func words(code string) []string {
	code = quoted.ReplaceAllString(code, "Q")
	if at := ends.FindStringIndex(code); at != nil {
		code = code[:at[0]]
	}
	return strings.Fields(code)
}
