package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// documents checks the documents: links, tests and commands in them must exist, and tests of
// package commands must run the commands of the tours.
func documents(root string) (findings []string, err error) {
	list, err := texts(root)
	if err != nil {
		return nil, err
	}
	tests, err := testNames(root)
	if err != nil {
		return nil, err
	}
	tree, err := commandTree(root)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		findings = append(findings, deadLinks(root, s)...)
		findings = append(findings, missingTests(s, tests)...)
		if s.path != "CHANGELOG.md" { // it contains commands as they were
			findings = append(findings, missingCommands(s, tree)...)
		}
	}
	return append(append(findings, strayFigures(list)...), tours(list)...), nil
}

// texts reads the documents.
func texts(root string) (list []source, err error) {
	all, err := sources(root, ".md")
	for _, s := range all {
		if !strings.Contains(s.path, "/") || strings.HasPrefix(s.path, "docs/") {
			list = append(list, s)
		}
	}
	return list, err
}

var link = regexp.MustCompile(`\]\(([^)]+)\)`)

// deadLinks finds links and pictures whose file does not exist.
func deadLinks(root string, s source) (findings []string) {
	for _, m := range link.FindAllStringSubmatchIndex(s.text, -1) {
		target := s.text[m[2]:m[3]]
		file, _, _ := strings.Cut(target, "#")
		if file == "" || strings.Contains(file, "://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Dir(s.path)), file)); err != nil {
			findings = append(findings, fmt.Sprintf("%s: link to %s: no such file", s.at(m[0]), target))
		}
	}
	return findings
}

var (
	testDefined = regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)`)
	testNamed   = regexp.MustCompile("`(Test[A-Z]\\w*)`")
)

// testNames returns the names of all tests of the module and its tools.
func testNames(root string) (names map[string]bool, err error) {
	names = map[string]bool{}
	for _, folder := range []string{".", "tools/browser", "tools/lint"} {
		list, err := sources(filepath.Join(root, folder), "_test.go")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, s := range list {
			for _, m := range testDefined.FindAllStringSubmatch(s.text, -1) {
				names[m[1]] = true
			}
		}
	}
	return names, nil
}

// missingTests finds names of tests in a document that do not exist.
func missingTests(s source, there map[string]bool) (findings []string) {
	for _, m := range testNamed.FindAllStringSubmatchIndex(s.text, -1) {
		if name := s.text[m[2]:m[3]]; !there[name] {
			findings = append(findings, fmt.Sprintf("%s: no test %s", s.at(m[0]), name))
		}
	}
	return findings
}

// missingCommands finds commands and flags of a document that do not exist.
func missingCommands(s source, tree commands) (findings []string) {
	for _, l := range docLines(s.text) {
		if problem := tree.wrongWith(l.args); problem != "" {
			findings = append(findings, fmt.Sprintf("%s:%d: train %s: %s", s.path, l.line, strings.Join(l.args, " "), problem))
		}
	}
	return findings
}

// tours finds commands of the README's tour and the tutorial that no test runs: a tour must work
// to its end.
func tours(list []source) (findings []string) {
	for _, tour := range []struct {
		file string
		all  bool // every command in a fenced block is run
		runs int
	}{{"README.md", false, 19}, {"docs/tutorial.md", true, 12}} {
		at := slices.IndexFunc(list, func(s source) bool { return s.path == tour.file })
		if at < 0 {
			findings = append(findings, tour.file+": no such file: expected a tour")
			continue
		}
		ran := 0
		for _, l := range docLines(list[at].text) {
			switch {
			case l.run:
				ran++
			case l.fenced && tour.all:
				findings = append(findings, fmt.Sprintf("%s:%d: train %s: expected a block marked short, or long with flags that make it short", tour.file, l.line, strings.Join(l.args, " ")))
			}
		}
		if ran < tour.runs {
			findings = append(findings, fmt.Sprintf("%s: %d commands are run, expected %d or more", tour.file, ran, tour.runs))
		}
	}
	return findings
}
