package main

import (
	"path"
	"regexp"
)

var errorBegins = regexp.MustCompile(`(?:Errorf|errors\.New)\(["` + "`" + `]([a-z/]+): `)

// errorTexts finds errors that begin with the name of their package. Errors should say what
// failed and with what, and each layer adds its action.
func errorTexts(root string) (findings []string, err error) {
	list, err := code(root)
	for _, s := range list {
		folder := path.Dir(s.path)
		for _, m := range errorBegins.FindAllStringSubmatchIndex(s.text, -1) {
			if name := s.text[m[2]:m[3]]; name == folder || name == path.Base(folder) {
				findings = append(findings, s.at(m[0])+": an error begins with "+name+": expected what went wrong with what")
			}
		}
	}
	return findings, err
}
