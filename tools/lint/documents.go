package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// documents checks the documents: links and tests in them must exist, and the README's results must
// be in another document. Tests of package commands check the commands.
func documents(root string) (findings []string, err error) {
	list, err := texts(root)
	if err != nil {
		return nil, err
	}
	tests, err := testNames(root)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		findings = append(findings, deadLinks(root, s)...)
		findings = append(findings, missingTests(s, tests)...)
	}
	return append(findings, strayFigures(list)...), nil
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
