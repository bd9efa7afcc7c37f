package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
)

// open loads the files of a player, once for all games of a match. Close the entrant after the
// match.
func open[P search.Position[P]](ctx context.Context, k engine.Kit[P], s engine.Spec, m Config) (found entrant[P], err error) {
	rules, err := m.rulesOf(k.Game.Info)
	if err != nil {
		return found, err
	}
	if err := s.CheckFarm(m.Farm != nil); err != nil {
		return found, err
	}
	switch {
	case s.Program.Protocol == client.CG && m.TimeControl.Base > 0:
		return found, fmt.Errorf("%s: %w", s.Program.Path, errors.New("protocol=cg has no clock: expected a match without tc"))
	case s.Textbook != "":
		s.Search.Tables = engine.NoTables
	default:
		s.Search, s.Program.Margin = limited(s, m), m.Margin.Duration
	}
	if s.Program.Path == "" && s.Textbook == "" {
		if err := s.Check(); err != nil {
			return found, fmt.Errorf("a player: %w", err)
		}
	}
	e, err := engine.Open(ctx, k, s, rules)
	if err != nil {
		return found, err
	}
	return newEntrant(e, cmp.Or(s.Clock, m.TimeControl)), nil
}

// underClock describes limits for records. If a clock is the only limit, it leaves out the depth
// that means no limit.
func underClock(limits string, clock engine.TimeControl) string {
	none := fmt.Sprintf("depth %d", search.MaxPly)
	if rest, found := strings.CutPrefix(limits, none); found && clock.Base > 0 {
		return "a clock" + rest
	}
	return limits
}

// limited returns the limits of a player in a match whose default limits are those of m.
func limited(s engine.Spec, m Config) engine.Config {
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
		return engine.Config{MoveTime: cmp.Or(own.MoveTime, m.MoveTime, engine.Duration{Duration: client.MoveOfArena}), Tables: engine.NoTables}
	case own.Limits() != (search.Limits{}):
		return own
	case s.Clock.Base == 0:
		own.Nodes, own.Depth, own.MoveTime = m.Nodes, m.Depth, m.MoveTime
	}
	if own.Limits() == (search.Limits{}) && (s.Clock.Base > 0 || m.TimeControl.Base > 0) {
		own.Depth = search.MaxPly // the clock is limit enough
	}
	return own
}
