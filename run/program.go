package run

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"kroo/engine"
	"kroo/engine/uci/client"
)

// Engine names another program that searches for the run: it plays the games for positions,
// labels, and searches for the book. The matches, between weights of the run, are played by
// Kroo.
type Engine struct {
	Program string `name:"program" help:"cmd=PROGRAM,option.NAME=VALUE… (see train help players); hash_mb does not apply to it"`
}

// Check returns an error if the program's text is invalid.
func (e *Engine) Check() error {
	if e == nil || strings.HasPrefix(e.Program, "name=") { // finished runs of older builds may name a program of a farm's workers; Run refuses it
		return nil
	}
	_, err := engine.ParseProgram(e.Program)
	return err
}

// CheckFarm returns an error for a program with a farm, because it searches only on this
// machine.
func (c *Config) CheckFarm(far bool) error {
	if c.Engine != nil && far {
		return errors.New("the program of [engine] searches on this machine only: expected no farm, or no [engine]")
	}
	return nil
}

// signature identifies the program, "" if e is nil.
func (e *Engine) signature() (string, error) {
	if e == nil {
		return "", nil
	}
	p, err := engine.ParseProgram(e.Program)
	if err != nil {
		return "", err
	}
	identity, err := p.Identity()
	if err != nil {
		return "", fmt.Errorf("the program of [engine]: %w", err)
	}
	return identity.String(), nil
}

// takeEngine records the program that searches, or returns an error if the run was started with
// another one.
func (r *Run) takeEngine() error {
	now, err := r.Config.Engine.signature()
	if err != nil {
		return err
	}
	m := r.manifest
	if m.Program == "" && len(m.Stages) == 0 {
		m.Program = now
	}
	if m.Program != now {
		return fmt.Errorf("%s was started with the program %s, this one is %s: results would mix; use that program, or start a new run", r.Dir, m.Program, now)
	}
	return nil
}

// spec returns the player that searches for the run: the program, with endgame tables only if
// the settings name them, or else the engine with weights.
func (r *Run) spec(weights string, c engine.Config) (engine.Spec, error) {
	s := engine.Spec{Weights: weights, Search: c}
	if r.Config.Engine == nil {
		return s, nil
	}
	p, err := engine.ParseProgram(r.Config.Engine.Program)
	if err != nil {
		return s, err
	}
	s.Program, s.Search.Tables = p, cmp.Or(c.Tables, engine.NoTables)
	if r.Warn != nil {
		s.Program.Watch = &client.LimitWatch{Warn: r.Warn}
	}
	return s, nil
}
