package uci

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"kroo/engine"
	"kroo/internal/vfs"
)

// activeEvaluation returns the chosen evaluation if it is for the current rules, else the game's
// default.
func (c *session[P]) activeEvaluation() engine.Evaluation[P] {
	if c.eval.CheckRules(c.rules) != nil {
		return c.defaultEvaluation()
	}
	return c.eval
}

// defaultEvaluation returns the game's default evaluation for the current rules. It is loaded when
// needed, because loading oware's default weights dominates the start-up time.
func (c *session[P]) defaultEvaluation() engine.Evaluation[P] {
	if c.fallback.Evaluator == nil {
		e, err := c.kit.Evaluation("", c.rules)
		if err != nil {
			c.out.note("cannot load the default evaluation: %v", err)
			return c.eval
		}
		c.fallback = e
	}
	return c.fallback
}

// nameOf returns the displayed name of an evaluation: for weights, file and hash.
func nameOf[P any](e engine.Evaluation[P]) string {
	if e.File == "" {
		return e.Name
	}
	return e.File + " " + strings.TrimPrefix(e.Name, "weights ")
}

// loadEvaluation loads an evaluation by name or by the path of a weights file. It rejects other
// than regular files: opening a pipe could block forever.
func (c *session[P]) loadEvaluation(name string) (engine.Evaluation[P], error) {
	if err := checkFile(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return engine.Evaluation[P]{}, err
	}
	return c.kit.Evaluation(name, c.rules)
}

// checkFile returns an error if path is not a regular file.
func checkFile(path string) error {
	info, err := vfs.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", quote(path))
	}
	return nil
}

func (c *session[P]) setWeights(value string) error {
	e := c.server.engine.Eval
	if value != "" && value != empty {
		var err error
		if e, err = c.loadEvaluation(value); err != nil {
			return err
		}
	}
	c.eval = e
	c.dropSearcher() // its hash table is for the old evaluation
	c.reportEvaluation()
	return nil
}

func (c *session[P]) reportEvaluation() {
	if c.eval.CheckRules(c.rules) != nil {
		c.out.note("evaluation %s, because %s is for %s", nameOf(c.defaultEvaluation()), nameOf(c.eval), c.eval.Rules)
		return
	}
	c.out.note("evaluation %s", nameOf(c.eval))
}
