package run

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/internal/spec"
)

// Engine names another program that searches for the run: it plays the games that positions
// are taken from, labels, and searches for the book. The matches, of what the run has
// fitted, are Kroo's.
type Engine struct {
	Program string `name:"program" help:"cmd=PROGRAM,option.NAME=VALUE…, as train help players has it; hash_mb is Kroo's own"`
}

// Check refuses what is no program.
func (e *Engine) Check() error {
	if e == nil || strings.HasPrefix(e.Program, "name=") { // a finished run may have a program of a farm's workers: one to be done is refused later
		return nil
	}
	_, err := engine.ParseProgram(e.Program)
	return err
}

// WithEngine rewrites a configuration for another program that searches.
func WithEngine(text, name, program string) (string, error) {
	c, err := decode(text, spec.Decode)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	c.Engine = &Engine{program}
	return c.text(name, "searched by another program")
}

// CheckFarm refuses a program with a farm: it searches on this machine only.
func (c *Config) CheckFarm(far bool) error {
	if c.Engine != nil && far {
		return errors.New("the program of [engine] searches on this machine only: expected no farm, or no [engine]")
	}
	return nil
}

// signature distinguishes programs, "" for none.
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

// takeEngine takes the program that searches, or that there is none.
func (r *Run) takeEngine() error {
	now, err := r.Config.Engine.signature()
	if err != nil {
		return err
	}
	return r.takeProgram(now)
}

// takeProgram notes which program searches, or refuses one that is not the one that the run
// was begun with.
func (r *Run) takeProgram(now string) error {
	m := r.manifest
	if m.Program == "" && len(m.Stages) == 0 {
		m.Program = now
	}
	if m.Program != now {
		return fmt.Errorf("%s was begun with the program %s, this one is %s: results would mix; put it back, or start a new run", r.Dir, m.Program, now)
	}
	return nil
}

// spec returns what searches for the run: its program, without endgame tables that the settings do not
// name, or else the engine with weights.
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
