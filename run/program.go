package run

import (
	"context"
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/engine/uci/programs"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/match"
)

// Engine names another program that searches for the run: it plays the games that positions
// are taken from, labels, and searches for the book. The matches, of what the run has
// fitted, are Kroo's.
type Engine struct {
	Program string `toml:"program"` // as match.PlayerHelp has players: cmd=PROGRAM,option.NAME=VALUE…; or name=NAME, of a farm's workers
}

// Check refuses what is no program.
func (e *Engine) Check() error {
	if e == nil {
		return nil
	}
	p, err := match.ParseProgram(e.Program)
	if err == nil && p.Faults > 0 {
		err = fmt.Errorf("%q: faults=%d: a run needs every search; only label leaves positions out", e.Program, p.Faults)
	}
	return err
}

// WithEngine rewrites a configuration for another program that searches.
func WithEngine(text, name, program string) (string, error) {
	c, err := decode(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	c.Engine = &Engine{program}
	return c.text(name, "searched by another program")
}

// farmed is the name of a program that a farm's workers have, "" for one of this machine and
// for none.
func (e *Engine) farmed() string {
	if e == nil {
		return ""
	}
	p, err := match.ParseProgram(e.Program)
	if err != nil {
		return ""
	}
	return p.Engine
}

// CheckFarm refuses a program that does not search where the run does: here, or on the
// workers of a farm.
func (c *Config) CheckFarm(far bool) error {
	if c.Engine == nil {
		return nil
	}
	switch name := c.Engine.farmed(); {
	case name == "" && far:
		return errors.New("the program of [engine] is one of this machine, and workers run no command lines of others: expected name=NAME, one that they allow by --allow-engine NAME=cmd=PROGRAM, or no farm")
	case name != "" && !far:
		return fmt.Errorf("the program of [engine], %s, is one of a farm's workers: expected --farm, or cmd=PROGRAM", name)
	case name != "" && c.selfPlay() != "":
		return fmt.Errorf("%s: games that positions are taken from are played on this machine, and the program of [engine], %s, is one of a farm's workers: expected cmd=PROGRAM without a farm, or positions of another method", c.selfPlay(), name)
	}
	return nil
}

// selfPlay names the first positions that are taken from games of the engine, "" for none.
func (c *Config) selfPlay() string {
	for i, round := range c.Rounds {
		if round.Positions.Plays() {
			return roundName(i) + "positions"
		}
	}
	return ""
}

// signature tells programs of this machine apart, "" for none.
func (e *Engine) signature() (string, error) {
	if e == nil {
		return "", nil
	}
	p, err := match.ParseProgram(e.Program)
	if err != nil {
		return "", err
	}
	text, err := programs.Signature(p.Program)
	if err != nil {
		return "", fmt.Errorf("the program of [engine]: %w", err)
	}
	return text, nil
}

// takeHere takes a program of this machine, or that there is none.
func (r *Run) takeHere() error {
	if r.Config.Engine.farmed() != "" {
		return nil
	}
	now, err := r.Config.Engine.signature()
	if err != nil {
		return err
	}
	return r.takeProgram(now)
}

// takeFar takes the program that the farm's workers have, once one has it.
func (r *Run) takeFar(ctx context.Context) error {
	name := r.Config.Engine.farmed()
	if name == "" {
		return nil
	}
	found, err := r.Farm.Programs(ctx, name)
	if err != nil {
		return err
	}
	r.program = found[0]
	if err := r.takeProgram(r.program.Name + ": " + r.program.Identity); err != nil {
		return err
	}
	return r.manifest.write(r.Dir)
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

// searched is what searches for the run: its program, or else an evaluation.
func (r *Run) searched(ctx context.Context, own func() (engine.Evaluation[oware.Position], error)) (engine.Evaluation[oware.Position], error) {
	if r.Config.Engine == nil {
		return own()
	}
	if r.program != (farm.Program{}) {
		return farm.Kit(engine.Oware(), r.program).Evaluation("", r.Config.Rules)
	}
	p, err := match.ParseProgram(r.Config.Engine.Program)
	if err != nil {
		return engine.Evaluation[oware.Position]{}, err
	}
	if r.Warn != nil {
		p.Program.Watch = &client.LimitWatch{Warn: r.Warn}
	}
	return programs.Kit(ctx, engine.Oware(), p.Program).Evaluation("", r.Config.Rules)
}

// tables are those of a search: none for a program, unless the configuration names them.
func (r *Run) tables(tables string) string {
	if r.Config.Engine != nil && tables == "" {
		return engine.NoTables
	}
	return tables
}
