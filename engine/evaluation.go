package engine

import (
	"fmt"

	"kroo/engine/search"
)

// Evaluation is an evaluation for the search with the name that files record:
// that of a built-in one, or the hash of the weights it was built from.
type Evaluation[P any] struct {
	search.Evaluator[P]
	LastPly search.LastPly[P] // nil for none; agrees with the evaluator
	Name    string
	Rules   string // that its weights were fitted for; "" serves all
	File    string // that the weights came from; "" if from none
	// Antisymmetric says that passing the turn only changes the sign.
	Antisymmetric bool
	Tuning        search.Tuning // suits the search to the evaluator
	// InCheck tells whether the side to move may not stand pat; nil for never.
	InCheck func(P) bool
}

// CheckRules refuses weights that were fitted under other rules.
func (e Evaluation[P]) CheckRules(rules string) error {
	if e.Rules == "" || e.Rules == rules {
		return nil
	}
	what := e.Name
	if e.File != "" {
		what = e.File
	}
	return fmt.Errorf("%s: weights fitted for %s: expected %s", what, e.Rules, rules)
}

// Knowledge is what a searcher knows of the game with the evaluation alone.
func (e Evaluation[P]) Knowledge() search.Knowledge[P] {
	return search.Knowledge[P]{Eval: e.Evaluator, LastPly: e.LastPly, Tuning: e.Tuning, InCheck: e.InCheck}
}
