package run

import (
	"fmt"
	"regexp"

	"kroo/games/oware"
)

var rulesLine = regexp.MustCompile(`(?m)^(rules[ \t]*=[ \t]*)"[^"\n]*"`)

// WithRules rewrites a configuration for other rules and leaves all else of its
// text as it is. name goes into errors.
func WithRules(text, name, rules string) (string, error) {
	if _, err := oware.ParseRules(rules); err != nil {
		return "", err
	}
	if !rulesLine.MatchString(text) {
		return "", fmt.Errorf("%s: no line rules = \"…\" to change", name)
	}
	text = rulesLine.ReplaceAllString(text, `${1}"`+rules+`"`)
	_, err := ParseConfig(text, name)
	return text, err
}
