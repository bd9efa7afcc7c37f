package run

import (
	"fmt"
	"time"

	"kroo/engine"
	"kroo/internal/spec"
)

// WithRules rewrites a configuration for other rules. name is for errors.
func WithRules(text, name, rules string) (string, error) {
	c, err := decode(text, spec.Decode)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	c.Rules = rules
	return c.text(name, "under "+rules+" rules")
}

// LimitNodes rewrites a configuration whose labels are limited by time: their searches get the
// given number of nodes, and every other search gets nodes in proportion to its time. The result
// is reproducible.
func LimitNodes(text, name string, nodes int64) (string, error) {
	c, err := ParseConfig(text, name)
	if err != nil {
		return "", err
	}
	if nodes < 1 {
		return "", fmt.Errorf("%d nodes: expected 1 or more", nodes)
	}
	of := c.firstLabels().MoveTime
	if of.Duration == 0 {
		return "", fmt.Errorf("%s: its labels are not limited by time: expected a movetime in [label]", name)
	}
	set := func(to *int64, movetime *engine.Duration) {
		if movetime.Duration > 0 {
			*to = max(1, int64(float64(nodes)*float64(movetime.Duration)/float64(of.Duration)))
			*movetime = engine.Duration{}
		}
	}
	for _, s := range c.samples() {
		set(&s.Nodes, &s.MoveTime)
	}
	for _, s := range c.searches() {
		e := s.of
		set(&e.Nodes, &e.MoveTime)
		if !e.Reproducible() {
			return "", fmt.Errorf("%s: %s: searches with %s are not reproducible: expected one thread each", name, s.name, e)
		}
	}
	return c.text(name, fmt.Sprintf("limited by %d nodes per label instead of %s", nodes, of))
}

// firstLabels returns the search settings of the first labels of the run.
func (c *Config) firstLabels() engine.Config {
	if c.counts() {
		return c.Label
	}
	return c.Rounds[0].Labels
}

// LimitTime rewrites a configuration: the program of [engine] gets the given time per label, and
// for its other searches a time in proportion to their limit of nodes or time. Matches, which
// Kroo plays, do not change.
func LimitTime(text, name string, of time.Duration) (string, error) {
	return limit(text, name, fmt.Sprintf("limited by %s per label", of), func(label, e engine.Config) engine.Config {
		share := 1.0
		switch {
		case label.Nodes > 0 && e.Nodes > 0:
			share = float64(e.Nodes) / float64(label.Nodes)
		case label.MoveTime.Duration > 0 && e.MoveTime.Duration > 0:
			share = float64(e.MoveTime.Duration) / float64(label.MoveTime.Duration)
		}
		return engine.Config{MoveTime: engine.Duration{Duration: max(time.Millisecond, time.Duration(share*float64(of)))}}
	})
}

// LimitDepth rewrites a configuration: searches for labels, books and games for positions are
// limited by depth. Matches do not change.
func LimitDepth(text, name string, depth int) (string, error) {
	return limit(text, name, fmt.Sprintf("limited by depth %d", depth), func(_, _ engine.Config) engine.Config {
		return engine.Config{Depth: depth}
	})
}

// limit changes the limits of a configuration's searches to those that other computes from the
// first labels' limits and the search's own.
func limit(text, name, how string, other func(label, e engine.Config) engine.Config) (string, error) {
	c, err := ParseConfig(text, name)
	if err != nil {
		return "", err
	}
	label := c.firstLabels()
	set := func(nodes *int64, depth *int, movetime *engine.Duration) {
		to := other(label, engine.Config{Nodes: *nodes, Depth: *depth, MoveTime: *movetime})
		*nodes, *depth, *movetime = to.Nodes, to.Depth, to.MoveTime
	}
	for _, s := range c.programs() {
		set(&s.of.Nodes, &s.of.Depth, &s.of.MoveTime)
	}
	for _, s := range c.samples() {
		if e := s.Searches(); s.Plays() {
			s.Nodes = e.Nodes
			set(&s.Nodes, &s.Depth, &s.MoveTime)
		}
	}
	return c.text(name, how)
}

// text encodes and checks a configuration derived from the one called name, with how as a
// comment.
func (c *Config) text(name, how string) (string, error) {
	text := fmt.Sprintf("# %s, %s\n", name, how) + c.Text()
	_, err := ParseConfig(text, name)
	return text, err
}
