package uci

import (
	"fmt"
	"os"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
)

const capturesName = "captures"

// evaluation is an evaluator and the rules it serves.
type evaluation struct {
	eval  search.Evaluator[oware.Position] // nil for captures, which serves all
	name  string
	rules oware.Rules
}

// serves tells whether the evaluator is for these rules.
func (e evaluation) serves(r oware.Rules) bool { return e.eval == nil || e.rules == r }

// givenEvaluation is the evaluator of the Config.
func (c *session) givenEvaluation() evaluation {
	if c.cfg.Eval == nil {
		return evaluation{name: capturesName}
	}
	return evaluation{c.cfg.Eval, c.cfg.EvalName, c.cfg.Rules}
}

// loadEvaluation reads a weights file.
func loadEvaluation(path string) (evaluation, error) {
	if err := checkFile(path); err != nil {
		return evaluation{}, err
	}
	w, err := thesis.Load(path)
	if err != nil {
		return evaluation{}, err
	}
	rules, err := oware.ParseRules(w.Rules)
	if err != nil {
		return evaluation{}, err
	}
	e, err := thesis.NewEvaluator(w)
	if err != nil {
		return evaluation{}, err
	}
	return evaluation{e, path + " " + w.Hash(), rules}, nil
}

// evaluator is the one to search with under the rules in force.
func (c *session) evaluator() search.Evaluator[oware.Position] {
	if c.eval.eval == nil || !c.eval.serves(c.rules) {
		return evaluations.Captures{}
	}
	return c.eval.eval
}

func (c *session) evaluationName() string {
	if !c.eval.serves(c.rules) {
		return capturesName
	}
	return c.eval.name
}

// checkFile refuses what is no plain file: to open a pipe could block for
// ever.
func checkFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", quote(path))
	}
	return nil
}
