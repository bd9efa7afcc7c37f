package serve

import (
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/internal/testkit"
)

// A server whose searches time or depth limits asks for no nodes, unless it is told to.
func TestLimitsOfSearches(t *testing.T) {
	longest := maxSearchTime - time.Second
	for _, c := range []struct {
		config Config
		asked  string
		limits search.Limits
		hints  search.Limits
	}{
		{Config{}, "", search.Limits{Nodes: 2_000_000, Time: longest}, search.Limits{Nodes: 200_000}},
		{Config{Nodes: 5000}, "9000", search.Limits{Nodes: 5000, Time: longest}, search.Limits{Nodes: 500}},
		{Config{Depth: 9}, "", search.Limits{Depth: 9, Time: longest}, search.Limits{Depth: 9}},
		{Config{MoveTime: time.Second}, "", search.Limits{Time: time.Second}, search.Limits{Time: 100 * time.Millisecond}},
		{Config{MoveTime: time.Hour}, "", search.Limits{Time: longest}, search.Limits{Time: longest / 10}},
		{Config{Depth: 9, Nodes: 5000}, "70", search.Limits{Nodes: 70, Depth: 9, Time: longest}, search.Limits{Nodes: 500, Depth: 9}},
		{Config{Depth: 9}, "70", search.Limits{Nodes: 70, Depth: 9, Time: longest}, search.Limits{Depth: 9}},
	} {
		s := &Server{config: c.config.withDefaults()}
		nodes, err := s.nodesOf(c.asked)
		if got := s.config.limits(nodes); err != nil || got != c.limits {
			t.Errorf("%+v, asked for %q nodes: %+v, error %v: want %+v", c.config, c.asked, got, err, c.limits)
		}
		testkit.Equal(t, s.config.hints().Limits(), c.hints, "%+v: hints", c.config)
	}
}
