package run

import (
	"fmt"
	"time"

	"kroo/engine"
	"kroo/internal/spec"
	"kroo/sampler"
)

// Changes are what a command line changes of a configuration; zero values leave it as it is.
type Changes struct {
	Rules string
	// Limit is one limit (nodes, depth or time) of the first labels. Other searches get the same depth, or
	// nodes or time in proportion to their own. Matches change only if they are limited by time and the
	// others are to be reproducible, by nodes.
	Limit engine.Config
}

// Adapt rewrites a configuration, and notes the changes in a comment. name is for errors.
func Adapt(text, name string, to Changes) (string, error) {
	if to == (Changes{}) {
		return text, nil
	}
	c, err := decode(text, spec.Decode)
	how := ""
	if to.Rules != "" {
		c.Rules, how = to.Rules, how+", under "+to.Rules+" rules"
	}
	if to.Limit != (engine.Config{}) && err == nil {
		how += ", labels limited by " + to.Limit.String()
		err = c.limit(to.Limit)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	text = fmt.Sprintf("# %s%s\n", name, how) + c.Text()
	_, err = ParseConfig(text, name)
	return text, err
}

// limit changes the limits of searches, as [Changes] describes.
func (c *Config) limit(to engine.Config) error {
	label := c.Label
	if !c.counts() && len(c.Rounds) > 0 {
		label = c.Rounds[0].Labels
	}
	for _, s := range c.searches() {
		s.of.Nodes, s.of.Depth, s.of.MoveTime = scaled(label, *s.of, to)
	}
	for _, s := range parts[*sampler.Config](c) {
		if e := s.of.Searches(); s.of.Plays() {
			s.of.Nodes, s.of.Depth, s.of.MoveTime = scaled(label, e, to)
		}
	}
	for _, m := range c.matches() {
		if to.Nodes > 0 && m.of.MoveTime.Duration > 0 {
			m.of.Nodes, m.of.Depth, m.of.MoveTime = scaled(label, m.of.Config, to)
		}
	}
	for _, s := range parts[*engine.Config](c) {
		if to.Nodes > 0 && !s.of.Reproducible() {
			return fmt.Errorf("%s: searches with %s are not reproducible: expected one thread each", s.name, s.of)
		}
	}
	return nil
}

// scaled returns the limits of a search when those of a label change to others.
func scaled(label, search, to engine.Config) (nodes int64, depth int, movetime engine.Duration) {
	share := 1.0
	switch timed := label.MoveTime.Duration > 0; {
	case label.Nodes > 0 && search.Nodes > 0:
		share = float64(search.Nodes) / float64(label.Nodes)
	case timed && search.MoveTime.Duration > 0:
		share = float64(search.MoveTime.Duration) / float64(label.MoveTime.Duration)
	case timed && search.Nodes > 0 && to.Nodes > 0: // has such a limit already
		return search.Nodes, search.Depth, search.MoveTime
	}
	if to.Nodes > 0 {
		nodes = max(1, int64(share*float64(to.Nodes)))
	}
	if to.MoveTime.Duration > 0 {
		movetime.Duration = max(time.Millisecond, time.Duration(share*float64(to.MoveTime.Duration)))
	}
	return nodes, to.Depth, movetime
}
