package uci

import (
	"strings"
	"testing"

	"kroo/engine"
	"kroo/internal/testkit"
)

// A level limits the nodes of a search, but not in analysis.
func TestALevelLimitsTheSearch(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tables: engine.NoTables}))
	deepest := func(commands ...string) string {
		c.send(commands...)
		last := ""
		for _, l := range c.until("bestmove") {
			if strings.HasPrefix(l, "info depth ") {
				last = strings.Fields(l)[2]
			}
		}
		return last
	}
	if d := deepest("setoption name OwnBook value false", "setoption name Level value beginner", "go depth 9"); d == "9" {
		t.Error("a beginner searches 9 plies deep")
	}
	testkit.Equal(t, deepest("setoption name UCI_AnalyseMode value true", "go depth 9"), "9", "analysis at a level ends at depth")
	testkit.Equal(t, deepest("setoption name UCI_AnalyseMode value false", "setoption name Level value best", "go depth 9"), "9", "the best level ends at depth")
}
