package run

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"kroo/engine"
)

// WithRules rewrites a configuration for other rules. name goes into errors.
func WithRules(text, name, rules string) (string, error) {
	c, err := decode(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	c.Rules = rules
	return c.text(name, "under "+rules+" rules")
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
	of := c.Label.MoveTime
	if of.Duration == 0 {
		return "", fmt.Errorf("%s: its labels are not limited by time: expected a movetime in [label]", name)
	}
	for _, s := range c.searches() {
		e := s.of
		if e.MoveTime.Duration > 0 {
			e.Nodes = max(1, int64(float64(nodes)*float64(e.MoveTime.Duration)/float64(of.Duration)))
			e.MoveTime = engine.Duration{}
		}
		if !e.Reproducible() {
			return "", fmt.Errorf("%s: %s: searches with %s are not reproducible: expected one thread each", name, s.name, e)
		}
	}
	return c.text(name, fmt.Sprintf("limited by %d nodes a label instead of %s", nodes, of))
}

// text writes and checks a configuration that was made of the one called name, and
// says how.
func (c *Config) text(name, how string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, %s\n", name, how)
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return "", err
	}
	_, err := ParseConfig(b.String(), name)
	return b.String(), err
}
