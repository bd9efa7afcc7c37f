package run

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"kroo/engine"
)

// searches are the settings of all searches of a run.
func (c *Config) searches() []*engine.Config {
	list := []*engine.Config{&c.Label, &c.Match.Config, &c.Book.Config, &c.BookPlay.Config.Config}
	if c.Patterns != nil {
		list = append(list, &c.Patterns.Match.Config)
	}
	for i := range c.Rounds {
		round := &c.Rounds[i]
		list = append(list, &round.Labels, &round.Gate.Config.Config)
		if round.Screen != nil {
			list = append(list, &round.Screen.Config.Config)
		}
	}
	for i := range c.Finals {
		list = append(list, &c.Finals[i].Config.Config)
	}
	return list
}

// LimitNodes rewrites a configuration whose labels are limited by time: their
// searches get so many nodes instead, and every other search as many more or
// fewer as its time is longer or shorter. The result is reproducible.
func LimitNodes(text, name string, nodes int64) (string, error) {
	c, err := ParseConfig(text, name)
	if err != nil {
		return "", err
	}
	if nodes < 1 {
		return "", fmt.Errorf("%d nodes: expected 1 or more", nodes)
	}
	of := c.Label.MoveTime.Duration
	if of == 0 {
		return "", fmt.Errorf("%s: its labels are not limited by time: expected a movetime in [label]", name)
	}
	for _, e := range c.searches() {
		if e.MoveTime.Duration > 0 {
			e.Nodes = max(1, int64(float64(nodes)*float64(e.MoveTime.Duration)/float64(of)))
			e.MoveTime = engine.Duration{}
		}
		if !e.Reproducible() {
			return "", fmt.Errorf("%s: searches with %s are not reproducible: expected one thread each", name, e)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, limited by %d nodes a label instead of %s\n", name, nodes, of)
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return "", err
	}
	_, err = ParseConfig(b.String(), name)
	return b.String(), errors.Join(err)
}
