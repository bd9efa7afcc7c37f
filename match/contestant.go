package match

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
)

// contestant is one of the two sides of a match: a name, and one player per game played at a time.
//
// An error of a player loses the game, unless the context is done. The referee measures the time of
// moves independently.
type contestant[P search.Position[P]] struct {
	nameOfPlayer
	// New makes a player that is independent of the others: one for each pair in play, and a
	// replacement for one that panicked.
	New func() engine.Mover[P]
	// LimitsText describes the players' limits in records ("nodes 20000"). It has no effect on play, but
	// a log with other limits is refused.
	LimitsText string
	Clock      engine.TimeControl // instead of the match's: time odds
	Timed      bool               // moves depend on time: the match is not reproducible
	Varies     bool               // plays differently from the same opening

	engine *engine.Engine[P]
}

// openContestant loads the files of a player, once for all games of a match. Close the contestant after the
// match.
func openContestant[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], s engine.Spec, m Config,
) (found contestant[P], err error) {
	rules, err := m.rulesOf(k.Game.Info)
	if err != nil {
		return found, err
	}
	if err := s.CheckFarm(m.Farm != nil); err != nil {
		return found, err
	}
	if s.Program.Protocol == client.CG && m.TimeControl.IsSet() {
		return found, fmt.Errorf("%s: protocol=cg has no clock: expected a match without tc", s.Program.Path)
	}
	s.Search = mergedSearch(s, m)
	s.Program.Margin = m.Margin.Duration
	if s.Program.Path == "" {
		if err := s.Check(); err != nil {
			return found, fmt.Errorf("a player: %w", err)
		}
	}
	e, err := engine.Open(ctx, k, s, rules)
	if err != nil {
		return found, err
	}
	return newContestant(e, cmp.Or(s.Clock, m.TimeControl)), nil
}

// mergedSearch returns the limits of a player, with those of the match where it has none.
func mergedSearch(s engine.Spec, m Config) engine.Config {
	own := s.Search
	own.HashMB = cmp.Or(own.HashMB, m.HashMB)
	own.Threads = cmp.Or(own.Threads, m.Threads)
	own.Tables = cmp.Or(own.Tables, m.Tables)
	own.FullWidth = own.FullWidth || m.FullWidth
	own.Step = cmp.Or(own.Step, m.Step)
	if s.Program.Path != "" { // a program has settings of its own
		own.Tables = engine.NoTables
	}
	switch {
	case s.Program.Protocol == client.CG:
		arena := engine.Duration{Duration: client.MoveOfArena}
		return engine.Config{MoveTime: cmp.Or(own.MoveTime, m.MoveTime, arena), Tables: engine.NoTables}
	case own.Limits() != (search.Limits{}):
		return own
	case !s.Clock.IsSet():
		own.Nodes = m.Nodes
		own.Depth = m.Depth
		own.MoveTime = m.MoveTime
	}
	if own.Limits() == (search.Limits{}) && (s.Clock.IsSet() || m.TimeControl.IsSet()) {
		own.Depth = search.MaxPly // the clock is limit enough
	}
	return own
}

// newContestant returns a contestant that plays by an engine, and closes it.
func newContestant[P search.Position[P]](e *engine.Engine[P], control engine.TimeControl) contestant[P] {
	s := e.Spec
	found := contestant[P]{
		nameOfPlayer: nameOf(e),
		New:          e.NewMover,
		Clock:        s.Clock,
		LimitsText:   underClock(e.LimitsText(), control),
		engine:       e,
	}
	if p := e.Program(); p != nil {
		found.Timed = true
		if p.BookOff {
			found.LimitsText += ", " + client.BookOption + " false"
		}
		return found
	}
	found.Timed = !s.Search.Reproducible() || control.IsSet()
	found.Varies = s.Vary != nil || e.Book != nil && s.Policy.Margin() > 0
	if e.Book != nil {
		found.LimitsText += ", " + e.BookName()
	}
	if s.Vary != nil {
		found.LimitsText += ", vary " + s.Vary.String()
	}
	return found
}

// nameOf returns how an engine's player is called. Its label has the name of the weights' file, or of
// weights of the program, instead of their hash.
func nameOf[P search.Position[P]](e *engine.Engine[P]) nameOfPlayer {
	name := e.Name()
	rest, found := strings.CutPrefix(name, e.Eval.Name)
	if !found || e.Spec.Name != "" || e.Program() != nil {
		return nameOfPlayer{Name: name, Label: name}
	}
	if e.Spec.Weights == "" {
		return nameOfPlayer{Name: name, Label: cmp.Or(e.Eval.Known, e.Eval.Name) + rest}
	}
	path := strings.Split(filepath.ToSlash(e.Spec.Weights), "/")
	last := len(path) - 1
	return nameOfPlayer{Name: name, Label: path[last] + rest, Folders: path[:last]}
}

// underClock describes limits for records. If a clock is the only limit, it leaves out the depth
// that means no limit.
func underClock(limits string, clock engine.TimeControl) string {
	none := fmt.Sprintf("depth %d", search.MaxPly)
	if rest, found := strings.CutPrefix(limits, none); found && clock.IsSet() {
		return "a clock" + rest
	}
	return limits
}

// blind reports whether the players are not informed of captures, so that no opening may capture.
func (e contestant[P]) blind() bool {
	p := e.engine.Program()
	return p != nil && p.Protocol == client.CG
}

// Close frees the files of the players. None may be running.
func (e contestant[P]) Close() error {
	if e.engine == nil { // not opened
		return nil
	}
	return e.engine.Close()
}
