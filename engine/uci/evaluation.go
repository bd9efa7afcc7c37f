package uci

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"kroo/engine"
	"kroo/internal/vfs"
)

// inForce is the chosen evaluation if it serves the rules, else the game's own.
func (c *session[P]) inForce() engine.Evaluation[P] {
	if c.eval.CheckRules(c.rules) != nil {
		return c.own()
	}
	return c.eval
}

// own is the game's own evaluation under the rules in force. It is loaded when it is first
// needed: the default weights of oware take longer than all else at the start.
func (c *session[P]) own() engine.Evaluation[P] {
	if c.plain.Evaluator == nil {
		e, err := c.kit.Evaluation("", c.rules)
		if err != nil {
			c.out.note("no evaluation of the game's own: %v", err)
			return c.eval
		}
		c.plain = e
	}
	return c.plain
}

// nameOf is the name of an evaluation for the user: weights by their file and
// hash.
func nameOf[P any](e engine.Evaluation[P]) string {
	if e.File == "" {
		return e.Name
	}
	return e.File + " " + strings.TrimPrefix(e.Name, "weights ")
}

// loadEvaluation finds an evaluation by name, or by the path of a weights file.
// It refuses what is no plain file: to open a pipe could block forever.
func (c *session[P]) loadEvaluation(name string) (engine.Evaluation[P], error) {
	if err := checkFile(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return engine.Evaluation[P]{}, err
	}
	return c.kit.Evaluation(name, c.rules)
}

// checkFile refuses what is no plain file.
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
	c.dropSearcher() // its hash table is of the other evaluation
	c.tellEvaluation()
	return nil
}

func (c *session[P]) tellEvaluation() {
	if c.eval.CheckRules(c.rules) != nil {
		c.out.note("evaluation %s, since %s is for %s", nameOf(c.own()), nameOf(c.eval), c.eval.Rules)
		return
	}
	c.out.note("evaluation %s", nameOf(c.eval))
}
