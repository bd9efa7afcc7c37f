package oware

import (
	"embed"
	"fmt"
	"sync"
)

// The champions: compiled weights files, default.weights for abapa and
// default-RULES.weights for others. An empty file says that there is none yet.
//
//go:embed default*.weights
var champions embed.FS

var defaults struct {
	sync.Mutex
	byRules map[string]*Evaluator
}

// Default is the evaluator of the champion for the rules, nil if the program
// has none. The tables are read at the first call, once for each rule set.
func Default(rules string) (*Evaluator, error) {
	defaults.Lock()
	defer defaults.Unlock()
	if e := defaults.byRules[rules]; e != nil {
		return e, nil
	}
	name := "default.weights"
	if rules != "abapa" {
		name = "default-" + rules + ".weights"
	}
	data, err := champions.ReadFile(name)
	if err != nil || len(data) == 0 {
		return nil, nil
	}
	e, err := ParseEvaluator(data, "embedded "+name)
	if err != nil {
		return nil, err
	}
	if e.header.Rules != rules {
		return nil, fmt.Errorf("features/oware: embedded %s: weights for %s: expected %s", name, e.header.Rules, rules)
	}
	if defaults.byRules == nil {
		defaults.byRules = map[string]*Evaluator{}
	}
	defaults.byRules[rules] = e
	return e, nil
}
