package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/internal/wording"
)

// open loads what the player plays with in a match, once for all its games.
// It starts a program and ends it again, to find out now whether it works, and
// what it is called. Close the entrant after the match.
func open[P search.Position[P]](ctx context.Context, k engine.Kit[P], c PlayerConfig, m Config) (entrant[P], error) {
	rules, err := m.rulesOf(k.Game.Info)
	if err != nil {
		return entrant[P]{}, err
	}
	if err := c.CheckFarm(m.Farm != nil); err != nil {
		return entrant[P]{}, err
	}
	if c.Program.Path != "" {
		return openProgram(ctx, k.Game, c, m, rules)
	}
	if c.Textbook != "" {
		return openTextbook(k, c, rules)
	}
	own := c.search(m)
	if err := own.Check(); err != nil {
		return entrant[P]{}, fmt.Errorf("a player: %w", err)
	}
	if c.Vary != nil {
		if err := c.Vary.Check(); err != nil {
			return entrant[P]{}, err
		}
	}
	if err := c.Policy.Check(); err != nil {
		return entrant[P]{}, fmt.Errorf("a player: %w", err)
	}
	c.Search = own
	e, err := engine.Open(ctx, k, c.Spec, rules)
	if err != nil {
		return entrant[P]{}, err
	}
	found := engineEntrant(e, c.Vary, c.Clock, c.nameOf(e.Eval.Name))
	found.Limits = underClock(e.Limits(), cmp.Or(c.Clock, m.TimeControl))
	found.Timed = !own.Reproducible() || cmp.Or(c.Clock, m.TimeControl).Base > 0
	found.Varies = c.Vary != nil || e.Book != nil && c.Policy.Margin > 0
	if e.Book != nil {
		found.Limits += ", " + e.BookName()
	}
	if c.Vary != nil {
		found.Limits += ", vary " + c.Vary.String()
	}
	return found, nil
}

// nameOf distinguishes the player in records.
func (s PlayerConfig) nameOf(evaluation string) string {
	if s.Name != "" {
		return s.Name
	}
	if s.Book != "" && s.Book != engine.NoBook {
		evaluation += " + book"
	}
	if s.Vary != nil {
		evaluation += ", varying"
	}
	return evaluation
}

// openProgram makes sure that the program plays by the rules, as far as it
// says so.
func openProgram[P search.Position[P]](ctx context.Context, g *games.Game[P], c PlayerConfig, m Config, rules string) (entrant[P], error) {
	command := c.Program
	if err := command.Protocol.Check(command.Options, g.Name, rules); err != nil {
		return entrant[P]{}, fmt.Errorf("%s: %w", command.Path, err)
	}
	p, command, err := engine.LaunchProgram(ctx, g, command, rules)
	if err != nil {
		return entrant[P]{}, err
	}
	command.Margin = m.Margin.Duration
	limits, own, err := limitsOf(c, m)
	if err != nil {
		return entrant[P]{}, fmt.Errorf("%s: %w", command.Path, err)
	}
	identity, err := command.Identity()
	if err != nil {
		return entrant[P]{}, err
	}
	text := underClock(programLimits(own), cmp.Or(c.Clock, m.TimeControl))
	if p.WithoutBook() != nil {
		text += ", " + client.BookOption + " false"
	}
	return entrant[P]{
		Name:   cmp.Or(c.Name, wording.Short(p.Name()), filepath.Base(command.Path)),
		New:    func() player[P] { return newProgramPlayer(g, command, limits) },
		Limits: text, Clock: c.Clock, Timed: true,
		Blind:   command.Protocol == client.CG,
		program: &matchProgram{identity, limits, p.Options(), command.Options},
	}, nil
}

// programLimits is what the records say that a program is allowed: it has a hash table of its
// own, or none.
func programLimits(own engine.Config) string {
	text, _, _ := strings.Cut(own.String(), ", hash")
	return text
}

// underClock is what records say of limits where a clock may be all there is: the depth that
// then means no limit is none.
func underClock(limits string, clock TimeControl) string {
	none := fmt.Sprintf("depth %d", search.MaxPly)
	if rest, found := strings.CutPrefix(limits, none); found && clock.Base > 0 {
		return "a clock" + rest
	}
	return limits
}

// limitsOf are those of a program's moves, in its protocol and as records have them.
func limitsOf(c PlayerConfig, m Config) (limits client.Limits, own engine.Config, err error) {
	own = c.search(m)
	limits = client.Limits{Depth: own.Depth, Nodes: own.Nodes, MoveTime: own.MoveTime.Duration}
	if limits.Depth == search.MaxPly {
		limits.Depth = 0
	}
	if c.Program.Protocol == client.CG {
		if m.TimeControl.Base > 0 {
			return limits, own, errors.New("a program of protocol=cg knows no clock: expected a match without tc")
		}
		limits = client.Limits{MoveTime: cmp.Or(own.MoveTime.Duration, client.MoveOfArena)}
		own = engine.Config{MoveTime: engine.Duration{Duration: limits.MoveTime}}
	}
	return limits, own, nil
}

// search is how the player is limited in a match that limits others so.
func (s PlayerConfig) search(m Config) engine.Config {
	own := s.Search
	own.HashMB = cmp.Or(own.HashMB, m.HashMB)
	own.Threads = cmp.Or(own.Threads, m.Threads)
	own.Tables = cmp.Or(own.Tables, m.Tables)
	own.FullWidth = own.FullWidth || m.FullWidth
	own.Step = cmp.Or(own.Step, m.Step)
	if own.Limits() != (search.Limits{}) {
		return own
	}
	if s.Clock.Base == 0 {
		own.Nodes, own.Depth, own.MoveTime = m.Nodes, m.Depth, m.MoveTime
	}
	if own.Limits() == (search.Limits{}) && (s.Clock.Base > 0 || m.TimeControl.Base > 0) {
		own.Depth = search.MaxPly // the clock is limit enough
	}
	return own
}
