package oware

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kroo/features"
	"kroo/games/oware"
)

// The weights that come with the program: default.weights, the compiled champion for abapa and
// arena; default-RULES.weights, the champions for other rules; and points.model, a model fitted
// in points to uniform positions.
//
//go:embed *.weights points.model
var embedded embed.FS

var parsed struct {
	sync.Mutex
	byFile map[string]*Evaluator
}

// otherDefault is the prefix of the names of otherDefaults and of their files.
const otherDefault = "default-"

// otherDefaults are the names of the champions for other rules than abapa: "default-" and the
// rules.
func otherDefaults() []string { return []string{otherDefault + "awari"} }

// rulesOfOtherDefault returns the rules in a name of otherDefaults; ok is false for other names.
func rulesOfOtherDefault(name string) (rules string, ok bool) {
	return strings.TrimPrefix(name, otherDefault), slices.Contains(otherDefaults(), name)
}

// Default returns the evaluator of the champion for the rules, nil if the program has none. The
// tables are read once per rule set, at the first call.
func Default(rules string) (*Evaluator, error) {
	name := defaultFile(rules)
	e, err := fromProgram(name)
	if err == nil && e != nil && name != defaultFile(e.header.Rules) {
		return nil, fmt.Errorf("embedded %s: weights for %s: expected %s", name, e.header.Rules, rules)
	}
	return e, err
}

// defaultFile returns the embedded file of the champion for the rules.
func defaultFile(rules string) string {
	if r, err := oware.ParseRules(rules); err == nil && r.LikeAbapa() {
		return defaultName + ".weights"
	}
	return otherDefault + rules + ".weights"
}

// points returns the model, for abapa, of weights fitted in points to uniform positions: the linear
// function that agrees best with labels. Tables cannot represent it (see [features.Direct]).
var points = sync.OnceValues(func() (*Model, error) {
	const name = "points.model"
	data, err := embedded.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return PatternSets.ParseModel(data, "embedded "+name)
})

// fromProgram reads an embedded file once; nil if it is absent or empty.
func fromProgram(name string) (*Evaluator, error) {
	parsed.Lock()
	defer parsed.Unlock()
	if e := parsed.byFile[name]; e != nil {
		return e, nil
	}
	data, err := embedded.ReadFile(name)
	if err != nil || len(data) == 0 {
		return nil, nil // an absent file is not an error
	}
	f, err := PatternSets.OpenPacked(data)
	var e *Evaluator
	if err == nil {
		e, err = opened{f}.evaluator()
	}
	if err != nil {
		return nil, features.InFile("embedded "+name, err)
	}
	if parsed.byFile == nil {
		parsed.byFile = map[string]*Evaluator{}
	}
	parsed.byFile[name] = e
	return e, nil
}
